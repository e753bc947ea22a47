// Nostr keys: 32-byte secrets, x-only public keys, BIP-340 signatures. Key agreement and signing take constant time, because remote
// parties could measure them: key agreement uses `createSecretProducts`, signing the curve library.

import { createSecretProducts } from '../../curve/index.js'
import { fromHex, toHex } from '../../lib/bytes.js'
import type { RandomBytes } from '../../lib/random-bytes.js'
import { Secret } from '../../lib/secret.js'
import { evenPoint, integerToBytes, secretScalar, sumOfMultiples } from './multiples.js'
import { sign, verify } from './schnorr.js'

const KEY = /^[0-9a-fA-F]{64}$/

/** BIP-340 with 32 zero bytes of auxiliary randomness: the same digest always gives the same signature. */
const NO_RANDOMNESS = new Uint8Array(32)

/** Whether these bytes are a secret key: 32 bytes, not zero, below the curve order. */
export const isSecretKey = (bytes: Uint8Array): boolean => secretScalar(bytes) !== undefined

function scalarOf(secret: Secret<Uint8Array>): bigint {
  const scalar = secretScalar(secret.reveal())
  if (scalar === undefined) throw new RangeError('not a valid secret key')
  return scalar
}

/** A new secret key, 32 bytes. Draws again for invalid bytes (probability 2^-127). */
export function freshSecret(random: RandomBytes): Secret<Uint8Array> {
  const bytes = random.bytes(32)
  return isSecretKey(bytes) ? new Secret(bytes) : freshSecret(random)
}

/** The public key of a secret key (32 bytes, checked), 64 lower-case hex. Throws RangeError for an invalid one. */
export function publicKeyOf(secret: Secret<Uint8Array>): string {
  const point = sumOfMultiples(scalarOf(secret))
  if (!point) throw new RangeError('infinity has no coordinates')
  return toHex(integerToBytes(point.x))
}

/** Signs a 32-byte digest; 128 lower-case hex. */
export const signDigest = (digest: Uint8Array, secret: Secret<Uint8Array>): string =>
  signDigestWith(NO_RANDOMNESS, digest, secret)

/** `signDigest` with auxiliary randomness (32 bytes; fresh, unless the signature must be reproducible). */
export const signDigestWith = (auxiliary: Uint8Array, digest: Uint8Array, secret: Secret<Uint8Array>): string =>
  toHex(sign(digest, scalarOf(secret), auxiliary))

/** Whether `signature` (128 hex) of this digest is by `pubkey` (64 hex). False for malformed hex; never throws. */
export function isSignedBy(pubkey: string, digest: Uint8Array, signature: string): boolean {
  try {
    return verify(fromHex(signature, 64), digest, fromHex(pubkey, 32))
  } catch {
    return false
  }
}

let secretProduct: ReturnType<typeof createSecretProducts> | undefined

/**
 * The shared secret of two keys: the x coordinate (32 bytes) of a valid secret key times the point with x coordinate `pubkey` (64 hex)
 * and even y. Undefined if the curve has no such point.
 */
export function sharedX(secret: Secret<Uint8Array>, pubkey: string): Uint8Array | undefined {
  const scalar = scalarOf(secret)
  const point = KEY.test(pubkey) ? evenPoint(BigInt(`0x${pubkey}`)) : undefined
  if (!point) return undefined
  secretProduct ??= createSecretProducts()
  return integerToBytes(secretProduct(scalar, point).x)
}
