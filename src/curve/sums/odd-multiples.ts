// Tables of P, 3P, 5P, … for many points at once, and the same for lambda*P.

import type { Affine } from '../field.js'
import { NUMBER_BYTES, POINT_BYTES } from '../machine/field-code.js'
import type { FieldMachine } from '../machine/field-machine.js'
import { addPairs, doubleRun } from '../machine/pairs.js'
import type { Address } from '../machine/word-memory.js'
import { BETA } from './endomorphism.js'

/** The table of some points. Row j holds (2j + 1) times each of them; there are 2^(width - 2) rows. */
export interface OddMultiples {
  /** The width of the signed digits that the table serves. */
  readonly width: number
  /** Where the point of a row and a column lies. */
  point(row: number, column: number): Address
  /** Where the x of lambda times that point lies; the y is the same. */
  betaX(row: number, column: number): Address
}

/** Builds the table of finite points; every row costs one inversion for all points together. */
export function oddMultiples(machine: FieldMachine, points: readonly Affine[], width: number): OddMultiples {
  const columns = points.length
  const rows = 2 ** (width - 2)
  const first = machine.allocate(rows * columns * POINT_BYTES)
  const firstBetaX = machine.allocate(rows * columns * NUMBER_BYTES)
  const point = (row: number, column: number): Address => first + (row * columns + column) * POINT_BYTES
  const betaX = (row: number, column: number): Address => firstBetaX + (row * columns + column) * NUMBER_BYTES

  machine.borrow(() => {
    for (const [column, { x, y }] of points.entries()) machine.writePoint(point(0, column), { x, y })
    const twice = machine.allocate(columns * POINT_BYTES)
    doubleRun(machine, twice, first, columns)
    for (let row = 1; row < rows; row++) {
      const pairs = points.map((_, column) => ({
        left: point(row - 1, column),
        right: twice + column * POINT_BYTES,
        out: point(row, column),
      }))
      // Odd multiples below 2^15 of a point of prime order are never plus or minus its double.
      addPairs(machine, pairs)
    }
    const beta = machine.allocate(NUMBER_BYTES)
    machine.write(beta, BETA)
    for (let i = 0; i < rows * columns; i++) machine.multiply(betaX(0, i), point(0, i), beta)
  })
  return { width, point, betaX }
}
