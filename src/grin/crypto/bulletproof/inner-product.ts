// The inner-product argument, five halving rounds (Bulletproofs section 3; specification: grin-crypto, 7.3 step 7).
import type { PointSums } from '../../../curve/index.js'
import { pointOf } from '../point.js'
import { invertN, modN, type Scalar } from '../scalar.js'
import { type FlaggedX, flagged, ROUNDS } from './layout.js'
import { AT, BITS, FIXED_COUNT } from './points.js'
import type { Transcript } from './transcript.js'

// Arithmetic on vectors of scalars modulo n.
/** 1, base, base², … (`length` entries). */
export function powers(base: Scalar, length: number): Scalar[] {
  const out: Scalar[] = []
  for (let power = 1n; out.length < length; power = modN(power * base)) out.push(power)
  return out
}

/** <a, b>; both of the same length. */
export const innerProduct = (a: readonly Scalar[], b: readonly Scalar[]): Scalar =>
  modN(a.reduce((sum, entry, i) => sum + entry * (b[i] ?? 0n), 0n))

/** a + x*b, entry by entry. */
export const addScaled = (a: readonly Scalar[], b: readonly Scalar[], x: Scalar): Scalar[] =>
  a.map((entry, i) => modN(entry + x * (b[i] ?? 0n)))

interface Setting {
  readonly sums: PointSums
  readonly transcript: Transcript
  readonly u: Scalar
  readonly yInverse: Scalar
}

/** The current vectors, and the coefficient of each of the 128 original points so far. */
interface Folding {
  readonly a: readonly Scalar[]
  readonly b: readonly Scalar[]
  readonly cg: readonly Scalar[]
  readonly ch: readonly Scalar[]
}

const at = (vector: readonly Scalar[], index: number): Scalar => vector[index] ?? 0n

/** The scalars of L and R of round `r`. Each even entry pairs with the odd entry after it. */
function crossTerms({ a, b, cg, ch }: Folding, r: number, u: Scalar): { L: Scalar[]; R: Scalar[] } {
  const L = new Array<Scalar>(FIXED_COUNT).fill(0n)
  const R = new Array<Scalar>(FIXED_COUNT).fill(0n)
  for (let i = 0; i < BITS; i++) {
    const q = i >> r
    const partner = q ^ 1
    const [onG, onH] = q & 1 ? [L, R] : [R, L]
    onG[i] = modN(at(a, partner) * at(cg, i))
    onH[AT.H + i] = modN(at(b, partner) * at(ch, i))
  }
  // The point that carries the inner product is G itself.
  const even = (parity: number) => (sum: Scalar, entry: Scalar, i: number) =>
    i % 2 === parity ? sum + entry * at(b, i ^ 1) : sum
  L[AT.blind] = modN(u * modN(a.reduce(even(0), 0n)))
  R[AT.blind] = modN(u * modN(a.reduce(even(1), 0n)))
  return { L, R }
}

/** Halves the vectors with challenge `c`, and moves the same folding of the points into their coefficients. */
function fold({ a, b, cg, ch }: Folding, r: number, c: Scalar): Folding {
  const inverse = invertN(c)
  const halves = (vector: readonly Scalar[], even: Scalar, odd: Scalar): Scalar[] =>
    Array.from({ length: vector.length / 2 }, (_, j) => modN(at(vector, 2 * j) * even + at(vector, 2 * j + 1) * odd))
  const scaled = (list: readonly Scalar[], even: Scalar, odd: Scalar): Scalar[] =>
    list.map((entry, i) => modN(entry * ((i >> r) & 1 ? odd : even)))
  return {
    a: halves(a, c, inverse),
    b: halves(b, inverse, c),
    cg: scaled(cg, inverse, c),
    ch: scaled(ch, c, inverse),
  }
}

/** Shrinks a and b from 64 entries to two, and returns L and R of every round. */
export function halve({ sums, transcript, u, yInverse }: Setting, a: readonly Scalar[], b: readonly Scalar[]) {
  let folding: Folding = { a, b, cg: new Array<Scalar>(BITS).fill(1n), ch: powers(yInverse, BITS) }
  const rounds: { L: FlaggedX; R: FlaggedX }[] = []
  for (let r = 0; r < ROUNDS; r++) {
    const terms = crossTerms(folding, r, u)
    const points = sums([{ fixed: terms.L }, { fixed: terms.R }])
    const [L, R] = [flagged(pointOf(points[0], 'L')), flagged(pointOf(points[1], 'R'))]
    rounds.push({ L, R })
    folding = fold(folding, r, transcript.round(L, R))
  }
  return { a: folding.a, b: folding.b, rounds }
}
