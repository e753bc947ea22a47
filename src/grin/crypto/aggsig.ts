// Aggregated Schnorr signatures, as kernels carry them (specification: grin-crypto, 8). k nonce, x key, e challenge, N nonce sum.
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { isResidue, P } from '../../curve/index.js'
import { concatBytes } from '../../lib/bytes.js'
import type { KernelSignature, PublicKey, SecretKey, SecretNonce } from '../kinds/index.js'
import { badLength, badSignature } from './errors.js'
import { G } from './generators.js'
import { sha } from './hash.js'
import { compressedPublicKey, times } from './pedersen.js'
import { affineOf, type CurvePoint, coordinateBytes, decodePublicKey, encodePublicKey } from './point.js'
import { checkSecretKey, modN, N, type Scalar, scalarFromBytes, scalarToBytes, toInteger } from './scalar.js'

// The HMAC-SHA256 generator of RFC 6979 with an arbitrary seed (specification: grin-crypto, 2.1).
const MARK_0 = Uint8Array.of(0)
const MARK_1 = Uint8Array.of(1)

/** Deterministic randomness: every call of the returned function gives the next 32 bytes. */
export function createDrbg(seed: Uint8Array): () => Uint8Array {
  let key: Uint8Array = new Uint8Array(32)
  let value: Uint8Array = new Uint8Array(32).fill(1)
  const step = (...mixed: Uint8Array[]): void => {
    key = hmac(sha256, key, concatBytes(value, ...mixed))
    value = hmac(sha256, key, value)
  }
  step(MARK_0, seed)
  step(MARK_1, seed)
  let first = true
  return () => {
    if (!first) step(MARK_0)
    first = false
    value = hmac(sha256, key, value)
    return value
  }
}

/** A signer's nonce and its point, 33 bytes. */
export interface Nonce {
  readonly secret: SecretNonce
  readonly public: PublicKey
}

/** The first DRBG output that is a secret key, negated when its point has no square y. `seed`: 32 random bytes. */
export function secureNonce(seed: Uint8Array): Nonce {
  if (seed.length !== 32) throw badLength('nonce seed', 32, seed.length)
  const next = createDrbg(seed)
  let k = modN(toInteger(next()))
  while (k === 0n) k = modN(toInteger(next()))
  const point = G.multiply(k)
  if (isResidue(point.toAffine().y)) return { secret: k, public: encodePublicKey(point.toAffine()) }
  return { secret: N - k, public: encodePublicKey(point.negate().toAffine()) }
}

/** e = SHA(x(N) || SEC(X) || msg) modulo n. `key` is 33 bytes, or empty for the library's variant without a key. */
export const challengeOf = (nonceX: Uint8Array, key: Uint8Array, message: Uint8Array): Scalar =>
  modN(toInteger(sha(nonceX, key, message)))

/** The values shared by all signers and every check. */
interface SigningSession {
  /** The sum of all public nonces, 33 bytes. */
  readonly nonceSum: PublicKey
  /** The sum of all public excess keys, 33 bytes. */
  readonly keySum: PublicKey
  /** The kernel message, 32 bytes. */
  readonly message: Uint8Array
}

function challengeIn({ nonceSum, keySum, message }: SigningSession): Scalar {
  if (message.length !== 32) throw badLength('message', 32, message.length)
  decodePublicKey(keySum, 'key sum')
  return challengeOf(nonceSum.subarray(1), keySum, message)
}

/** x(k*G) || s with s = ±k + e*x: the nonce is negated when y of the nonce sum is not a square. */
export function partialWith(e: Scalar, nonceSum: CurvePoint, x: Scalar, nonce: Nonce): Uint8Array {
  const k = isResidue(nonceSum.toAffine().y) ? nonce.secret : N - nonce.secret
  return concatBytes(nonce.public.subarray(1), scalarToBytes(modN(k + e * x)))
}

