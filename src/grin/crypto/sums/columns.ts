// Adding many pairs of affine points at the price of one inversion (Montgomery's trick).
import { invertP, P } from '../field.js'

/** A list of affine points in two columns. x in [0, p); y in (-p, p), because a negation must cost nothing. */
export interface Columns {
  readonly x: bigint[]
  readonly y: bigint[]
}

/** Stands in for the x of an infinite sum. */
export const INFINITE = -1n

/** Each entry is the inverse of the entry of `values`, which must not be 0 modulo p. */
function invertColumn(values: readonly bigint[]): bigint[] {
  const prefixes = new Array<bigint>(values.length)
  let product = 1n
  for (const [i, value] of values.entries()) {
    prefixes[i] = product
    product = (product * value) % P
  }
  let rest = invertP(product)
  for (let i = values.length - 1; i >= 0; i--) {
    prefixes[i] = ((prefixes[i] ?? 0n) * rest) % P
    rest = (rest * (values[i] ?? 1n)) % P
  }
  return prefixes
}

const at = (column: readonly bigint[], i: number): bigint => column[i] ?? 0n

/** Adds the points of `a` and `b` pair by pair. Equal points are doubled; opposite ones give x = INFINITE. */
export function addColumns(a: Columns, b: Columns): Columns {
  const { length } = a.x
  const runs = new Array<bigint>(length)
  for (let i = 0; i < length; i++) {
    const run = at(b.x, i) - at(a.x, i)
    // Same x: the tangent's slope has 2y below, and opposite points get a harmless 1.
    runs[i] = run !== 0n ? run : (at(a.y, i) - at(b.y, i)) % P === 0n ? 2n * at(a.y, i) : 1n
  }
  const inverses = invertColumn(runs)
  const x = new Array<bigint>(length)
  const y = new Array<bigint>(length)
  for (let i = 0; i < length; i++) {
    const [ax, ay, bx, by] = [at(a.x, i), at(a.y, i), at(b.x, i), at(b.y, i)]
    const same = ax === bx
    if (same && (ay - by) % P !== 0n) {
      x[i] = INFINITE
      y[i] = 0n
      continue
    }
    const slope = ((same ? 3n * ax * ax : by - ay) * at(inverses, i)) % P
    const cx = (slope * slope - ax - bx) % P
    x[i] = cx < 0n ? cx + P : cx
    y[i] = (slope * (ax - cx) - ay) % P
  }
  return { x, y }
}
