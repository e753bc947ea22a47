// Multi-scalar multiplication over fixed points with tables, and over further points of the job at hand. Straus' shared
// doublings (1964), scalars halved by the endomorphism, and the additions of one bit position batched in affine form.
import { mulAddUnsafe } from '@noble/curves/abstract/curve.js'
import type { Affine, Scalar } from '../field.js'
import { NUMBER_BYTES, POINT_BYTES } from '../machine/field-code.js'
import { addPairs, createFieldMachine, type FieldMachine, type Pair } from '../machine/field-machine.js'
import type { Address } from '../machine/word-memory.js'
import { Point } from '../point.js'
import { collectPiles, type Pile, UNLUCKY } from './double-and-add.js'
import { type OddMultiples, oddMultiples, splitScalar } from './odd-multiples.js'

// Points sorted by the power of two they count with, and the reduction of every pile to a few points.
// Width-w non-adjacent form: an integer as a sparse sum of odd digits times powers of two (Solinas 2000).
/** Integers of at most this many bits can be written. */
export const HALF_BITS = 129
/** Digits lie at positions 0 … POSITIONS - 1: the last carry can reach one bit past the top. */
const POSITIONS = HALF_BITS + 1

const WORD = 32
const words = new Uint32Array(7)

function load(magnitude: bigint): void {
  let rest = magnitude
  for (let i = 0; i < words.length; i++, rest >>= 32n) words[i] = Number(BigInt.asUintN(WORD, rest))
}

/** 32 bits from position `at` on. */
function bitsAt(at: number): number {
  const [index, offset] = [at >>> 5, at & 31]
  const low = (words[index] ?? 0) >>> offset
  return offset === 0 ? low : low | ((words[index + 1] ?? 0) << (WORD - offset))
}

/** The number of zero bits below the lowest one; 32 for 0. */
const trailingZeros = (bits: number): number => (bits === 0 ? WORD : 31 - Math.clz32(bits & -bits))

/**
 * Calls `emit(position, digit)` for every non-zero digit, lowest first, so that the sum of digit * 2^position is
 * `value`. Digits are odd and between -2^(width-1) and 2^(width-1). Width 2 … 15.
 */
export function eachDigit(value: bigint, width: number, emit: (position: number, digit: number) => void): void {
  const sign = value < 0n ? -1 : 1
  load(value < 0n ? -value : value)
  const mask = (1 << width) - 1
  let carry = 0
  for (let at = 0; at < POSITIONS; ) {
    // With a carry, zeros are what ones were: they end the run that the carry stands for.
    const bits = carry === 0 ? bitsAt(at) : ~bitsAt(at)
    const skip = trailingZeros(bits)
    at += skip
    if (skip === WORD || at >= POSITIONS) continue
    const window = (bitsAt(at) & mask) + carry
    carry = window >>> (width - 1)
    emit(at, sign * (window - (carry << width)))
    at += width
  }
}

/** Table entries on their way to the piles, in columns: there are thousands. */
interface Placements {
  readonly pile: number[]
  readonly x: Address[]
  readonly y: Address[]
  readonly negative: boolean[]
}

/** Below this many pairs one inversion costs more than it saves. */
const FEW_PAIRS = 64

/** Adds the table entries that make up scalar * (point in `column` of the table); piles count from `base`. */
function placeTerm(
  { pile, x, y, negative }: Placements,
  base: number,
  { table, column, scalar }: { table: OddMultiples; column: number; scalar: bigint },
): void {
  const place = (half: bigint, xOf: OddMultiples['point']): void =>
    eachDigit(half, table.width, (position, digit) => {
      const row = (Math.abs(digit) - 1) >> 1
      pile.push(base + position)
      x.push(xOf(row, column))
      y.push(table.point(row, column) + NUMBER_BYTES)
      negative.push(digit < 0)
    })
  const [k1, k2] = splitScalar(scalar)
  place(k1, table.point)
  place(k2, table.betaX)
}

/** `count` empty piles in freshly allocated memory, each with room for what is to come. */
function roomFor(machine: FieldMachine, { pile }: Placements, count: number): Pile[] {
  const sizes = new Array<number>(count).fill(0)
  for (const index of pile) sizes[index] = (sizes[index] ?? 0) + 1
  let next = machine.allocate(pile.length * POINT_BYTES)
  return sizes.map((size) => {
    const first = next
    next += size * POINT_BYTES
    return { first, count: 0 }
  })
}

/** Copies the entries onto `count` piles. */
function stackPiles(machine: FieldMachine, placements: Placements, count: number): Pile[] {
  const piles = roomFor(machine, placements, count)
  const { x, y, negative } = placements
  for (const [i, index] of placements.pile.entries()) {
    const pile = piles[index]
    if (!pile) throw new Error(`no pile ${index}`)
    const join = negative[i] ? machine.joinNegated : machine.join
    join(pile.first + pile.count * POINT_BYTES, x[i] ?? 0, y[i] ?? 0)
    pile.count += 1
  }
  return piles
}

/** Pairs up the neighbours of every pile; the sums close ranks at its start. */
function neighbours(piles: readonly Pile[]): Pair[] {
  const pairs: Pair[] = []
  for (const { first, count } of piles)
    for (let i = 0; i + 1 < count; i += 2) {
      const left = first + i * POINT_BYTES
      pairs.push({ left, right: left + POINT_BYTES, out: first + (i / 2) * POINT_BYTES })
    }
  return pairs
}

/** An odd point out moves up behind the sums. */
function closeRanks(machine: FieldMachine, pile: Pile): void {
  const half = pile.count >> 1
  if (pile.count % 2 === 1 && half > 0) {
    const [to, from] = [pile.first + half * POINT_BYTES, pile.first + (pile.count - 1) * POINT_BYTES]
    machine.join(to, from, from + NUMBER_BYTES)
  }
  pile.count = half + (pile.count % 2)
}

/** Shrinks the piles until hardly one holds two points. False, and garbage, when points with the same x met. */
function reducePiles(machine: FieldMachine, piles: readonly Pile[]): boolean {
  for (;;) {
    const pairs = neighbours(piles)
    if (pairs.length < FEW_PAIRS) return true
    if (!addPairs(machine, pairs)) return false
    for (const pile of piles) closeRanks(machine, pile)
  }
}

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
