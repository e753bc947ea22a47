// S2 or I2 in, the final slate and the transaction out. A context signs once: it is removed in the commit that stores the final slate.
import type { Commitment } from '../../grin/kinds/index.js'
import { digestSlate, type Slate } from '../../grin/slate/index.js'
import type { Transaction } from '../../grin/tx/index.js'
import { fromHex, toHex } from '../../lib/bytes.js'
import { finalSlateOf, transactionOfSlate } from '../complete.js'
import { walletSlate, walletSlateUnknown, walletSlateUsed, walletStorageDamaged } from '../errors.js'
import type { Draft } from '../ledger.js'
import type { StoredProof, WalletTransaction } from '../model.js'
import type { WalletParts } from '../parts.js'
import { checkTtl, heightIn, retryWhileCoinsMove, transactionOf } from '../rows.js'
import { readSlate, type SlateInput, type WrittenSlate, writeSlate } from '../slates.js'
import type { SlateContext } from '../storage/tables.js'
import { finalizeInvoiceSlate } from './finalize-invoice.js'
import { finalizeSend } from './finalize-send.js'

/** A complete payment. The side that finalizes posts the transaction. */
export interface Finalized extends WrittenSlate {
  readonly slateId: string
  readonly transaction: Transaction
  /** Kernel excess, 33 bytes: finds the payment on the chain. */
  readonly excess: Commitment
  /** Present if the S1 asked for a payment proof. */
  readonly proof?: StoredProof
}

/** What is needed to sign: the entry and its context as they are before the signature. */
export interface Open {
  readonly row: WalletTransaction
  readonly context: SlateContext
}

/**
 * Completes the other side's S2 or I2 and stores the result before it returns. The same slate again gives the stored result; another one
 * is refused with WALLET_SLATE_USED. After any other error a valid slate still finalizes. Throws WALLET_SLATE, WALLET_SLATE_UNKNOWN,
 * WALLET_SLATE_EXPIRED, PAYER_REPLY, PAYER_PROOF, an I2_… refusal, and with a late lock the errors of `send`.
 */
export async function finalize(parts: WalletParts, input: SlateInput): Promise<Finalized> {
  const { slate } = await readSlate(parts, input)
  if (slate.state !== 'S2' && slate.state !== 'I2')
    throw walletSlate(`it is in state ${slate.state}, S2 and I2 can be finalized`)
  const row = await retryWhileCoinsMove(() => sign(parts, slate))
  return finalizedOf(parts, row)
}

/** Undefined: another payment took the coins of a late lock meanwhile. */
async function sign(parts: WalletParts, slate: Slate): Promise<WalletTransaction | undefined> {
  const known = await parts.ledger.change((draft) => openOrStored(draft, slate))
  if ('stored' in known) return known.stored
  const finish = slate.state === 'S2' ? finalizeSend : finalizeInvoiceSlate
  const changes = await finish(parts, known, slate)
  return parts.ledger.change((draft) => {
    const now = openOrStored(draft, slate)
    if ('stored' in now) return now.stored
    const row = changes(draft, now)
    if (!row) return undefined
    draft.put('transaction', { ...row, request: toHex(digestSlate(slate)) })
    draft.remove('context', slate.id)
    return draft.get('transaction', `${row.id}`)
  })
}

/** Throws WALLET_SLATE_UNKNOWN, WALLET_SLATE_USED or WALLET_SLATE_EXPIRED. */
function openOrStored(draft: Draft, slate: Slate): Open | { readonly stored: WalletTransaction } {
  const isSend = slate.state === 'S2'
  const row = transactionOf(draft, slate.id, isSend ? 'sent' : 'received')
  // A complete one too: its coins are free, and may pay for something else by now.
  if (row.status === 'cancelled') throw walletSlateUsed(slate.id, 'its payment was cancelled')
  if (row.written === (isSend ? 'S3' : 'I3')) {
    if (row.request === toHex(digestSlate(slate))) return { stored: row }
    throw walletSlateUsed(slate.id, 'another answer was finalized')
  }
  const context = draft.get('context', slate.id)
  if (context?.flow !== (isSend ? 'send' : 'invoice')) throw walletSlateUnknown(slate.id)
  checkTtl(slate.ttl, heightIn(draft))
  if (row.ttl !== undefined) checkTtl(BigInt(row.ttl), heightIn(draft))
  return { row, context }
}

async function finalizedOf(parts: WalletParts, row: WalletTransaction): Promise<Finalized> {
  const slate = finalSlateOf(row)
  if (!slate) throw walletStorageDamaged(`transaction/${row.id}`)
  return {
    slateId: slate.id,
    transaction: transactionOfSlate(slate),
    excess: fromHex(row.excess ?? ''),
    ...(row.proof && { proof: row.proof }),
    ...(await writeSlate(parts, slate, { account: row.account })),
  }
}
