// Nostr keys: 32-byte secrets, x-only public keys, BIP-340 signatures. Key agreement and signing take constant time, because remote
// parties could measure them: key agreement uses `createSecretProducts`, signing the curve library.

import { hash } from 'node:crypto'
import { sha256 } from '@noble/hashes/sha2.js'
import {
  type Affine,
  createPointSums,
  createSecretProducts,
  lift,
  modP,
  N,
  P,
  Point,
  type PointSums,
  type Scalar,
} from '../../curve/index.js'
import { type NativeSum, openNativeSum } from '../../curve/native.js'
import { concatBytes, equalBytes, fromHex, toHex, utf8 } from '../../lib/bytes.js'
import type { RandomBytes } from '../../lib/random-bytes.js'
import { Secret } from '../../lib/secret.js'

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

// Signatures of BIP-340, with its letters. The curve library multiplies secrets, in constant time. The optional C library checks
// signatures (75 us); without it, own sums do (165 us; the curve library: 1,300 us). Every new signature is checked before it is returned.

/** The tagged hash of the concatenated parts, as an integer below 2^256. */
function taggedHash(tag: string): (...parts: readonly Uint8Array[]) => bigint {
  const name = hash('sha256', tag, 'buffer')
  return (...parts) => BigInt(`0x${hash('sha256', concatBytes(name, name, ...parts), 'hex')}`)
}

const auxHash = taggedHash('BIP0340/aux')
const nonceHash = taggedHash('BIP0340/nonce')
const challengeHash = taggedHash('BIP0340/challenge')

/** e in BIP-340. `R` and `P` are x coordinates, 32 bytes each. */
const challenge = (R: Uint8Array, P: Uint8Array, m: Uint8Array): Scalar => challengeHash(R, P, m) % N

/**
 * 64 bytes. `m` and `auxiliary` are 32 bytes each, `secret` is in 1 … n-1. Throws RangeError for a nonce of zero, and for a signature
 * that fails its check: a wrong signature can reveal the secret.
 */
export function sign(m: Uint8Array, secret: Scalar, auxiliary: Uint8Array): Uint8Array {
  const publicPoint = Point.BASE.multiply(secret).toAffine()
  const d = isEven(publicPoint) ? secret : N - secret
  const publicKey = integerToBytes(publicPoint.x)
  const t = integerToBytes(d ^ auxHash(auxiliary))
  const nonce = nonceHash(t, publicKey, m) % N
  if (nonce === 0n) throw new RangeError('the nonce is zero')
  const R = Point.BASE.multiply(nonce).toAffine()
  const k = isEven(R) ? nonce : N - nonce
  const r = integerToBytes(R.x)
  const signature = concatBytes(r, integerToBytes((k + challenge(r, publicKey, m) * d) % N))
  if (!verify(signature, m, publicKey)) throw new RangeError('the signature does not fit its own key')
  return signature
}

/** Whether the 64 bytes are a signature of `m` by the public key (32 bytes). All inputs are public, so the time may vary. */
export function verify(signature: Uint8Array, m: Uint8Array, publicKey: Uint8Array): boolean {
  return verifyWith(loadNativeSum(), signature, m, publicKey)
}

let nativeSum: NativeSum | 'absent' | undefined

function loadNativeSum(): NativeSum | undefined {
  nativeSum ??= openNativeSum() ?? 'absent'
  return nativeSum === 'absent' ? undefined : nativeSum
}

/** Whether the C library checks signatures. Loads it on first use. */
const hasNativeSum = (): boolean => loadNativeSum() !== undefined

/** `verify` with or without the C library, with the same results. */
export function verifyWith(
  sum: NativeSum | undefined,
  signature: Uint8Array,
  m: Uint8Array,
  publicKey: Uint8Array,
): boolean {
  const [r, s] = [signature.subarray(0, 32), bytesToInteger(signature.subarray(32))]
  if (s >= N) return false
  const e = challenge(r, publicKey, m)
  const R = sum?.(s, e, publicKey)
  return R === undefined ? isNonceOf(r, s, e, publicKey) : R !== 'none' && isEvenPoint(R, r)
}

/** Whether 33 bytes are the compressed point with an even y whose x coordinate, below p, is `r`. */
const isEvenPoint = (point: Uint8Array, r: Uint8Array): boolean => point[0] === 2 && equalBytes(point.subarray(1), r)

