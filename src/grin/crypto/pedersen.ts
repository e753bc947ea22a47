// Pedersen commitments k*G + v*H and sums of points (specification: grin-crypto, 4).
import { type Affine, createPointSums, type PointSums } from '../../curve/index.js'
import type { Amount, BlindingFactor, Commitment, PublicKey, SecretKey, SecretNonce } from '../kinds/index.js'
import { pointAtInfinity, scalarTooLarge, valueOutOfRange } from './errors.js'
import { G, H, J } from './generators.js'
import { sha } from './hash.js'
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
import { checkSecretKey, modN, N, type Scalar, scalarFromBytes } from './scalar.js'

// Multiples of the three named generators from tables, for commitments. The time depends on the scalars, as it does in a range proof
// over the same secrets. Signing nonces and keys use the curve library, whose time is constant.
let sums: PointSums | undefined

/** G × g + H × h + J × j for scalars in [0, n); undefined for infinity. The first call builds the tables. */
function fixedSum({ G: g = 0n, H: h = 0n, J: j = 0n }: { G?: Scalar; H?: Scalar; J?: Scalar }): Affine | undefined {
  sums ??= createPointSums([G.toAffine(), H.toAffine(), J.toAffine()])
  return sums([{ fixed: [g, h, j] }])[0]
}

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

// Switch blinding: the blinding factor of an output depends on its amount (specification: grin-crypto, 5).
/** k' = k + SHA(commit(v, k) || SEC(k*J)) modulo n, valid for this amount only. Throws BAD_SECRET_KEY for k outside 1 … n-1. */
export function switchBlind(value: Amount, key: SecretKey): BlindingFactor {
  checkSecretKey(key, 'derived key')
  const hash = sha(commit(value, key), encodePublicKey(pointOf(fixedSum({ J: key }), 'switch key')))
  return modN(key + scalarFromBytes(hash, 'switch hash'))
}
