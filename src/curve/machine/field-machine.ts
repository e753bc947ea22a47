// An instance of field-code.ts with the memory of its numbers. Own code, because a range proof or signature takes thousands of products,
// and JavaScript curve libraries compute them with BigInt, which takes seven times as long.
import { type Affine, modP, P } from '../field.js'
import { createInverse } from '../powers.js'
import { assemble } from './assembler.js'
import { fieldRoutines, LIMB_BITS, LIMBS, NUMBER_BYTES, SCRATCH_BYTES } from './field-code.js'
import {
  type Address,
  createWordMemory,
  FIRST_PAGES,
  type WebAssemblyApi,
  type WebAssemblyMemory,
} from './word-memory.js'

declare const WebAssembly: WebAssemblyApi

type Binary = (out: Address, a: Address, b: Address) => void
type Ternary = (out: Address, a: Address, b: Address, c: Address) => void

const LOWEST_OF_P = Number(P & ((1n << BigInt(LIMB_BITS)) - 1n))
const LIMB_MASK = (1n << BigInt(LIMB_BITS)) - 1n

function instantiate(memory: WebAssemblyMemory): Record<string, unknown> {
  const code = assemble(fieldRoutines(0), FIRST_PAGES)
  return new WebAssembly.Instance(new WebAssembly.Module(code), { env: { memory } }).exports
}

/** A routine of the module; anything else under that name is a bug. */
function routine<T extends Binary | Ternary>(exports: Record<string, unknown>, name: string): T {
  const found = exports[name]
  if (typeof found !== 'function') throw new Error(`no routine ${name}`)
  return found as T
}

/** Field arithmetic on numbers in its own memory. Takes constant time, except `isZero` and `read`. */
export function createFieldMachine() {
  const { memory, words, allocate, borrow } = createWordMemory(SCRATCH_BYTES)
  const exports = instantiate(memory)

  /** Stores a number in [0, p). */
  function write(address: Address, value: bigint): void {
    const to = words()
    let rest = value
    for (let i = 0; i < LIMBS; i++, rest >>= BigInt(LIMB_BITS)) to[address / 4 + i] = Number(rest & LIMB_MASK)
  }

  /** The number modulo p, in [0, p). */
  function read(address: Address): bigint {
    const from = words()
    let value = 0n
    for (let i = LIMBS - 1; i >= 0; i--) value = (value << BigInt(LIMB_BITS)) + BigInt(from[address / 4 + i] ?? 0)
    return modP(value)
  }

  const multiply = routine<Binary>(exports, 'multiply')

  return {
    allocate,
    borrow,
    write,
    read,
    /** Whether a product is 0 modulo p. The lowest limb decides, except with probability 2^-28. */
    isZero(product: Address): boolean {
      const low = words()[product / 4]
      return (low === 0 || low === LOWEST_OF_P) && read(product) === 0n
    },
    writePoint(address: Address, { x, y }: Affine): void {
      write(address, x)
      write(address + NUMBER_BYTES, y)
    },
    add: routine<Binary>(exports, 'add'),
    subtract: routine<Binary>(exports, 'subtract'),
    multiply,
    /** 1/a; 0 for 0. */
    invert: createInverse({ allocate, multiply }),
    /** a * b - c */
    multiplySubtract: routine<Ternary>(exports, 'multiplySubtract'),
    /** The third point on the line with this slope through two points, mirrored: their sum. */
    chord: routine<Ternary>(exports, 'chord'),
    /** The point with this x and y, and its negative. */
    join: routine<Binary>(exports, 'join'),
    joinNegated: routine<Binary>(exports, 'joinNegated'),
  }
}

export type FieldMachine = ReturnType<typeof createFieldMachine>

// Adds many pairs of affine points with one inversion (Montgomery's trick).
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
