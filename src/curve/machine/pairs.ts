// Adds many pairs of affine points with one inversion (Montgomery's trick).
import { NUMBER_BYTES } from './field-code.js'
import type { FieldMachine } from './field-machine.js'
import type { Address } from './word-memory.js'

/** Replaces `count` numbers from `first` on by their inverses. False, and garbage, when one of them is 0 modulo p. */
export function invertRun(machine: FieldMachine, first: Address, count: number): boolean {
  const prefixes = machine.allocate((count + 1) * NUMBER_BYTES)
  machine.write(prefixes, 1n)
  for (let at = 0; at < count * NUMBER_BYTES; at += NUMBER_BYTES)
    machine.multiply(prefixes + at + NUMBER_BYTES, prefixes + at, first + at)
  const product = prefixes + count * NUMBER_BYTES
  if (machine.isZero(product)) return false
  let [rest, next] = [machine.allocate(NUMBER_BYTES), machine.allocate(NUMBER_BYTES)]
  machine.invert(rest, product)
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
