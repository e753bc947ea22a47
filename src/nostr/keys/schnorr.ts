// Signatures of BIP-340, by its text; the letters are its own. Secret multiples are the library's, whose steps are the same for all
// secrets; checking is ours, in a quarter of its time, and every signature is checked before it is given away.
import { createHash } from 'node:crypto'
import { modP, N, P, Point, type Scalar } from '../../curve/index.js'
import { concatBytes } from '../../lib/bytes.js'
import { evenPoint, isEven, sumOf, toBytes, toInteger } from './multiples.js'

const sha256 = (...parts: readonly Uint8Array[]): Uint8Array =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()

function taggedHash(tag: string): (...parts: readonly Uint8Array[]) => Uint8Array {
  const prefix = sha256(Buffer.from(tag))
  return (...parts) => sha256(prefix, prefix, ...parts)
}

const auxHash = taggedHash('BIP0340/aux')
const nonceHash = taggedHash('BIP0340/nonce')
const challengeHash = taggedHash('BIP0340/challenge')

/** e in BIP-340. `R` and `P` are x coordinates, 32 bytes each. */
const challenge = (R: Uint8Array, P: Uint8Array, m: Uint8Array): Scalar => toInteger(challengeHash(R, P, m)) % N

/**
 * 64 bytes. `m` and `auxiliary` are 32 bytes each, `secret` is in 1 … n-1. Throws RangeError for a nonce of zero, and when the
 * arithmetic failed: a wrong signature could tell the secret.
 */
export function sign(m: Uint8Array, secret: Scalar, auxiliary: Uint8Array): Uint8Array {
  const publicPoint = Point.BASE.multiply(secret).toAffine()
  const d = isEven(publicPoint) ? secret : N - secret
  const publicKey = toBytes(publicPoint.x)
  const t = toBytes(d ^ toInteger(auxHash(auxiliary)))
  const nonce = toInteger(nonceHash(t, publicKey, m)) % N
  if (nonce === 0n) throw new RangeError('the nonce is zero')
  const R = Point.BASE.multiply(nonce).toAffine()
  const k = isEven(R) ? nonce : N - nonce
  const r = toBytes(R.x)
  const signature = concatBytes(r, toBytes((k + challenge(r, publicKey, m) * d) % N))
  if (!verify(signature, m, publicKey)) throw new RangeError('the signature does not fit its own key')
  return signature
}

/** Whether the 64 bytes are a signature of `m` (32 bytes) by the public key (32 bytes). */
export function verify(signature: Uint8Array, m: Uint8Array, publicKey: Uint8Array): boolean {
  const point = evenPoint(toInteger(publicKey))
  const [r, s] = [signature.subarray(0, 32), toInteger(signature.subarray(32))]
  if (!point || toInteger(r) >= P || s >= N) return false
  const R = sumOf(s, [{ x: point.x, y: modP(-point.y) }, challenge(r, publicKey, m)])
  return R !== undefined && isEven(R) && R.x === toInteger(r)
}