/** One signer's share, 64 bytes raw. Keys and nonces outside 1 … n-1 and bad points are refused. */
export function signPartial(
  input: SigningSession & {
    readonly secretKey: SecretKey
    readonly secretNonce: SecretNonce
    /** The point of the secret nonce, 33 bytes. If absent, it is computed, which costs a multiplication. */
    readonly publicNonce?: PublicKey
  },
): KernelSignature {
  const x = checkSecretKey(input.secretKey)
  const k = checkSecretKey(input.secretNonce, 'secret nonce')
  const nonceSum = decodePublicKey(input.nonceSum, 'nonce sum')
  return partialWith(challengeIn(input), nonceSum, x, {
    secret: k,
    public: input.publicNonce ?? compressedPublicKey(k),
  })
}

/** Q = s*G - e*X, when it exists and x(Q) is the first half of the signature. */
function noncePointOf(signature: Uint8Array, key: CurvePoint, e: Scalar): { y: bigint } | undefined {
  const r = toInteger(signature.subarray(0, 32))
  const s = toInteger(signature.subarray(32))
  if (r === 0n || r >= P || s >= N) return undefined
  const q = times(G, s).subtract(key.multiplyUnsafe(e))
  if (q.is0()) return undefined
  const { x, y } = q.toAffine()
  return x === r ? { y } : undefined
}

/**
 * Checks one share against its signer's public key. Only x is compared, as in the C library: a nonce that was not negated
 * passes here and fails in the final signature. Returns false for a wrong signature. Throws for bad points.
 */
export function verifyPartial(
  input: SigningSession & { readonly signature: KernelSignature; readonly publicKey: PublicKey },
): boolean {
  if (input.signature.length !== 64) return false
  decodePublicKey(input.nonceSum, 'nonce sum')
  const key = decodePublicKey(input.publicKey)
  return noncePointOf(input.signature, key, challengeIn(input)) !== undefined
}

/** The final signature x(N) || sum of all s, 64 bytes raw. */
export function addSignatures(partials: readonly KernelSignature[], nonceSum: PublicKey): KernelSignature {
  const nonce = affineOf(decodePublicKey(nonceSum, 'nonce sum'), 'nonce sum')
  if (partials.length === 0) throw badSignature('there are no partial signatures to add')
  const share = (partial: Uint8Array): Scalar => {
    if (partial.length !== 64) throw badLength('partial signature', 64, partial.length)
    return scalarFromBytes(partial.subarray(32), 'partial signature')
  }
  return concatBytes(coordinateBytes(nonce.x), scalarToBytes(modN(partials.reduce((sum, one) => sum + share(one), 0n))))
}

/** Checks a kernel signature as a node does, the square y of the nonce included. `publicKey` is the excess as a public key. */
export function verifySignature(input: {
  readonly signature: KernelSignature
  readonly publicKey: PublicKey
  readonly message: Uint8Array
}): boolean {
  const { signature, publicKey, message } = input
  if (signature.length !== 64) return false
  if (message.length !== 32) throw badLength('message', 32, message.length)
  const nonce = noncePointOf(
    signature,
    decodePublicKey(publicKey),
    challengeOf(signature.subarray(0, 32), publicKey, message),
  )
  return nonce !== undefined && isResidue(nonce.y)
}

// The two encodings of a signature: raw on the chain, compact in JSON (specification: grin-crypto, 8.6).
function swapHalves(signature: Uint8Array): Uint8Array {
  if (signature.length !== 64) throw badLength('signature', 64, signature.length)
  return concatBytes(signature.slice(0, 32).reverse(), signature.slice(32).reverse())
}

/** Each half byte-reversed on its own, 64 bytes. */
export const rawToCompact = (raw: Uint8Array): Uint8Array => swapHalves(raw)

/**
 * The inverse of `rawToCompact`. A half that is not below n when read big-endian is refused, because grin's reader
 * takes the compact form for an ECDSA signature.
 */
export function compactToRaw(compact: Uint8Array): Uint8Array {
  const raw = swapHalves(compact)
  if (toInteger(compact.subarray(0, 32)) >= N || toInteger(compact.subarray(32)) >= N)
    throw badSignature('a half of the compact form is not below the group order')
  return raw
}
