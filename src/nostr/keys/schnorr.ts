// Checking signatures of BIP-340, by its text; the letters are its own. Nothing secret goes through here: making signatures is
// left to the library, whose time depends less on the numbers.
import { createHash } from 'node:crypto'
import { modP, N, P, type Scalar } from '../../curve/index.js'
import { evenPoint, isEven, sumOf, toInteger } from './multiples.js'

const sha256 = (...parts: readonly Uint8Array[]): Uint8Array =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()

function taggedHash(tag: string): (...parts: readonly Uint8Array[]) => Uint8Array {
  const prefix = sha256(Buffer.from(tag))
  return (...parts) => sha256(prefix, prefix, ...parts)
}

const challengeHash = taggedHash('BIP0340/challenge')

/** e in BIP-340. `R` and `P` are x coordinates, 32 bytes each. */
const challenge = (R: Uint8Array, P: Uint8Array, m: Uint8Array): Scalar => toInteger(challengeHash(R, P, m)) % N

/** Whether the 64 bytes are a signature of `m` (32 bytes) by the public key (32 bytes). */
export function verify(signature: Uint8Array, m: Uint8Array, publicKey: Uint8Array): boolean {
  const point = evenPoint(toInteger(publicKey))
  const [r, s] = [signature.subarray(0, 32), toInteger(signature.subarray(32))]
  if (!point || toInteger(r) >= P || s >= N) return false
  const R = sumOf(s, [{ x: point.x, y: modP(-point.y) }, challenge(r, publicKey, m)])
  return R !== undefined && isEven(R) && R.x === toInteger(r)
}
