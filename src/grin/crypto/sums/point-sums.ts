// Multi-scalar multiplication over fixed points with tables, and over further points of the job at hand. Straus' shared
// doublings (1964), scalars halved by the endomorphism, and the additions of one bit position batched in affine form.
import { pointAtInfinity } from '../errors.js'
import type { Affine } from '../point.js'
import type { Scalar } from '../scalar.js'
import { collectPiles } from './jacobian.js'
import { oddMultiples } from './odd-multiples.js'
import { emptyPiles, type Piles, placeTerm, reducePiles } from './piles.js'

/** One sum: a scalar in [0, n) for every fixed point, in their order, and further points with theirs. */
export interface SumJob {
  readonly fixed: readonly Scalar[]
  readonly variable?: readonly (readonly [Affine, Scalar])[]
}

/** Computes several sums together, which is cheaper than one by one; an infinite sum is answered by nothing. */
export type PointSums = (jobs: readonly SumJob[]) => (Affine | undefined)[]

/** 256 odd multiples of every fixed point: 130 points take some 6 MB and 70 ms. */
const FIXED_WIDTH = 10
const VARIABLE_WIDTH = 5

/** Builds the tables of the fixed points. The sums take time that depends on the scalars. */
export function createPointSums(fixedPoints: readonly Affine[]): PointSums {
  const fixedTable = oddMultiples(fixedPoints, FIXED_WIDTH)

  function pilesOf({ fixed, variable = [] }: SumJob): Piles {
    if (fixed.length > fixedPoints.length) throw new Error('more scalars than fixed points')
    const piles = emptyPiles()
    for (const [column, scalar] of fixed.entries()) placeTerm(piles, fixedTable, column, scalar)
    if (variable.length === 0) return piles
    const points = variable.map(([point]) => point)
    const table = oddMultiples(points, VARIABLE_WIDTH)
    for (const [column, [, scalar]] of variable.entries()) placeTerm(piles, table, column, scalar)
    return piles
  }

  return (jobs) => {
    const piles = jobs.map(pilesOf)
    reducePiles(piles.flat())
    return piles.map(collectPiles)
  }
}

/** A sum that must not be infinite. Throws POINT_AT_INFINITY (chance 2^-250 inside a proof). */
export function pointOf(sum: Affine | undefined, what: string): Affine {
  if (!sum) throw pointAtInfinity(what)
  return sum
}
