// S1 out: coins are chosen and locked, or with a late lock only the fee is fixed. Specification: grin-wallet, 4.1 and 4.2.
import type { AddressKey } from '../../grin/kinds/index.js'
import { parseAddress } from '../../grin/slatepack/index.js'
import { pastedWord } from '../../lib/pasted-text.js'
import { newUuid } from '../../lib/random-bytes.js'
import { type CoinOptions, changeFor, chooseCoins, spendOf } from '../coins/choose.js'
import type { Selection } from '../coins/select.js'
import type { Draft } from '../ledger.js'
import type { OwnOutput, WalletOutput, WalletTransaction } from '../model.js'
import type { WalletParts } from '../parts.js'
import { addUnconfirmed, lockInputs, lookupHeightIn, nextTransactionId, sumOf, ttlIn } from '../rows.js'
import { type WrittenSlate, writeSlate } from '../slates.js'

export interface SendOptions extends CoinOptions {
  /** Nanogrin. */
  readonly amount: bigint
  /** Takes the fee from the amount; default: it comes on top. */
  readonly feeIncluded?: boolean
  /** Default 0. */
  readonly account?: number
  /** Slatepack address: the S1 is encrypted to it and asks it for a payment proof. */
  readonly recipient?: string
  /** False: asks for no payment proof. */
  readonly proof?: boolean
  /** Blocks after the last seen tip at which the slate expires; default: never. */
  readonly ttlBlocks?: number
  /** Chooses and locks the coins when the S2 arrives. The fee is fixed now, for the coins that would be chosen now. */
  readonly lateLock?: boolean
  /** A note in the log. */
  readonly label?: string
}

/** An S1 for the receiver. */
export interface StartedSend extends WrittenSlate {
  readonly slateId: string
  /** What the receiver gets, nanogrin. */
  readonly amount: bigint
  /** Nanogrin. */
  readonly fee: bigint
}

/** Begins a payment. Throws WALLET_AMOUNT, WALLET_NOT_ENOUGH, WALLET_TOO_MANY_INPUTS, WALLET_NO_ACCOUNT or ADDRESS_INVALID. */
export async function send(parts: WalletParts, options: SendOptions): Promise<StartedSend> {
  const { account = 0 } = options
  const recipient =
    options.recipient === undefined ? undefined : parseAddress(pastedWord(options.recipient), parts.rules.prefix)
  const id = newUuid(parts.random)
  const { slate, amount, fee } = await parts.ledger.change(async (draft) => {
    const selection = chooseCoins(draft, account, options)
    const change = options.lateLock ? [] : await changeFor(parts.signer, draft, account, selection.change)
    return begin(parts, draft, { id, account, recipient, options, selection, change })
  })
  return { slateId: id, amount, fee, ...(await writeSlate(parts, slate, { account, recipient })) }
}

interface Begin {
  readonly id: string
  readonly account: number
  readonly recipient: AddressKey | undefined
  readonly options: SendOptions
  readonly selection: Selection<WalletOutput>
  readonly change: readonly OwnOutput[]
}

/** Log entry, context and locks of a new S1. */
async function begin(parts: WalletParts, draft: Draft, begun: Begin) {
  const { id, account, recipient, options, selection, change } = begun
  const { lateLock = false, strategy = 'smallest', maxInputs, changeOutputs, minConfirmations } = options
  const ttl = ttlIn(draft, options.ttlBlocks)
  const { amount, fee } = selection
  const spend = spendOf(selection.coins, change, fee)
  const proof = options.proof !== false
  const request = { account, slateId: id, amount, spend, ttl, recipient, proof }
  const { slate, bytes, sealed } = await parts.signer.beginSend(request)
  const row = entryOf(draft, begun, { ttl, slate: bytes, createdAt: parts.now() })
  draft.put('transaction', row)
  draft.put('context', {
    slateId: id,
    flow: 'send',
    sealed,
    ...(lateLock && {
      late: {
        strategy,
        ...(maxInputs !== undefined && { maxInputs }),
        ...(changeOutputs !== undefined && { changeOutputs }),
        ...(minConfirmations !== undefined && { minConfirmations }),
      },
    }),
  })
  if (!lateLock) lockInputs(draft, selection.coins, row.id)
  addUnconfirmed(draft, change, row)
  return { slate, amount, fee }
}

function entryOf(
  draft: Draft,
  { id, account, options, selection, change }: Begin,
  { ttl, slate, createdAt }: { readonly ttl: number; readonly slate: Uint8Array; readonly createdAt: number },
): WalletTransaction {
  const inputs = options.lateLock ? [] : selection.coins
  return {
    id: nextTransactionId(draft),
    account,
    kind: 'sent',
    status: 'pending',
    slateId: id,
    written: 'S1',
    amount: selection.amount,
    fee: selection.fee,
    credited: sumOf(change),
    debited: sumOf(inputs),
    createdAt,
    minHeight: lookupHeightIn(draft),
    inputs: inputs.map(({ commitment }) => commitment),
    outputs: change,
    slate,
    ...(ttl > 0 && { ttl }),
    ...(options.recipient !== undefined && { counterparty: options.recipient }),
    ...(options.label !== undefined && { label: options.label }),
  }
}
