// Arithmetic on vectors of scalars modulo n.
import { modN, type Scalar } from '../scalar.js'

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
