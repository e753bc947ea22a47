// Pedersen commitments k*G + v*H and sums of points (specification: grin-crypto, 4).
import type { Amount, BlindingFactor, Commitment, PublicKey, SecretKey, SecretNonce } from '../kinds/index.js'
import { pointAtInfinity, scalarTooLarge, valueOutOfRange } from './errors.js'
import { fixedSum } from './fixed-sum.js'
import { G } from './generators.js'
import {
  affineOf,
  type CurvePoint,
  decodeCommitment,
  decodePublicKey,
  encodeCommitment,
  encodePublicKey,
  Point,
  pointOf,
} from './point.js'
import { checkSecretKey, N, type Scalar } from './scalar.js'

const MAX_AMOUNT = 2n ** 64n - 1n

/** k*P with the table of P; noble's constant-schedule multiplication refuses 0, which is allowed here. */
export const times = (point: CurvePoint, k: Scalar): CurvePoint => (k === 0n ? Point.ZERO : point.multiply(k))

/** Refuses amounts outside 0 … 2^64-1. */
export function checkAmount(value: bigint): bigint {
  if (value < 0n || value > MAX_AMOUNT) throw valueOutOfRange(value)
  return value
}

/**
 * The commitment to `value` (0 … 2^64-1 nanogrin) under `blind` (0 … n-1): 33 bytes starting 08 or 09. Throws
 * AMOUNT_OUT_OF_RANGE, SCALAR_TOO_LARGE, and POINT_AT_INFINITY when both are zero.
 */
export function commit(value: Amount, blind: BlindingFactor | SecretKey): Commitment {
  if (blind < 0n || blind >= N) throw scalarTooLarge('blinding factor')
  return encodeCommitment(pointOf(fixedSum({ G: blind, H: checkAmount(value) }), 'commitment'))
}

/** The public key of a secret key in 1 … n-1: 33 bytes starting 02 or 03. */
export const compressedPublicKey = (secret: SecretKey | SecretNonce): PublicKey =>
  encodePublicKey(G.multiply(checkSecretKey(secret)).toAffine())

const total = (points: readonly CurvePoint[]): CurvePoint => points.reduce((sum, point) => sum.add(point), Point.ZERO)

/** The sum of public keys. Throws BAD_POINT for a bad key and POINT_AT_INFINITY if they cancel. */
export function sumPublicKeys(keys: readonly PublicKey[]): PublicKey {
  return encodePublicKey(affineOf(total(keys.map((key) => decodePublicKey(key))), 'sum of public keys'))
}

function difference(pos: readonly Uint8Array[], neg: readonly Uint8Array[]): CurvePoint {
  const read = (commitment: Uint8Array): CurvePoint => decodeCommitment(commitment)
  return total(pos.map(read)).subtract(total(neg.map(read)))
}

/** sum(pos) - sum(neg) of commitments, as a commitment. Throws POINT_AT_INFINITY for an empty difference. */
export function sumCommitments(pos: readonly Commitment[], neg: readonly Commitment[]): Commitment {
  const sum = difference(pos, neg)
  if (sum.is0()) throw pointAtInfinity('sum of commitments')
  return encodeCommitment(sum.toAffine())
}

/** Whether sum(pos) = sum(neg). */
export const commitmentsBalance = (pos: readonly Commitment[], neg: readonly Commitment[]): boolean =>
  difference(pos, neg).is0()
