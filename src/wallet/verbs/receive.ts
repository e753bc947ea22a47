// S1 in, S2 out. Specification: grin-wallet, 4.1, RULE: everything is stored before the S2 leaves, and a repeated S1 gets the stored S2.
import { nanoGrin } from '../../grin/amount/index.js'
import { formatPath } from '../../grin/keychain/index.js'
import { checkS1, type ReceivedPayment, type ReceiveRules } from '../../grin/receive/index.js'
import { digestSlate, type Slate } from '../../grin/slate/index.js'
import { formatAddress } from '../../grin/slatepack/index.js'
import { splitFee } from '../../grin/tx/index.js'
import { equalBytes, toHex } from '../../lib/bytes.js'
import { GrinpayError } from '../../lib/errors.js'
import { walletSlateUsed } from '../errors.js'
import type { Draft, WalletState } from '../ledger.js'
import type { AddressPlace, StoredProof, WalletTransaction } from '../model.js'
import type { WalletParts } from '../parts.js'
import {
  addUnconfirmed,
  findBySlate,
  heightOf,
  lookupHeightIn,
  nextTransactionId,
  rangesOf,
  takeKeys,
} from '../rows.js'
import { type OpenedSlate, readSlate, type SlateInput, type WrittenSlate, writeReply } from '../slates.js'

/** Which S1 are taken, and where to. */
export interface ReceiveOptions {
  /** Default: the account of the address that the payment proof names, else 0. */
  readonly account?: number
  /** Refuses every other amount, nanogrin. */
  readonly amount?: bigint
  /** A note in the log. */
  readonly label?: string
  /** The address that the payer was probably given: its key is tried first. Spares a wallet of many addresses the search. */
  readonly address?: AddressPlace
}

/** An S2 for the payer. */
export interface Received extends WrittenSlate {
  readonly slateId: string
  /** Nanogrin. */
  readonly amount: bigint
}

/**
 * Answers an S1. The same S1 again gets the same S2. Throws an S1_… refusal, WALLET_SLATE_USED for another S1 with a known id,
 * WALLET_NO_ACCOUNT, or what a slatepack cannot be read for.
 */
export async function receive(parts: WalletParts, input: SlateInput, options: ReceiveOptions = {}): Promise<Received> {
  const request = await readSlate(parts, input, options.address)
  const rules = await rulesFor(parts, await parts.ledger.read(), request.slate, options)
  const refusal = checkS1(request.slate, rules)
  if (refusal) throw new GrinpayError(refusal.code, refusal.text, 422)
  const stored = await parts.ledger.change((draft) => storedReply(draft, request.slate))
  const row = stored ?? (await sign(parts, request, { options, rules }))
  const { account, amount, slate: bytes = new Uint8Array() } = row
  return { slateId: request.slate.id, amount, ...(await writeReply(parts, bytes, { account, request })) }
}

/**
 * The entry of an S1 that was answered before. A cancelled one is open again: the S2 that left the house is as good as before. Throws
 * WALLET_SLATE_USED.
 */
function storedReply(draft: Draft, slate: Slate): WalletTransaction | undefined {
  const known = findBySlate(draft, slate.id, 'received')
  if (!known) return undefined
  if (known.request !== toHex(digestSlate(slate)) || known.written !== 'S2')
    throw walletSlateUsed(slate.id, 'another slate with this id was answered')
  if (known.status !== 'cancelled') return known
  const { cancelledHeight: _, ...open } = known
  const row: WalletTransaction = { ...open, status: 'pending' }
  draft.put('transaction', row)
  addUnconfirmed(draft, row.outputs, row)
  return row
}

/** They hold for a repeated S1 as well, but for its expiry: its S2 pays what it pays, whatever this caller expects. */
async function rulesFor(
  parts: WalletParts,
  state: WalletState,
  { id, proof }: Slate,
  { amount }: ReceiveOptions,
): Promise<ReceiveRules> {
  const isKnown = [...state.transaction.values()].some(({ slateId, kind }) => slateId === id && kind === 'received')
  return {
    tip: isKnown ? 0 : heightOf(state),
    addresses: proof ? await parts.signer.addresses(rangesOf(state), proof.receiver) : [],
    ...(amount !== undefined && { amount: nanoGrin(amount) }),
  }
}

interface Asked {
  readonly options: ReceiveOptions
  readonly rules: ReceiveRules
}

async function sign(parts: WalletParts, request: OpenedSlate, { options, rules }: Asked): Promise<WalletTransaction> {
  const { slate } = request
  const named = rules.addresses.find(({ publicKey }) => slate.proof && equalBytes(publicKey, slate.proof.receiver))
  const account = options.account ?? named?.account ?? 0
  const [keyIndex = 0] = await parts.ledger.change((draft) => takeKeys(draft, account, 1))
  const payment = await parts.signer.receive({ s1: slate, account, keyIndex, ...(named && { named }) })
  return parts.ledger.change(
    (draft) => storedReply(draft, slate) ?? store(parts, draft, { payment, account, request, options }),
  )
}

interface Answered {
  readonly payment: ReceivedPayment
  readonly account: number
  readonly request: OpenedSlate
  readonly options: ReceiveOptions
}

function store(parts: WalletParts, draft: Draft, { payment, account, request, options }: Answered): WalletTransaction {
  const { amount, identifier, commitment, excess } = payment
  const output = { commitment: toHex(commitment), path: formatPath(identifier), value: amount }
  // One beyond 2^53 is as good as none.
  const ttl = Number(request.slate.ttl)
  const row: WalletTransaction = {
    id: nextTransactionId(draft),
    account,
    kind: 'received',
    status: 'pending',
    slateId: payment.slateId,
    written: 'S2',
    amount,
    fee: splitFee(payment.feeFields).fee,
    credited: amount,
    debited: 0n,
    createdAt: parts.now(),
    minHeight: lookupHeightIn(draft),
    excess: toHex(excess),
    inputs: [],
    outputs: [output],
    request: toHex(payment.digest),
    slate: payment.bytes,
    ...(ttl > 0 && Number.isSafeInteger(ttl) && { ttl }),
    ...(request.sender !== undefined && { counterparty: request.sender }),
    ...(request.address && { address: request.address }),
    ...(options.label !== undefined && { label: options.label }),
    ...(payment.proof && { proof: receiverHalf(parts, payment.proof) }),
  }
  draft.put('transaction', row)
  addUnconfirmed(draft, [output], row)
  return row
}

function receiverHalf({ rules: { prefix } }: WalletParts, proof: NonNullable<ReceivedPayment['proof']>): StoredProof {
  return {
    amount: `${proof.amount}`,
    excess: toHex(proof.excess),
    recipient_address: formatAddress(prefix, proof.recipient),
    recipient_sig: toHex(proof.signature),
    sender_address: formatAddress(prefix, proof.sender),
  }
}
