// Curve checks every reader of slates makes, whatever the form.
import { ed25519 } from '@noble/curves/ed25519.js'
import { isPublicKey } from '../crypto/index.js'

/** No wallet makes slates with more sides, and every key costs a square root. */
const MAX_PARTICIPANTS = 16

/** A participant's key, 33 bytes. Throws RangeError when it is not on the curve. */
export function participantKey(bytes: Uint8Array, what: string): Uint8Array {
  if (!isPublicKey(bytes)) throw new RangeError(`${what}: not a public key`)
  return bytes
}

/** An ed25519 key, 32 bytes. Throws RangeError when it cannot be anybody's. */
export function addressKey(bytes: Uint8Array, what: string): Uint8Array {
  if (!isEd25519Key(bytes)) throw new RangeError(`${what}: not an ed25519 key`)
  return bytes
}

/** Whether 32 bytes are a point of the ed25519 curve, and none of the eight points of small order: anyone can sign for them, and no one can encrypt to them. */
export function isEd25519Key(bytes: Uint8Array): boolean {
  try {
    return !ed25519.Point.fromBytes(bytes).isSmallOrder()
  } catch {
    return false
  }
}

/** Refuses more sides than `MAX_PARTICIPANTS`. Throws RangeError. */
export function participantCount(count: number): number {
  if (count > MAX_PARTICIPANTS) throw new RangeError(`sigs: ${count} participants, at most ${MAX_PARTICIPANTS}`)
  return count
}
