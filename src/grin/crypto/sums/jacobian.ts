// The last pass: doubling and adding from the highest pile down, in Jacobian coordinates (formulas dbl-2009-l and madd
// of the Explicit-Formulas Database).
import { invertP, modP, P } from '../field.js'
import type { Affine } from '../point.js'
import type { Piles } from './piles.js'

/** (X/Z², Y/Z³); infinite when Z is 0. Coordinates in (-p, p). */
interface Jacobian {
  readonly X: bigint
  readonly Y: bigint
  readonly Z: bigint
}

const INFINITY: Jacobian = { X: 1n, Y: 1n, Z: 0n }

function double({ X, Y, Z }: Jacobian): Jacobian {
  const b = (Y * Y) % P
  const d = (4n * X * b) % P
  const e = 3n * X * X
  const x = (e * e - 2n * d) % P
  return { X: x, Y: (e * (d - x) - 8n * b * b) % P, Z: (2n * Y * Z) % P }
}

function addAffine(a: Jacobian, bx: bigint, by: bigint): Jacobian {
  if (a.Z === 0n) return { X: bx, Y: by, Z: 1n }
  const zz = (a.Z * a.Z) % P
  const h = (bx * zz - a.X) % P
  const r = (((by * a.Z) % P) * zz - a.Y) % P
  if (h === 0n) return r === 0n ? double(a) : INFINITY
  const hh = (h * h) % P
  const hhh = (h * hh) % P
  const v = (a.X * hh) % P
  const x = (r * r - hhh - 2n * v) % P
  return { X: x, Y: (r * (v - x) - a.Y * hhh) % P, Z: (a.Z * h) % P }
}

function toAffine({ X, Y, Z }: Jacobian): Affine | undefined {
  if (Z === 0n) return undefined
  const inverse = invertP(Z)
  const square = (inverse * inverse) % P
  return { x: modP(X * square), y: modP(((Y * square) % P) * inverse) }
}

/** The sum over all piles of 2^i times the points of pile i; nothing when it is infinite. */
export function collectPiles(piles: Piles): Affine | undefined {
  let sum = INFINITY
  for (const { x, y } of [...piles].reverse()) {
    sum = double(sum)
    for (const [i, px] of x.entries()) sum = addAffine(sum, px, y[i] ?? 0n)
  }
  return toAffine(sum)
}