/** Whether s × G - e × P has the x coordinate `r` and an even y, without the C library. */
function isNonceOf(r: Uint8Array, s: Scalar, e: Scalar, publicKey: Uint8Array): boolean {
  const point = evenPoint(bytesToInteger(publicKey))
  if (!point || bytesToInteger(r) >= P) return false
  const R = sumOfMultiples(s, [{ x: point.x, y: modP(-point.y) }, e])
  return R !== undefined && isEven(R) && R.x === bytesToInteger(r)
}

// Which code checks signatures in this process, and the notice about the slower one.

/** `native`: the C library in the optional package `secp256k1`. `webassembly`: the field machine, for machines without it. */
export type SignatureCheck = 'native' | 'webassembly'

export const signatureCheck = (): SignatureCheck => (hasNativeSum() ? 'native' : 'webassembly')

/** Relays report it at the start and in the doctor. The factor was measured: docs/performance.md. */
export const SLOW_SIGNATURES = {
  text: 'signatures are checked in WebAssembly, because the package secp256k1 does not load: an event costs 1.6 times the processor time',
  remedy:
    'npm rebuild --prefix "$(npm root -g)/grinpay" secp256k1 (with a C++ compiler and Python; the package has binaries for Linux x64, macOS arm64 and Windows x64)',
} as const

// Products of scalars and points, for signature checks and public keys. They use the sums of the range proofs: field arithmetic takes
// constant time, but the number of additions depends on the scalar.

let sums: PointSums | undefined

/** fixed × G, plus scalar × point where one is given; undefined for infinity. The first call takes a few milliseconds for a table. */
function sumOfMultiples(fixed: Scalar, ...variable: readonly (readonly [Affine, Scalar])[]): Affine | undefined {
  sums ??= createPointSums([Point.BASE.toAffine()])
  const [sum] = sums([{ fixed: [fixed], variable }])
  return sum
}

/** The point with this x and an even y; undefined if the curve has none. */
function evenPoint(x: bigint): Affine | undefined {
  const point = lift(x)
  return point && (isEven(point) ? point : { x, y: P - point.y })
}

const isEven = ({ y }: Affine): boolean => y % 2n === 0n

/** The unsigned big-endian integer in the bytes. */
export const bytesToInteger = (bytes: Uint8Array): bigint => BigInt(`0x${toHex(bytes)}`)

/** 32 bytes, big-endian. */
export const integerToBytes = (value: bigint): Uint8Array =>
  new Uint8Array(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'))

/** A secret key as a number; undefined unless it is 32 bytes, not zero and below the order of the curve. */
export function secretScalar(bytes: Uint8Array): Scalar | undefined {
  if (bytes.length !== 32) return undefined
  const scalar = bytesToInteger(bytes)
  return scalar > 0n && scalar < N ? scalar : undefined
}

// One-time receiving keys (specification: invoicing, 3.5). The derivation is fixed: it keeps old links payable after a till moves.

interface ChildKey {
  readonly secret: Secret<Uint8Array>
  /** 64 lower-case hex, x-only. */
  readonly pubkey: string
}

/** EncryptionContext of an invoice's own key: its id as UTF-8. */
export const invoiceContext = (invoiceId: string): Uint8Array => utf8(invoiceId)

/** EncryptionContext of a user's key of one epoch: id as UTF-8, then the epoch as signed 64-bit big-endian. */
export function endpubContext(userId: string, epoch: number): Uint8Array {
  const number = Buffer.alloc(8)
  number.writeBigInt64BE(BigInt(epoch))
  return concatBytes(utf8(userId), number)
}

/**
 * SHA-256(master || context); if that is no valid key, a 32-bit counter 1, 2, … is appended to the context.
 * `master` is the till's 32-byte Nostr secret, never the Grin seed. Tests set `hash` to reach the counter.
 */
export function childSecret(
  master: Secret<Uint8Array>,
  context: Uint8Array,
  hash: (message: Uint8Array) => Uint8Array = sha256,
): Secret<Uint8Array> {
  const preimage = concatBytes(master.reveal(), context)
  for (let counter = 0; counter < 2 ** 32; counter++) {
    const candidate = hash(counter === 0 ? preimage : concatBytes(preimage, u32(counter)))
    if (isSecretKey(candidate)) return new Secret(candidate)
  }
  throw new RangeError('no valid child key')
}

/** The child key of a context, with its public half. */
export function deriveChild(master: Secret<Uint8Array>, context: Uint8Array): ChildKey {
  const secret = childSecret(master, context)
  return { secret, pubkey: publicKeyOf(secret) }
}

function u32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
