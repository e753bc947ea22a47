// The payer's side of the standard flow: S1 out, S2 in, S3 and transaction out. Specification: grin-wallet, 4.1 and 4.2.
// The till never pays: the sandbox's payer, wallets and tests use this.

import { sha256 } from '@noble/hashes/sha2.js'
import { equalBytes } from '../../lib/bytes.js'
import type { RandomBytes } from '../../lib/random-bytes.js'
import { type NanoGrin, nanoGrin } from '../amount/index.js'
import type { ProveRange, VerifyRange } from '../crypto/index.js'
import type { Keychain } from '../keychain/index.js'
import type { AddressKey, AddressSeed, Commitment, SlateSecretBytes } from '../kinds/index.js'
import { completeProof, type PaymentProof, verifyReceiverProof } from '../proof/index.js'
import { digestSlate, encodeSlate, type Participant, type Slate, ZERO_OFFSET } from '../slate/index.js'
import { addressOfSeed } from '../slatepack/index.js'
import {
  boundSecrets,
  commitmentsOf,
  hasSigned,
  openSigningSession,
  packSecrets,
  participantOf,
  type SlateSecrets,
  sealKernel,
  signedParticipant,
  stepOffset,
  type Transaction,
  transactionBody,
  unpackSecrets,
  validateTransaction,
} from '../tx/index.js'
import { createByteWriter } from '../wire/index.js'
import { proofRefused, replyRefused } from './errors.js'
import { blindsOf, commitmentsOfSpend, type Spend } from './spend.js'

export interface SendInput {
  readonly amount: NanoGrin
  readonly spend: Spend
  /** A fresh random UUID. */
  readonly id: string
  /** Block height at which the slate expires. */
  readonly ttl?: bigint
  /** Header version to write, default 3. */
  readonly headerVersion?: number
  /** Requests a payment proof of the recipient's address (32 bytes); `seed` (secret, 32 bytes) is the ed25519 seed of the payer's address. */
  readonly proof?: { readonly recipient: AddressKey; readonly seed: AddressSeed }
}

/** The payer's state until the S2 arrives. */
export interface PendingPayment {
  /** The S1. */
  readonly slate: Slate
  readonly spend: Spend
  /** Secret, 64 bytes: key and nonce. They sign one S2, once; a second signature would reveal the key. */
  readonly secrets: SlateSecretBytes
  /** Secret, 32 bytes: the seed of the payer's address, when a proof was requested. */
  readonly proofSeed?: AddressSeed
}

/** A new payment: the slate to send, and what the payer stores before it leaves. */
export interface StartedPayment {
  /** The S1. */
  readonly slate: Slate
  readonly bytes: Uint8Array
  readonly pending: PendingPayment
}

/** Makes an S1. Its secrets are bound to the S1, to coins and change, and to the moment: no two payments share them. */
export function createS1(
  input: SendInput & {
    readonly random: RandomBytes
    /** Epoch milliseconds: what two copies of one machine do not share. Default 0. */
    readonly now?: number
  },
): StartedPayment {
  const slate = slateWith([], input)
  return createS1With(boundSecrets({ random: input.random }, 'S1 request', digestOf(slate, input)), input)
}

/** `createS1` with given secrets: for replaying recorded runs. */
export function createS1With(secrets: SlateSecrets, input: SendInput): StartedPayment {
  const { spend, proof } = input
  const slate = slateWith([participantOf(secrets)], input)
  const pending = { slate, spend, secrets: packSecrets(secrets), ...(proof && { proofSeed: proof.seed }) }
  return { slate, bytes: encodeSlate(slate), pending }
}

const slateWith = (participants: readonly Participant[], input: SendInput): Slate => {
  const { amount, spend, id, ttl = 0n, headerVersion = 3, proof } = input
  return {
    headerVersion,
    id,
    state: 'S1',
    offset: ZERO_OFFSET,
    numParts: 2,
    amount,
    fee: spend.fee,
    features: 0,
    ttl,
    participants,
    ...(proof && { proof: { sender: addressOfSeed(proof.seed), receiver: proof.recipient } }),
  }
}

