// I1 in, I2 out: the payer's side of the invoice flow. Specification: grin-wallet, 4.3.
import { publicKeyToCommitment, sumPublicKeys } from '../../grin/crypto/index.js'
import { digestSlate, type Slate } from '../../grin/slate/index.js'
import { MAX_ARMOR } from '../../grin/slatepack/index.js'
import { toHex } from '../../lib/bytes.js'
import { type CoinOptions, changeFor, chooseCoins, spendOf } from '../coins/choose.js'
import { walletSlate, walletSlateUsed, walletTooLarge } from '../errors.js'
import type { Draft } from '../ledger.js'
import type { OwnOutput, WalletOutput, WalletTransaction } from '../model.js'
import type { WalletParts } from '../parts.js'
import {
  addUnconfirmed,
  areFree,
  checkTtl,
  findBySlate,
  heightIn,
  lockInputs,
  lookupHeightIn,
  nextTransactionId,
  retryWhileCoinsMove,
  sumOf,
  ttlIn,
} from '../rows.js'
import { type OpenedSlate, readSlate, type SlateInput, type WrittenSlate, writeReply } from '../slates.js'

export interface PayOptions extends CoinOptions {
  /** Refuses an invoice of every other amount, nanogrin. */
  readonly amount?: bigint
  /** Default 0. */
  readonly account?: number
  /** Blocks after the last seen tip at which the I2 expires and a refresh cancels it; default: never. Nodes do not know it: an issuer may complete it later. */
  readonly ttlBlocks?: number
  /** A note in the log. */
  readonly label?: string
}

/** An I2 for the issuer. */
export interface PaidInvoice extends WrittenSlate {
  readonly slateId: string
  /** What the issuer gets, nanogrin. */
  readonly amount: bigint
  /** Nanogrin. */
  readonly fee: bigint
}

/**
 * Answers an I1 and locks the coins. The same I1 again gets the same I2. Throws WALLET_SLATE, PAYER_INVOICE, WALLET_SLATE_USED for a known
 * id with other content or a cancelled payment, WALLET_TOO_LARGE, and the errors of `send`.
 */
export async function pay(parts: WalletParts, input: SlateInput, options: PayOptions = {}): Promise<PaidInvoice> {
  const request = await readSlate(parts, input)
  const { slate } = request
  if (slate.state !== 'I1') throw walletSlate(`it is in state ${slate.state}, an invoice to pay is an I1`)
  if (options.amount !== undefined && options.amount !== slate.amount)
    throw walletSlate(`it asks for ${slate.amount} nanogrin, not for ${options.amount}`)
  const stored = await parts.ledger.change((draft) => storedReply(draft, slate))
  const row = stored ?? (await retryWhileCoinsMove(() => sign(parts, request, options)))
  const { account, amount, fee = 0n, slate: bytes = new Uint8Array() } = row
  return { slateId: slate.id, amount, fee, ...(await writeReply(parts, bytes, { account, request })) }
}

/** Throws WALLET_SLATE_USED. */
function storedReply(draft: Draft, slate: Slate): WalletTransaction | undefined {
  const known = findBySlate(draft, slate.id, 'sent')
  if (!known) return undefined
  if (known.request !== toHex(digestSlate(slate)) || known.written !== 'I2')
    throw walletSlateUsed(slate.id, 'another slate with this id was answered')
  if (known.status === 'cancelled') throw walletSlateUsed(slate.id, 'its payment was cancelled')
  return known
}

/** Undefined: another payment took the coins meanwhile. */
async function sign(
  parts: WalletParts,
  request: OpenedSlate,
  options: PayOptions,
): Promise<WalletTransaction | undefined> {
  const { slate } = request
  const { account = 0 } = options
  const { signer, ledger } = parts
  const { selection, change, ttl } = await ledger.change(async (draft) => {
    checkTtl(slate.ttl, heightIn(draft))
    const chosen = chooseCoins(draft, account, { ...options, amount: slate.amount })
    checkAnswerSize({ inputs: chosen.coins.length, change: chosen.change.length })
    const outputs = await changeFor(signer, draft, account, chosen.change)
    return { selection: chosen, change: outputs, ttl: ttlIn(draft, options.ttlBlocks) }
  })
  const made = await signer.pay({ i1: slate, spend: spendOf(selection.coins, change, selection.fee), ttl })
  return ledger.change((draft) => {
    const stored = storedReply(draft, slate)
    if (stored || !areFree(draft, selection.coins)) return stored
    const answer = { slate: made.slate, bytes: made.bytes, inputs: selection.coins, change, fee: selection.fee, ttl }
    return store(parts, draft, { answer, account, request, options })
  })
}

interface Answered {
  readonly answer: {
    readonly slate: Slate
    readonly bytes: Uint8Array
    readonly inputs: readonly WalletOutput[]
    readonly change: readonly OwnOutput[]
    readonly fee: bigint
    readonly ttl: number
  }
  readonly account: number
  readonly request: OpenedSlate
  readonly options: PayOptions
}

function store(parts: WalletParts, draft: Draft, { answer, account, request, options }: Answered): WalletTransaction {
  const { inputs, change, fee, ttl } = answer
  const row: WalletTransaction = {
    id: nextTransactionId(draft),
    account,
    kind: 'sent',
    status: 'pending',
    slateId: request.slate.id,
    written: 'I2',
    amount: request.slate.amount,
    fee,
    credited: sumOf(change),
    debited: sumOf(inputs),
    createdAt: parts.now(),
    minHeight: lookupHeightIn(draft),
    excess: excessOfBoth(request.slate, answer.slate),
    inputs: inputs.map(({ commitment }) => commitment),
    outputs: change,
    request: toHex(digestSlate(request.slate)),
    slate: answer.bytes,
    ...(ttl > 0 && { ttl }),
    ...(request.sender !== undefined && { counterparty: request.sender }),
    ...(options.label !== undefined && { label: options.label }),
  }
  draft.put('transaction', row)
  lockInputs(draft, inputs, row.id)
  addUnconfirmed(draft, change, row)
  return row
}

/** The kernel excess of issuer and payer together, 66 hex: neither slate alone contains it. */
const excessOfBoth = (i1: Slate, i2: Slate): string =>
  toHex(publicKeyToCommitment(sumPublicKeys([...i1.participants, ...i2.participants].map(({ excess }) => excess))))

// How long the answer to an invoice becomes. Wallets, this one too, read no slatepack beyond MAX_ARMOR: an I2 that is longer would lock
// coins for nothing.
/** Feature, form and commitment (33 bytes). */
const INPUT_BYTES = 35
/** An input with a range proof (675 bytes) and its length. */
const OUTPUT_BYTES = INPUT_BYTES + 677
/** Everything else of an I2 with a payment proof and an expiry, and what encryption adds. */
const OTHER_BYTES = 900
/** Base58 makes 1.366 characters of a byte; every 15 characters a blank. */
const CHARACTERS_PER_BYTE = (1.366 * 16) / 15

/** Throws WALLET_TOO_LARGE if an I2 with these inputs and change outputs may not fit into a slatepack. */
function checkAnswerSize({ inputs, change }: { readonly inputs: number; readonly change: number }): void {
  const bytes = OTHER_BYTES + inputs * INPUT_BYTES + change * OUTPUT_BYTES
  if (bytes * CHARACTERS_PER_BYTE > MAX_ARMOR) throw walletTooLarge(inputs, change)
}
