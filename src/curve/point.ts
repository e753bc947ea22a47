// Points as coordinates, and as points of the curve library.
import type { WeierstrassPoint } from '@noble/curves/abstract/weierstrass.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { type Affine, P } from './field.js'
import { NUMBER_BYTES } from './machine/field-code.js'
import { createFieldMachine } from './machine/field-machine.js'
import { createPowers } from './powers.js'

export type CurvePoint = WeierstrassPoint<bigint>

export const Point = secp256k1.Point

/** The point with this x whose y is a square; undefined if there is none. */
export function lift(x: bigint): Affine | undefined {
  if (x >= P) return undefined
  const square = (x * x * x + 7n) % P
  const y = root(square)
  return (y * y) % P === square ? { x, y } : undefined
}

// Square roots and the residue rule (specification: grin-crypto, 1.1).
/** Raises to (p+1)/4. That exponent in binary is 223 ones, 0, 22 ones, 0000, 11, 00: blocks of ones are joined. */
function createRoot(): (a: bigint) => bigint {
  const machine = createFieldMachine()
  const { begin, join, square, ones2 } = createPowers(machine)
  const [number, power] = [machine.allocate(NUMBER_BYTES), machine.allocate(NUMBER_BYTES)]
  return (a) => {
    machine.write(number, a)
    begin(power, number)
    join(power, power, ones2, 6)
    square(power, power, 2)
    return machine.read(power)
  }
}

let raise: ((a: bigint) => bigint) | undefined

/** The root of a square `a` in [0, p) that is itself a square; for other `a`, a number whose square is not `a`. */
export function root(a: bigint): bigint {
  raise ??= createRoot()
  return raise(a)
}

/** Whether `a` (in [1, p)) is a square modulo p. */
export function isResidue(a: bigint): boolean {
  const candidate = root(a)
  return (candidate * candidate) % P === a
}
