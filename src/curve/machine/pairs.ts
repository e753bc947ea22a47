// Adds many pairs of affine points with one inversion (Montgomery's trick).
import { invertP } from '../field.js'
import { NUMBER_BYTES, POINT_BYTES } from './field-code.js'
import type { FieldMachine } from './field-machine.js'
import type { Address } from './word-memory.js'

/** Replaces `count` numbers from `first` on by their inverses. False, and garbage, when one of them is 0 modulo p. */
function invertRun(machine: FieldMachine, first: Address, count: number): boolean {
  const prefixes = machine.allocate((count + 1) * NUMBER_BYTES)
  machine.write(prefixes, 1n)
  for (let at = 0; at < count * NUMBER_BYTES; at += NUMBER_BYTES)
    machine.multiply(prefixes + at + NUMBER_BYTES, prefixes + at, first + at)
  const product = machine.read(prefixes + count * NUMBER_BYTES)
  if (product === 0n) return false
  let [rest, next] = [machine.allocate(NUMBER_BYTES), machine.allocate(NUMBER_BYTES)]
  machine.write(rest, invertP(product))
  for (let at = (count - 1) * NUMBER_BYTES; at >= 0; at -= NUMBER_BYTES) {
    machine.multiply(next, rest, first + at)
    machine.multiply(first + at, prefixes + at, rest)
    ;[rest, next] = [next, rest]
  }
  return true
}

/** Two points to be added. `out` may lie on points of this pair or of pairs before it. */
export interface Pair {
  readonly left: Address
  readonly right: Address
  readonly out: Address
}

/** Adds all pairs. False, and garbage, when the points of some pair have the same x. */
export function addPairs(machine: FieldMachine, pairs: readonly Pair[]): boolean {
  return machine.borrow(() => {
    const runs = machine.allocate(pairs.length * NUMBER_BYTES)
    for (const [i, { left, right }] of pairs.entries()) machine.subtract(runs + i * NUMBER_BYTES, right, left)
    if (!invertRun(machine, runs, pairs.length)) return false
    const slope = machine.allocate(NUMBER_BYTES)
    for (const [i, { left, right, out }] of pairs.entries()) {
      machine.subtract(slope, right + NUMBER_BYTES, left + NUMBER_BYTES)
      machine.multiply(slope, slope, runs + i * NUMBER_BYTES)
      machine.chord(out, left, right, slope)
    }
    return true
  })
}

/** Writes the doubles of `count` points lying one after another. No point of this curve has y = 0. */
export function doubleRun(machine: FieldMachine, out: Address, points: Address, count: number): void {
  machine.borrow(() => {
    const runs = machine.allocate(count * NUMBER_BYTES)
    for (let i = 0; i < count; i++) {
      const y = points + i * POINT_BYTES + NUMBER_BYTES
      machine.add(runs + i * NUMBER_BYTES, y, y)
    }
    invertRun(machine, runs, count)
    const [square, slope] = [machine.allocate(NUMBER_BYTES), machine.allocate(NUMBER_BYTES)]
    for (let i = 0; i < count; i++) {
      const x = points + i * POINT_BYTES
      machine.multiply(square, x, x)
      machine.add(slope, square, square)
      machine.add(slope, slope, square)
      machine.multiply(slope, slope, runs + i * NUMBER_BYTES)
      machine.chord(out + i * POINT_BYTES, x, x, slope)
    }
  })
}
