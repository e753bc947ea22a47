// Paying in the standard flow: S1 out, S2 in, S3 and transaction out (Grin RFC 4).
import { nanoGrin } from '../grin/amount/index.js'
import type { Identifier, Keychain } from '../grin/keychain/index.js'
import type { AddressKey, AddressSeed } from '../grin/kinds/index.js'
import {
  type Coin,
  createS1 as create,
  type FinalizedPayment,
  finalizeS2 as finalize,
  type PendingPayment,
  planSpend as plan,
  type Spend,
  type StartedPayment,
} from '../grin/payer/index.js'
import type { Slate } from '../grin/slate/index.js'
import { localProver, type Prover } from './local-prover.js'
import { now as clock, newSlateId, type RandomSource, randomFrom } from './surroundings.js'

export type { Coin, FinalizedPayment, PendingPayment, Spend, StartedPayment }

/**
 * Spends all `coins` on `amount` nanogrin with the minimum fee. The rest becomes one change output at `changeAt`, or none if it is zero.
 * Throws PAYER_NOT_ENOUGH, and RangeError for an amount outside 0 … 2^64-1.
 */
export const planSpend = (coins: readonly Coin[], amount: bigint, changeAt: Identifier): Spend =>
  plan(coins, nanoGrin(amount), changeAt)

/** Whose payment proof an S1 asks for. */
export interface ProofRequest {
  /** The address of who is paid and signs the proof, 32 bytes. */
  readonly recipient: AddressKey
  /** Of the payer's own address: secret, 32 bytes. */
  readonly seed: AddressSeed
}

/**
 * The same with the first name of the recipient's address.
 * @deprecated Name it `recipient`.
 */
export interface OldProofRequest {
  readonly from: AddressKey
  readonly seed: AddressSeed
}

const proofOf = (asked: ProofRequest | OldProofRequest): ProofRequest =>
  'recipient' in asked ? asked : { recipient: asked.from, seed: asked.seed }

/** What `createS1` asks the receiver to sign. */
export interface SendOptions {
  /** Nanogrin that the receiver gets; the fee comes on top. */
  readonly amount: bigint
  readonly spend: Spend
  /** A fresh UUID. Default: a random one. */
  readonly id?: string
  /** Block height at which the slate expires; 0 (default) for never. */
  readonly ttl?: bigint
  /** Asks the receiver for a payment proof. */
  readonly proof?: ProofRequest | OldProofRequest
  readonly random?: RandomSource
  /** Epoch milliseconds; enters the secrets. Default: the clock. */
  readonly now?: number
}

/** Makes an S1 with fresh secrets. Throws RangeError for an amount outside 0 … 2^64-1. */
export const createS1 = ({ amount, id, proof, random, now = clock(), ...options }: SendOptions): StartedPayment =>
  create({
    ...options,
    ...(proof && { proof: proofOf(proof) }),
    amount: nanoGrin(amount),
    id: id ?? newSlateId(random),
    random: randomFrom(random),
    now,
  })

/** The S2 that `finalizeS2` completes, and the payment it belongs to. */
export interface FinalizeOptions {
  readonly keychain: Keychain
  readonly pending: PendingPayment
  /** The S2. */
  readonly slate: Slate
  /** Default: the calling thread. */
  readonly prover?: Prover
}

/**
 * Completes the receiver's S2: the transaction can be pushed to a node. Amount, fee and addresses come from the pending payment, not from
 * the S2. Rejects with PAYER_REPLY, also for wrong sums or range proofs, and PAYER_PROOF.
 */
export const finalizeS2 = ({ prover = localProver, ...input }: FinalizeOptions): Promise<FinalizedPayment> =>
  finalize({ ...input, prove: prover.prove, verifyRange: prover.verify })
