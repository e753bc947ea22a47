// The last pass: doubling and adding from the highest pile down, in Jacobian coordinates (formulas dbl-2009-l and madd
// of the Explicit-Formulas Database), arranged so that no factor outgrows what the machine takes.

import type { Affine } from '../field.js'
import { NUMBER_BYTES, POINT_BYTES } from '../machine/field-code.js'
import type { FieldMachine } from '../machine/field-machine.js'
import type { Address } from '../machine/word-memory.js'

/** The result of a pass that met points which the formulas cannot add. */
export const UNLUCKY = Symbol('points with the same x')

/** Points lying one after another. */
export interface Pile {
  readonly first: Address
  count: number
}

/** A running sum (X/Z², Y/Z³). `add` is false, and the sum garbage, when the point has the sum's x. */
export function createAccumulator(machine: FieldMachine) {
  // X and Y lie together, like a point.
  const X = machine.allocate(POINT_BYTES)
  const Y = X + NUMBER_BYTES
  const number = (): Address => machine.allocate(NUMBER_BYTES)
  const [Z, s, d, e, f, g, h] = [number(), number(), number(), number(), number(), number(), number()]
  const { add, subtract, multiply, multiplySubtract } = machine

  return {
    /** Where X and Y lie, like a point, and where Z lies. */
    X,
    Z,

    start(point: Address): void {
      machine.join(X, point, point + NUMBER_BYTES)
      machine.write(Z, 1n)
    },

    /** S = 2Y², D = 2X*S, E = 3X², X' = E² - 2D, Y' = E(D - X') - 2S², Z' = 2YZ. */
    double(): void {
      add(f, Y, Y)
      multiply(s, Y, f)
      multiply(Z, f, Z)
      add(f, X, X)
      multiply(d, s, f)
      add(f, f, X)
      multiply(e, X, f)
      add(f, d, d)
      multiplySubtract(X, e, e, f)
      add(f, s, s)
      multiply(s, s, f)
      subtract(d, d, X)
      multiplySubtract(Y, e, d, s)
    },

    /** H = xZ² - X, R = yZ³ - Y, V = XH², X' = R² - H³ - 2V, Y' = R(V - X') - YH³, Z' = ZH. */
    add(point: Address): boolean {
      multiply(s, Z, Z)
      multiplySubtract(h, point, s, X)
      if (machine.isZero(h)) return false
      multiply(s, s, Z)
      multiplySubtract(e, point + NUMBER_BYTES, s, Y)
      multiply(Z, Z, h)
      multiply(s, h, h)
      multiply(h, h, s)
      multiply(d, X, s)
      add(f, d, d)
      add(f, f, h)
      multiplySubtract(X, e, e, f)
      multiply(g, Y, h)
      subtract(d, d, X)
      multiplySubtract(Y, e, d, g)
      return true
    },

    toAffine(): Affine {
      machine.invert(d, Z)
      multiply(s, d, d)
      multiply(e, X, s)
      multiply(f, s, d)
      multiply(g, Y, f)
      return { x: machine.read(e), y: machine.read(g) }
    },
  }
}

/** Adds the points of one pile; the first point of all starts the sum. False when the formulas cannot add. */
function addPile(sum: ReturnType<typeof createAccumulator>, { first, count }: Pile): boolean {
  for (let i = 0; i < count; i++) if (!sum.add(first + i * POINT_BYTES)) return false
  return true
}

/** The sum over all piles of 2^i times the points of pile i; nothing when all piles are empty. */
export function collectPiles(machine: FieldMachine, piles: readonly Pile[]): Affine | undefined | typeof UNLUCKY {
  const top = piles.findLastIndex(({ count }) => count > 0)
  const highest = piles[top]
  if (!highest) return undefined
  return machine.borrow(() => {
    const sum = createAccumulator(machine)
    sum.start(highest.first)
    if (!addPile(sum, { first: highest.first + POINT_BYTES, count: highest.count - 1 })) return UNLUCKY
    for (const pile of piles.slice(0, top).reverse()) {
      sum.double()
      if (!addPile(sum, pile)) return UNLUCKY
    }
    return sum.toAffine()
  })
}
