// The payer's side of the invoice flow: I1 in, I2 out. Specification: grin-wallet.md 4.3.
import type { RandomBytes } from '../../lib/random-bytes.js'
import { nanoGrin } from '../amount/index.js'
import type { ProveRange } from '../crypto/index.js'
import type { Keychain } from '../keychain/index.js'
import { encodeSlate, type Slate } from '../slate/index.js'
import {
  commitmentsOf,
  drawSecrets,
  openSigningSession,
  participantOf,
  type SlateSecrets,
  signedParticipant,
  stepOffset,
  transactionBody,
} from '../tx/index.js'
import { invoiceRefused } from './errors.js'
import { blindsOf, commitmentsOfSpend, type Spend } from './spend.js'

export interface PayInput {
  readonly keychain: Keychain
  /** The I1. */
  readonly slate: Slate
  readonly spend: Spend
  /** Block height at which the reply expires. */
  readonly ttl?: bigint
  readonly prove: ProveRange
}

/** Answers an I1 with an I2. Fresh secrets are dropped on return. Throws PAYER_INVOICE. */
export const payI1 = (
  input: PayInput & { readonly random: RandomBytes },
): Promise<{ readonly slate: Slate; readonly bytes: Uint8Array }> => payI1With(drawSecrets(input.random), input)

/** `payI1` with given secrets: for replaying recorded runs. */
export async function payI1With(secrets: SlateSecrets, { keychain, slate, spend, ttl = 0n, prove }: PayInput) {
  const why = refusalOf(slate)
  if (why) throw invoiceRefused(why)
  const asked = { ...slate, fee: spend.fee }
  const session = openSigningSession(asked, [...slate.participants, participantOf(secrets)])
  const body = transactionBody(await commitmentsOfSpend(keychain, spend, prove))
  const answer: Slate = {
    ...asked,
    state: 'I2',
    amount: nanoGrin(0n),
    ttl,
    offset: stepOffset(slate.offset, { key: secrets.key, ...blindsOf(keychain, spend) }),
    participants: [signedParticipant(secrets, session)],
    commitments: commitmentsOf(body),
  }
  return { slate: answer, bytes: encodeSlate(answer) }
}

function refusalOf({ state, amount, participants, features, numParts }: Slate): string | undefined {
  if (state !== 'I1') return `it is in state ${state}`
  if (amount === 0n) return 'it asks for nothing'
  if (participants.length !== 1 || participants[0]?.part) return 'it must have one participant who has not signed'
  return features !== 0 || numParts !== 2 ? 'it is not an ordinary payment between two' : undefined
}
