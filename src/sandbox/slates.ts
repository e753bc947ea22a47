// The payer's two steps of a standard payment: S1, and the transaction made from S2. Specification: grin-wallet.md 4.2.

import type { NanoGrin } from '../grin/amount/index.js'
import type { Scalar } from '../grin/crypto/index.js'
import { type Slate, type SlateCommitment, ZERO_OFFSET } from '../grin/slate/index.js'
import {
  bodyOf,
  drawSecrets,
  hasSigned,
  openSession,
  participantOf,
  type RandomBytes,
  type SlateSecrets,
  sealKernel,
  signedParticipant,
  stepOffset,
  type Transaction,
} from '../grin/tx/index.js'
import { badReply } from './errors.js'

const HEADER_VERSION = 5

export interface Opening {
  readonly slate: Slate
  readonly secrets: SlateSecrets
}

/** A fresh S1 without a payment proof. */
export function openPayment(id: string, amount: NanoGrin, fee: bigint, random: RandomBytes): Opening {
  const secrets = drawSecrets(random)
  const slate: Slate = {
    headerVersion: HEADER_VERSION,
    id,
    state: 'S1',
    offset: ZERO_OFFSET,
    numParts: 2,
    amount,
    fee,
    features: 0,
    ttl: 0n,
    participants: [participantOf(secrets)],
  }
  return { slate, secrets }
}

/** One of the payer's own inputs or outputs with its blinding factor. */
export interface OwnCommitment extends SlateCommitment {
  readonly blind: Scalar
}

export interface Closing extends Opening {
  readonly inputs: readonly OwnCommitment[]
  readonly change: OwnCommitment & { readonly proof: Uint8Array }
}

const bare = ({ coinbase, commitment, proof }: SlateCommitment): SlateCommitment => ({
  coinbase,
  commitment,
  ...(proof ? { proof } : {}),
})

/** Adds the payer's half to the receiver's S2. Throws BAD_REPLY when the S2 does not answer this S1 rightly. */
export function closePayment(reply: Slate, { slate, secrets, inputs, change }: Closing): Transaction {
  const [theirs, ...others] = reply.participants
  const received = reply.commitments ?? []
  if (reply.state !== 'S2' || reply.id !== slate.id) throw badReply('it is not the S2 of this payment')
  if (!theirs || others.length > 0) throw badReply('it must carry one participant')
  if (received.length !== 1 || !received[0]?.proof) throw badReply('it must carry one output')
  const participants = [participantOf(secrets), theirs]
  const session = openSession(slate, participants)
  if (!hasSigned(theirs, session)) throw badReply('its signature does not fit the amount and fee asked for')
  const offset = stepOffset(reply.offset, {
    key: secrets.key,
    inputs: inputs.map(({ blind }) => blind),
    outputs: [change.blind],
  })
  const kernel = sealKernel(slate, [signedParticipant(secrets, session), theirs], session)
  return { offset, ...bodyOf([...inputs, change, ...received].map(bare)), kernels: [kernel] }
}
