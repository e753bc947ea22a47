// Signatures of BIP-340, with its letters. The curve library multiplies secrets, in constant time. The optional C library checks
// signatures (75 us); without it, own sums do (165 us; the curve library: 1,300 us). Every new signature is checked before it is returned.
import { hash } from 'node:crypto'
import { modP, N, P, Point, type Scalar } from '../../curve/index.js'
import { type NativeSum, openNativeSum } from '../../curve/native.js'
import { concatBytes, equalBytes } from '../../lib/bytes.js'
import { bytesToInteger, evenPoint, integerToBytes, isEven, sumOfMultiples } from './multiples.js'

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
