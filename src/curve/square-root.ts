// Square roots and the residue rule (specification: grin-crypto 1.1).
import { P } from './field.js'
import { NUMBER_BYTES } from './machine/field-code.js'
import { createFieldMachine } from './machine/field-machine.js'
import type { Address } from './machine/word-memory.js'

/** Raises to (p+1)/4. That exponent in binary is 223 ones, 0, 22 ones, 0000, 11, 00: blocks of ones are joined. */
function createRoot(): (a: bigint) => bigint {
  const machine = createFieldMachine()
  const register = (): Address => machine.allocate(NUMBER_BYTES)
  const [ones1, ones2, ones3, ones22, ones44, power, block] = [
    register(),
    register(),
    register(),
    register(),
    register(),
    register(),
    register(),
  ]

  const square = (out: Address, from: Address, times: number): void => {
    for (let i = 0; i < times; i++) machine.multiply(out, i === 0 ? from : out, i === 0 ? from : out)
  }
  /** out = high followed by `width` more bits, those of low. */
  const join = (out: Address, high: Address, low: Address, width: number): void => {
    square(block, high, width)
    machine.multiply(out, block, low)
  }

  return (a) => {
    machine.write(ones1, a)
    join(ones2, ones1, ones1, 1)
    join(ones3, ones2, ones1, 1)
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
    join(power, power, ones2, 6)
    square(power, power, 2)
    return machine.read(power)
  }
}

let raise: ((a: bigint) => bigint) | undefined

/** For a square `a` in [0, p) the root that is itself a square; otherwise a number whose square is not `a`. */
export function root(a: bigint): bigint {
  raise ??= createRoot()
  return raise(a)
}

/** Whether `a` (in [1, p)) is a square modulo p. */
export function isResidue(a: bigint): boolean {
  const candidate = root(a)
  return (candidate * candidate) % P === a
}
