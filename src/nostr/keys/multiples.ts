// Products of scalars and points, for signature checks and public keys. They use the sums of the range proofs: field arithmetic takes
// constant time, but the number of additions depends on the scalar.
import { type Affine, createPointSums, lift, N, P, Point, type PointSums, type Scalar } from '../../curve/index.js'
import { toHex } from '../../lib/bytes.js'

let sums: PointSums | undefined

/** fixed × G, plus scalar × point where one is given; undefined for infinity. The first call takes a few milliseconds for a table. */
export function sumOfMultiples(fixed: Scalar, ...variable: readonly (readonly [Affine, Scalar])[]): Affine | undefined {
  sums ??= createPointSums([Point.BASE.toAffine()])
  const [sum] = sums([{ fixed: [fixed], variable }])
  return sum
}

/** The point with this x and an even y; undefined if the curve has none. */
export function evenPoint(x: bigint): Affine | undefined {
  const point = lift(x)
  return point && (isEven(point) ? point : { x, y: P - point.y })
}

export const isEven = ({ y }: Affine): boolean => y % 2n === 0n

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
