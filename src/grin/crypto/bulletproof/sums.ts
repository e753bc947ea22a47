// Multi-scalar multiplication over the fixed points, and over points of the proof at hand.
import { interleavedMSMUnsafe, mulAddUnsafe } from '@noble/curves/abstract/curve.js'
import { pointAtInfinity } from '../errors.js'
import { type Affine, Point } from '../point.js'
import type { Scalar } from '../scalar.js'
import { fixedPoints } from './points.js'

/** One sum: a scalar in [0, n) for every fixed point, and further points with theirs. */
export interface SumJob {
  readonly fixed: readonly Scalar[]
  readonly variable?: readonly (readonly [Affine, Scalar])[]
}

/** Computes several sums at once; an infinite one is answered by nothing. Not constant in time. */
export type PointSums = (jobs: readonly SumJob[]) => (Affine | undefined)[]

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

/** A sum that must not be infinite. Throws POINT_AT_INFINITY (chance 2^-250 inside a proof). */
export function pointOf(sum: Affine | undefined, what: string): Affine {
  if (!sum) throw pointAtInfinity(what)
  return sum
}
