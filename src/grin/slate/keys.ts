// Curve checks of both slate readers.
import { ed25519 } from '@noble/curves/ed25519.js'
import { checkKind, isOfKind, ofKind } from '../../lib/kinds.js'
import { isPublicKey } from '../crypto/index.js'
import type { AddressKey, AddressSignature, PublicKey } from '../kinds/index.js'

/** No wallet makes slates with more participants, and every key costs a square root. */
const MAX_PARTICIPANTS = 16

/** A participant's key, 33 bytes. Throws RangeError when it is not on the curve. */
export function participantKey(bytes: PublicKey, what: string): PublicKey {
  if (!isPublicKey(bytes)) throw new RangeError(`${what}: not a public key`)
  return bytes
}

/** An ed25519 key, 32 bytes. Throws RangeError for an invalid key, and for bytes that are known to be something else, such as a seed. */
export function addressKey(bytes: AddressKey, what: string): AddressKey {
  if (isOfKind('address key', bytes)) return bytes
  if (!isEd25519Key(checkKind('address key', bytes, what))) throw new RangeError(`${what}: not an ed25519 key`)
  return ofKind('address key', bytes)
}

/** Whether 32 bytes are an ed25519 point, except the eight of small order: anyone can sign for those, and encryption to them fails. */
export function isEd25519Key(bytes: Uint8Array): boolean {
  try {
    return !ed25519.Point.fromBytes(bytes).isSmallOrder()
  } catch {
    return false
  }
}

/** An ed25519 signature, 64 bytes. Throws RangeError when its second half has one of its three highest bits set: that is no scalar. */
export function addressSignature(bytes: AddressSignature, what: string): AddressSignature {
  if ((bytes[63] ?? 0) > 0x1f) throw new RangeError(`${what}: not an ed25519 signature`)
  return bytes
}

/** Throws RangeError above `MAX_PARTICIPANTS`. */
export function participantCount(count: number): number {
  if (count > MAX_PARTICIPANTS) throw new RangeError(`sigs: ${count} participants, at most ${MAX_PARTICIPANTS}`)
  return count
}
