// Tables of P, 3P, 5P, … and the same for lambda*P.
import { type Affine, N, type Scalar } from '../field.js'
import { NUMBER_BYTES, POINT_BYTES } from '../machine/field-code.js'
import { type FieldMachine, invertRun } from '../machine/field-machine.js'
import type { Address } from '../machine/word-memory.js'
import { createAccumulator } from './double-and-add.js'

// The endomorphism of secp256k1: (x, y) -> (beta*x, y) multiplies a point by lambda, so one scalar of 256 bits becomes two
// of 128 (Gallant, Lambert, Vanstone 2001; basis vectors as in Guide to Elliptic Curve Cryptography, 3.74).
/** A cube root of one modulo p: beta*x is the x of lambda*P. */
export const BETA = 0x7ae96a2b657c07106e64479eac3434e99cf0497512f58995c1396c28719501een

const A1 = 0x3086d221a7d46bcde86c90e49284eb15n
const MINUS_B1 = 0xe4437ed6010e88286f547fa90abfe4c3n
const A2 = 0x114ca50f7a8e2f3f657c1108d9d44cfd8n
const HALF_N = N >> 1n

/** k = k1 + lambda*k2 modulo n with |k1|, |k2| below 2^129; both may be negative. */
export function splitScalar(k: Scalar): readonly [k1: bigint, k2: bigint] {
  const c1 = (A1 * k + HALF_N) / N
  const c2 = (MINUS_B1 * k + HALF_N) / N
  return [k - c1 * A1 - c2 * A2, c1 * MINUS_B1 - c2 * A1]
}

/** The table of some points. Row j holds (2j + 1) times each of them; there are 2^(width - 2) rows. */
export interface OddMultiples {
  /** The width of the signed digits that the table serves. */
  readonly width: number
  /** Where the point of a row and a column lies. */
  point(row: number, column: number): Address
  /** Where the x of lambda times that point lies; the y is the same. */
  betaX(row: number, column: number): Address
}

/** Builds the table of finite points; every column costs one inversion. */
export function oddMultiples(machine: FieldMachine, points: readonly Affine[], width: number): OddMultiples {
  const columns = points.length
  const rows = 2 ** (width - 2)
  const first = machine.allocate(rows * columns * POINT_BYTES)
  const firstBetaX = machine.allocate(rows * columns * NUMBER_BYTES)
  const point = (row: number, column: number): Address => first + (row * columns + column) * POINT_BYTES
  const betaX = (row: number, column: number): Address => firstBetaX + (row * columns + column) * NUMBER_BYTES

  machine.borrow(() => {
    const fill = createColumns(machine, rows)
    for (const [column, { x, y }] of points.entries()) {
      machine.writePoint(point(0, column), { x, y })
      machine.borrow(() => fill((row) => point(row, column)))
    }
    const beta = machine.allocate(NUMBER_BYTES)
    machine.write(beta, BETA)
    for (let i = 0; i < rows * columns; i++) machine.multiply(betaX(0, i), point(0, i), beta)
  })
  return { width, point, betaX }
}

/**
 * Writes the rows behind the first one, which holds the point. The double (X, Y, Z) is affine on the isomorphic curve whose points are
 * (x*Z², y*Z³), so each row is the row before plus an affine point (Meloni 2007). One inversion returns all rows to secp256k1.
 */
function createColumns(machine: FieldMachine, rows: number): (at: (row: number) => Address) => void {
  const { multiply, join } = machine
  const number = (): Address => machine.allocate(NUMBER_BYTES)
  const [scale, s, one] = [number(), number(), number()]
  const [twice, start] = [machine.allocate(POINT_BYTES), machine.allocate(POINT_BYTES)]
  const denominators = machine.allocate(rows * NUMBER_BYTES)
  const sum = createAccumulator(machine)
  machine.write(one, 1n)

  /** out = (x*z², y*z³) */
  function rescale(out: Address, point: Address, z: Address): void {
    multiply(s, z, z)
    multiply(out, point, s)
    multiply(s, s, z)
    multiply(out + NUMBER_BYTES, point + NUMBER_BYTES, s)
  }

  return (at) => {
    sum.start(at(0))
    sum.double()
    join(twice, sum.X, sum.X + NUMBER_BYTES)
    multiply(scale, sum.Z, one)
    rescale(start, at(0), scale)
    sum.start(start)
    for (let row = 1; row < rows; row++) {
      // Odd multiples below 2^15 of a point of prime order are never plus or minus its double.
      sum.add(twice)
      join(at(row), sum.X, sum.X + NUMBER_BYTES)
      multiply(denominators + row * NUMBER_BYTES, sum.Z, scale)
    }
    invertRun(machine, denominators + NUMBER_BYTES, rows - 1)
    for (let row = 1; row < rows; row++) rescale(at(row), at(row), denominators + row * NUMBER_BYTES)
  }
}
