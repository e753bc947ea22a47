// Multi-scalar multiplication over fixed points with tables, and over further points of the job at hand. Straus' shared
// doublings (1964), scalars halved by the endomorphism, and the additions of one bit position batched in affine form.
import { mulAddUnsafe } from '@noble/curves/abstract/curve.js'
import type { Affine } from '../field.js'
import { createFieldMachine, type FieldMachine } from '../machine/field-machine.js'
import type { Scalar } from '../order.js'
import { Point } from '../point.js'
import { collectPiles, UNLUCKY } from './double-and-add.js'
import { type OddMultiples, oddMultiples } from './odd-multiples.js'
import { type Placements, placeTerm, reducePiles, stackPiles } from './piles.js'
import { POSITIONS } from './signed-digits.js'

/** One sum: a scalar in [0, n) for every fixed point, in their order, and further points with theirs. */
interface SumJob {
  readonly fixed: readonly Scalar[]
  readonly variable?: readonly (readonly [Affine, Scalar])[]
}

/** Computes several sums together, which is cheaper than one by one; an infinite sum is answered by nothing. */
export type PointSums = (jobs: readonly SumJob[]) => (Affine | undefined)[]

/** 256 odd multiples of every fixed point: 130 points take 3.6 MB. */
const FIXED_WIDTH = 10
const VARIABLE_WIDTH = 5

/** Sends the terms of one job to its piles, which count from `base`. */
function placeJob(
  machine: FieldMachine,
  placements: Placements,
  { job, base, fixedTable }: { job: SumJob; base: number; fixedTable: OddMultiples },
): void {
  const { fixed, variable = [] } = job
  for (const [column, scalar] of fixed.entries()) placeTerm(placements, base, { table: fixedTable, column, scalar })
  if (variable.length === 0) return
  const points = variable.map(([point]) => point)
  const table = oddMultiples(machine, points, VARIABLE_WIDTH)
  for (const [column, [, scalar]] of variable.entries()) placeTerm(placements, base, { table, column, scalar })
}

/** One sum by the curve library, which adds all points. */
function librarySum(fixedPoints: readonly Affine[], { fixed, variable = [] }: SumJob): Affine | undefined {
  const points = [...fixedPoints.slice(0, fixed.length), ...variable.map(([point]) => point)]
  const scalars = [...fixed, ...variable.map(([, scalar]) => scalar)]
  const curvePoints = points.map((point) => Point.fromAffine(point))
  const sum = mulAddUnsafe(Point, curvePoints, scalars)
  return sum.is0() ? undefined : sum.toAffine()
}

/**
 * Builds the tables of the fixed points. The sums take time that depends on the scalars. Sums in which equal or
 * opposite points meet (crafted ones, and those that are infinite) are left to the curve library, at ten times the price.
 */
export function createPointSums(fixedPoints: readonly Affine[]): PointSums {
  const machine = createFieldMachine()
  const fixedTable = oddMultiples(machine, fixedPoints, FIXED_WIDTH)

  function fastSums(jobs: readonly SumJob[]): (Affine | undefined | typeof UNLUCKY)[] {
    const placements: Placements = { pile: [], x: [], y: [], negative: [] }
    for (const [i, job] of jobs.entries()) placeJob(machine, placements, { job, base: i * POSITIONS, fixedTable })
    const piles = stackPiles(machine, placements, jobs.length * POSITIONS)
    if (!reducePiles(machine, piles)) return jobs.map(() => UNLUCKY)
    return jobs.map((_, i) => collectPiles(machine, piles.slice(i * POSITIONS, (i + 1) * POSITIONS)))
  }

  return (jobs) => {
    if (jobs.some(({ fixed }) => fixed.length > fixedPoints.length)) throw new Error('more scalars than fixed points')
    const sums = machine.borrow(() => fastSums(jobs))
    return jobs.map((job, i) => {
      const sum = sums[i]
      return sum === UNLUCKY ? librarySum(fixedPoints, job) : sum
    })
  }
}
