// Powers with fixed exponents, in constant time. Inverse and square root share most products.
import { NUMBER_BYTES } from './machine/field-code.js'
import type { Address } from './machine/word-memory.js'

// 1/a by Fermat's little theorem, in constant time. Euclid's algorithm with BigInt takes three times as long.
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

/** The part of the field machine that powers need. */
export interface Multiplier {
  allocate(bytes: number): Address
  multiply(out: Address, a: Address, b: Address): void
}

export interface Powers {
  /** a to the exponent 11 in binary; after `begin`. */
  readonly ones2: Address
  /** power = a to the exponent that both p - 2 and (p+1)/4 begin with: 223 ones, a zero, 22 ones in binary. */
  begin(power: Address, a: Address): void
  /** out = from, squared `times` times. */
  square(out: Address, from: Address, times: number): void
  /** out = high followed by `width` more bits of the exponent, those of low. */
  join(out: Address, high: Address, low: Address, width: number): void
}

export function createPowers(machine: Multiplier): Powers {
  const register = (): Address => machine.allocate(NUMBER_BYTES)
  const [ones2, ones3, ones22, ones44, block] = [register(), register(), register(), register(), register()]

  function square(out: Address, from: Address, times: number): void {
    for (let i = 0; i < times; i++) machine.multiply(out, i === 0 ? from : out, i === 0 ? from : out)
  }

  function join(out: Address, high: Address, low: Address, width: number): void {
    square(block, high, width)
    machine.multiply(out, block, low)
  }

  return {
    ones2,
    square,
    join,
    begin(power, a) {
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
    },
  }
}
