// 1/a by Fermat's little theorem, in constant time. Euclid's algorithm with BigInt takes three times as long.
import { NUMBER_BYTES } from './machine/field-code.js'
import type { Address } from './machine/word-memory.js'
import { createPowers, type Multiplier } from './powers.js'

export type Invert = (out: Address, a: Address) => void

/** Raises to p - 2. That exponent in binary is 223 ones, 0, 22 ones, 0000, 1, 0, 11, 0, 1: blocks of ones are joined. */
export function createInverse(machine: Multiplier): Invert {
  const { begin, join, ones2 } = createPowers(machine)
  const power = machine.allocate(NUMBER_BYTES)
  return (out, a) => {
    begin(power, a)
    join(power, power, a, 5)
    join(power, power, ones2, 3)
    join(out, power, a, 2)
  }
}
