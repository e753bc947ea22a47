// What a payer computes who gets two answers (I3) to one invoice slate: both signatures use one nonce, so the till's key falls out, and
// with the offset the blinding factor of its output (specification: grin-wallet, 10, rule 8).
import { challengeOf } from '../../src/grin/crypto/aggsig.js'
import { commit, compressedPublicKey } from '../../src/grin/crypto/index.js'
import { invertN, modN, type Scalar, scalarFromBytes } from '../../src/grin/crypto/scalar.js'
import type { Slate } from '../../src/grin/slate/index.js'
import { openSigningSession } from '../../src/grin/tx/index.js'
import { toHex } from '../../src/lib/bytes.js'

/** What the payer sent, and what the till answered. */
export interface Answered {
  readonly i2: Slate
  readonly i3: Slate
}

interface Share {
  readonly challenge: Scalar
  readonly s: Scalar
  readonly publicKey: Uint8Array
}

/** The till's signature: that of the participant whom the payer did not bring. */
function shareOf({ i2, i3 }: Answered): Share {
  const payers = new Set(i2.participants.map(({ excess }) => toHex(excess)))
  const till = i3.participants.find(({ excess }) => !payers.has(toHex(excess)))
  if (!till?.part) throw new Error('the till has not signed')
  const { nonceSum, keySum, message } = openSigningSession(i3, i3.participants)
  const challenge = challengeOf(nonceSum.subarray(1), keySum, message)
  return { challenge, s: scalarFromBytes(till.part.subarray(32)), publicKey: till.excess }
}

/** x of s1 = ±k + e1*x and s2 = ±k + e2*x, whichever signs the nonce had. */
function keyOf(one: Share, two: Share): Scalar | undefined {
  const candidates = [1n, -1n].map((sign) =>
    modN(modN(one.s - sign * two.s) * invertN(modN(one.challenge - sign * two.challenge))),
  )
  return candidates.find((x) => toHex(compressedPublicKey(x)) === toHex(one.publicKey))
}

/** The blinding factor of the till's output over `amount`, or undefined when the answers do not give it away. */
export function blindFrom(one: Answered, two: Answered, amount: bigint): Scalar | undefined {
  const key = keyOf(shareOf(one), shareOf(two))
  if (key === undefined) return undefined
  const blind = modN(scalarFromBytes(one.i3.offset) - scalarFromBytes(one.i2.offset) + key)
  const outputs = one.i3.commitments?.map(({ commitment }) => toHex(commitment)) ?? []
  return outputs.includes(toHex(commit(amount, blind))) ? blind : undefined
}
