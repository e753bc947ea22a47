// I1 out. Specification: grin-wallet, 4.3.
import { nanoGrin } from '../../grin/amount/index.js'
import { parseAddress } from '../../grin/slatepack/index.js'
import { pastedWord } from '../../lib/pasted-text.js'
import { newUuid } from '../../lib/random-bytes.js'
import type { WalletTransaction } from '../model.js'
import type { WalletParts } from '../parts.js'
import { addUnconfirmed, lookupHeightIn, nextTransactionId, takeKeys } from '../rows.js'
import { type WrittenSlate, writeSlate } from '../slates.js'

/** What an invoice asks for. */
export interface InvoiceOptions {
  /** Nanogrin; the payer's fee comes on top. */
  readonly amount: bigint
  /** Default 0. */
  readonly account?: number
  /** Slatepack address of the payer: the I1 is encrypted to it. */
  readonly payer?: string
  /** A note in the log. */
  readonly label?: string
}

/** An I1 for the payer. */
export interface Invoice extends WrittenSlate {
  readonly slateId: string
  /** Nanogrin. */
  readonly amount: bigint
}

/** Asks for a payment. Throws RangeError for an amount outside 1 … 2^64-1, WALLET_NO_ACCOUNT or ADDRESS_INVALID. */
export async function invoice(parts: WalletParts, options: InvoiceOptions): Promise<Invoice> {
  const { account = 0 } = options
  const { signer, now, rules } = parts
  const amount = nanoGrin(options.amount)
  if (amount === 0n) throw new RangeError('an invoice of 0 GRIN')
  const recipient = options.payer === undefined ? undefined : parseAddress(pastedWord(options.payer), rules.prefix)
  const id = newUuid(parts.random)
  const [keyIndex = 0] = await parts.ledger.change((draft) => takeKeys(draft, account, 1))
  const at = { account, index: keyIndex, value: amount }
  const issued = await signer.beginInvoice({ slateId: id, at, payer: recipient })
  const { output, sealed, rangeProof } = issued
  await parts.ledger.change((draft) => {
    const row: WalletTransaction = {
      id: nextTransactionId(draft),
      account,
      kind: 'received',
      status: 'pending',
      slateId: id,
      written: 'I1',
      amount,
      credited: amount,
      debited: 0n,
      createdAt: now(),
      minHeight: lookupHeightIn(draft),
      inputs: [],
      outputs: [output],
      slate: issued.bytes,
      ...(options.payer !== undefined && { counterparty: options.payer }),
      ...(options.label !== undefined && { label: options.label }),
    }
    draft.put('transaction', row)
    draft.put('context', { slateId: id, flow: 'invoice', sealed, rangeProof })
    addUnconfirmed(draft, [output], row)
  })
  return { slateId: id, amount, ...(await writeSlate(parts, issued.slate, { account, recipient })) }
}
