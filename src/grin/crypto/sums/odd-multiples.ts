// Tables of P, 3P, 5P, … for many points at once.
import { P } from '../field.js'
import type { Affine } from '../point.js'
import { addColumns, type Columns } from './columns.js'
import { BETA } from './endomorphism.js'

/** `x[j][i]`, `y[j][i]` are the coordinates of (2j + 1) times point i; `betaX[j][i]` is the x of lambda times that. */
export interface OddMultiples {
  /** Digit width the table serves: it has 2^(width - 2) rows. */
  readonly width: number
  readonly x: readonly (readonly bigint[])[]
  readonly y: readonly (readonly bigint[])[]
  readonly betaX: readonly (readonly bigint[])[]
}

/** Builds the table of finite points; every row costs one inversion for all points together. */
export function oddMultiples(points: readonly Affine[], width: number): OddMultiples {
  let row: Columns = { x: points.map(({ x }) => x), y: points.map(({ y }) => y) }
  const twice = addColumns(row, row)
  const rows = [row]
  while (rows.length < 2 ** (width - 2)) {
    row = addColumns(row, twice)
    rows.push(row)
  }
  return {
    width,
    x: rows.map(({ x }) => x),
    y: rows.map(({ y }) => y),
    betaX: rows.map(({ x }) => x.map((one) => (one * BETA) % P)),
  }
}