function digestOf(slate: Slate, { spend, now = 0 }: { readonly spend: Spend; readonly now?: number }): Uint8Array {
  const to = createByteWriter()
    .bytes(digestSlate(slate))
    .u64(BigInt(Math.max(0, Math.trunc(now))))
  for (const coins of [spend.coins, spend.change]) {
    to.u32(coins.length)
    for (const { identifier, value } of coins) to.bytes(identifier).u64(value)
  }
  return sha256(to.done())
}

export interface FinalizeS2Input {
  readonly keychain: Keychain
  readonly pending: PendingPayment
  /** The S2. */
  readonly slate: Slate
  readonly prove: ProveRange
  readonly verifyRange: VerifyRange
}

/** A complete payment: what the payer stores before the transaction is pushed. */
export interface FinalizedPayment {
  /** The S3. */
  readonly slate: Slate
  readonly bytes: Uint8Array
  readonly transaction: Transaction
  /** Kernel excess, 33 bytes. */
  readonly excess: Commitment
  /** Present when a proof was asked for. */
  readonly proof?: PaymentProof
}

/**
 * Completes the receiver's S2. Amount, fee and addresses come from the pending payment, not from the S2. Throws PAYER_REPLY,
 * also for wrong sums or range proofs, and PAYER_PROOF.
 */
export async function finalizeS2(input: FinalizeS2Input): Promise<FinalizedPayment> {
  const { participants, kernel } = sign(input)
  const transaction = { ...(await balance(input)), kernels: [kernel] }
  const failure = await validateTransaction(transaction, input.verifyRange)
  if (failure) throw replyRefused(failure.text)
  const proof = proofIn(input, kernel.excess)
  const asked = input.pending.slate
  const final: Slate = {
    ...asked,
    state: 'S3',
    amount: nanoGrin(0n),
    offset: transaction.offset,
    participants,
    commitments: commitmentsOf(transaction),
    ...(asked.proof && proof && { proof: { ...asked.proof, signature: proof.signature } }),
  }
  return { slate: final, bytes: encodeSlate(final), transaction, excess: kernel.excess, ...(proof && { proof }) }
}

/** Checks the receiver's share, and returns both participants and the kernel. */
function sign({ pending, slate: reply }: FinalizeS2Input) {
  const receiver = receiverOf(reply, pending.slate)
  const secrets = unpackSecrets(pending.secrets)
  const session = openSigningSession(pending.slate, [receiver, participantOf(secrets)])
  if (!hasSigned(receiver, session)) throw replyRefused("the receiver's signature does not fit")
  const participants = [receiver, signedParticipant(secrets, session)]
  return { participants, kernel: sealKernel(pending.slate, participants, session) }
}

/** The receiver's output, the payer's inputs and change, and the offset that balances them. */
async function balance({ keychain, pending, slate: reply, prove }: FinalizeS2Input) {
  const { key } = unpackSecrets(pending.secrets)
  const ours = await commitmentsOfSpend(keychain, pending.spend, prove)
  const offset = stepOffset(reply.offset, { key, ...blindsOf(keychain, pending.spend) })
  return { offset, ...transactionBody([...(reply.commitments ?? []), ...ours]) }
}

function receiverOf(reply: Slate, asked: Slate): Participant {
  const [receiver, ...others] = reply.participants
  if (reply.state !== 'S2' || reply.id !== asked.id) throw replyRefused('it is not the S2 of this payment')
  if (!receiver || others.length > 0) throw replyRefused('it must have one participant')
  if (reply.commitments?.length !== 1 || !reply.commitments[0]?.proof) throw replyRefused('it must have one output')
  return receiver
}

/** The receiver's signature over the payer's own values, under the requested address. */
function proofIn({ pending, slate: reply }: FinalizeS2Input, excess: Commitment): PaymentProof | undefined {
  const asked = pending.slate.proof
  if (!asked || !pending.proofSeed) return undefined
  const { signature, receiver } = reply.proof ?? {}
  if (!signature || !receiver) throw proofRefused('there is none')
  if (!equalBytes(receiver, asked.receiver)) throw proofRefused('it names another address')
  const half = { amount: pending.slate.amount, excess, sender: asked.sender, recipient: receiver, signature }
  if (!verifyReceiverProof(half)) throw proofRefused('it does not verify')
  return completeProof(half, pending.proofSeed)
}
