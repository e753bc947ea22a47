// Points and their encodings: 02/03 follows the parity of y, 08/09 whether y is a square (specification: grin-crypto, 1.2).
import { numberToBytesBE } from '@noble/curves/utils.js'
import { type Affine, type CurvePoint, isResidue, lift, P, Point } from '../../curve/index.js'
import type { Commitment, PublicKey } from '../kinds/index.js'
import { badLength, badPoint, pointAtInfinity } from './errors.js'
import { toInteger } from './scalar.js'

export { type Affine, type CurvePoint, lift, Point }

/** Affine coordinates. Throws POINT_AT_INFINITY, where noble silently returns (0, 0). */
export function affineOf(point: CurvePoint, what: string): Affine {
  if (point.is0()) throw pointAtInfinity(what)
  return point.toAffine()
}

/** Throws POINT_AT_INFINITY for an infinite sum (probability 2^-250 inside a proof). */
export function pointOf(sum: Affine | undefined, what: string): Affine {
  if (!sum) throw pointAtInfinity(what)
  return sum
}

/** 0 when y is a square, else 1: the bit by which commitments and proofs tell a point from its negative. */
export const flagOf = ({ y }: Affine): 0 | 1 => (isResidue(y) ? 0 : 1)

/** 32 bytes, big-endian. */
export const coordinateBytes = (coordinate: bigint): Uint8Array => numberToBytesBE(coordinate, 32)

function prefixed(prefix: number, { x }: Affine): Uint8Array {
  const out = new Uint8Array(33)
  out[0] = prefix
  out.set(coordinateBytes(x), 1)
  return out
}

/** 33 bytes, 02 for an even y, 03 for an odd one. */
export const encodePublicKey = (point: Affine): Uint8Array => prefixed(point.y % 2n === 0n ? 2 : 3, point)

/** 33 bytes, 08 when y is a square, else 09. */
export const encodeCommitment = (point: Affine): Uint8Array => prefixed(8 + flagOf(point), point)

const liftBytes = (bytes: Uint8Array): Affine | undefined => lift(toInteger(bytes.subarray(1)))
const negated = ({ x, y }: Affine): Affine => ({ x, y: P - y })

function readPublicKey(bytes: Uint8Array): Affine | undefined {
  const prefix = bytes[0]
  if (bytes.length !== 33 || (prefix !== 2 && prefix !== 3)) return undefined
  const point = liftBytes(bytes)
  return point && (point.y % 2n === BigInt(prefix - 2) ? point : negated(point))
}

function readCommitment(bytes: Uint8Array): Affine | undefined {
  const prefix = bytes[0]
  if (bytes.length !== 33 || (prefix !== 8 && prefix !== 9)) return undefined
  const point = liftBytes(bytes)
  return point && (prefix === 8 ? point : negated(point))
}

/** Reads a compressed public key of 33 bytes. Throws BAD_LENGTH or BAD_POINT. */
export function decodePublicKey(bytes: Uint8Array, what = 'public key'): CurvePoint {
  if (bytes.length !== 33) throw badLength(what, 33, bytes.length)
  const point = readPublicKey(bytes)
  if (!point) throw badPoint(what)
  return Point.fromAffine(point)
}

/** Reads a commitment of 33 bytes. Throws BAD_LENGTH or BAD_POINT. */
export function decodeCommitment(bytes: Uint8Array, what = 'commitment'): CurvePoint {
  if (bytes.length !== 33) throw badLength(what, 33, bytes.length)
  const point = readCommitment(bytes)
  if (!point) throw badPoint(what)
  return Point.fromAffine(point)
}

/** Whether the bytes are a compressed public key: 33 bytes, 02 or 03, a point of the curve. */
export const isPublicKey = (bytes: Uint8Array): boolean => readPublicKey(bytes) !== undefined

/** Whether the bytes are a commitment: 33 bytes, 08 or 09, a point of the curve. */
export const isCommitment = (bytes: Uint8Array): boolean => readCommitment(bytes) !== undefined

/** Encodes the same point as a public key. */
export const commitmentToPublicKey = (commitment: Commitment): PublicKey =>
  encodePublicKey(decodeCommitment(commitment).toAffine())

/** Encodes the same point as a commitment. */
export const publicKeyToCommitment = (key: PublicKey): Commitment => encodeCommitment(decodePublicKey(key).toAffine())
