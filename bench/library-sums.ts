// The same sums in terms of the curve library's own multi-scalar multiplication: what ours is measured and checked against.
import { interleavedMSMUnsafe, mulAddUnsafe } from '@noble/curves/abstract/curve.js'
import type { PointSums } from '../src/curve/index.js'
import { fixedPoints } from '../src/grin/crypto/bulletproof/points.js'
import { Point } from '../src/grin/crypto/point.js'

/** The sums in terms of the curve library's own multi-scalar multiplication. */
export function createLibrarySums(): PointSums {
  const fixedSum = interleavedMSMUnsafe(
    Point,
    fixedPoints().map((point) => Point.fromAffine(point)),
    8,
  )
  return (jobs) =>
    jobs.map(({ fixed, variable = [] }) => {
      const points = variable.map(([point]) => Point.fromAffine(point))
      const scalars = variable.map(([, scalar]) => scalar)
      const sum = fixedSum([...fixed]).add(mulAddUnsafe(Point, points, scalars))
      return sum.is0() ? undefined : sum.toAffine()
    })
}
