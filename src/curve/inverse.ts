// 1/a by Fermat's little theorem: always the same products, where Euclid's steps depend on the number.
import { NUMBER_BYTES } from './machine/field-code.js'
import type { FieldMachine } from './machine/field-machine.js'
import type { Address } from './machine/word-memory.js'

type Invert = (out: Address, a: Address) => void

/** Raises to p - 2. That exponent in binary is 223 ones, 0, 22 ones, 0000, 1, 0, 11, 0, 1: blocks of ones are joined. */
export function createInverse(machine: FieldMachine): Invert {
  const register = (): Address => machine.allocate(NUMBER_BYTES)
  const [ones2, ones3, ones22, ones44, power, block] = [
    register(),
    register(),
    register(),
    register(),
    register(),
    register(),
  ]

  /** out = high followed by `width` more bits, those of low. */
  const join = (out: Address, high: Address, low: Address, width: number): void => {
    for (let i = 0; i < width; i++) machine.multiply(block, i === 0 ? high : block, i === 0 ? high : block)
    machine.multiply(out, block, low)
  }

  return (out, a) => {
    join(ones2, a, a, 1)
    join(ones3, ones2, a, 1)
    join(power, ones3, ones3, 3)
    join(power, power, ones3, 3)
    join(power, power, ones2, 2)
    join(ones22, power, power, 11)
    join(ones44, ones22, ones22, 22)
    join(power, ones44, ones44, 44)
    join(power, power, power, 88)
    join(power, power, ones44, 44)
    join(power, power, ones3, 3)
    join(power, power, ones22, 23)
    join(power, power, a, 5)
    join(power, power, ones2, 3)
    join(out, power, a, 2)
  }
}
