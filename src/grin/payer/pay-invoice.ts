// The payer's side of the invoice flow: I1 in, I2 out. Specification: grin-wallet, 4.3.
import type { RandomBytes } from '../../lib/random-bytes.js'
import { nanoGrin } from '../amount/index.js'
import type { ProveRange } from '../crypto/index.js'
import type { Keychain } from '../keychain/index.js'
import { digestSlate, encodeSlate, type Slate, type SlateCommitment } from '../slate/index.js'
import {
  boundSecrets,
  commitmentsOf,
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

/** An I2 without the payer's participant. */
interface Unsigned {
  /** The kernel that is paid, with the issuer's participant, the fee and the expiry. */
  readonly asked: Slate
  readonly commitments: readonly SlateCommitment[]
}

/**
 * Answers an I1 with an I2. The secrets are dropped on return; they are bound to the whole I2: the issuer's participant, fee, expiry, inputs
 * and change. Throws PAYER_INVOICE.
 */
export async function payI1(
  input: PayInput & { readonly random: RandomBytes },
): Promise<{ readonly slate: Slate; readonly bytes: Uint8Array }> {
  const unsigned = await planI2(input)
  const digest = digestSlate({ ...unsigned.asked, commitments: unsigned.commitments })
  return signI2(boundSecrets(input, 'I2', digest), input, unsigned)
}

/** `payI1` with given secrets: for replaying recorded runs. */
export const payI1With = async (secrets: SlateSecrets, input: PayInput) => signI2(secrets, input, await planI2(input))

async function planI2({ keychain, slate, spend, ttl = 0n, prove }: PayInput): Promise<Unsigned> {
  const why = refusalOf(slate)
  if (why) throw invoiceRefused(why)
  const body = transactionBody(await commitmentsOfSpend(keychain, spend, prove))
  return { asked: { ...slate, fee: spend.fee, ttl }, commitments: commitmentsOf(body) }
}

function signI2(secrets: SlateSecrets, { keychain, spend }: PayInput, { asked, commitments }: Unsigned) {
  const session = openSigningSession(asked, [...asked.participants, participantOf(secrets)])
  const answer: Slate = {
    ...asked,
    state: 'I2',
    amount: nanoGrin(0n),
    offset: stepOffset(asked.offset, { key: secrets.key, ...blindsOf(keychain, spend) }),
    participants: [signedParticipant(secrets, session)],
    commitments,
  }
  return { slate: answer, bytes: encodeSlate(answer) }
}

function refusalOf({ state, amount, participants, features, numParts }: Slate): string | undefined {
  if (state !== 'I1') return `it is in state ${state}`
  if (amount === 0n) return 'it asks for nothing'
  if (participants.length !== 1 || participants[0]?.part) return 'it must have one participant who has not signed'
  return features !== 0 || numParts !== 2 ? 'it is not an ordinary payment between two' : undefined
}
