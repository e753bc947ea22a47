// All chance of a world from one seed. Every actor draws from a stream of its own, so that leaving one out does not change the others.
import { createHash } from 'node:crypto'

export interface Chance {
  /** From 0 to 1, without 1. */
  number(): number
  /** A whole number, both ends included. */
  whole(least: number, most: number): number
  /** True with this probability. */
  is(probability: number): boolean
  pick<T>(choices: readonly T[]): T
  /** By weight; weights are positive. */
  weighted<T extends string>(weights: Readonly<Record<T, number>>): T
  /** Exponential, at most eight times its mean. */
  around(mean: number): number
  bytes(length: number): Uint8Array
  uuid(): string
  /** The stream of this name. */
  stream(name: string): Chance
}

export function createChance(seed: string): Chance {
  const digest = createHash('sha256').update(seed).digest()
  let [a, b, c, d] = [0, 4, 8, 12].map((at) => digest.readUInt32LE(at)) as [number, number, number, number]

  /** xoshiro128**: 32 bits. */
  function next(): number {
    const scrambled = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = rotate(d, 11)
    return scrambled
  }

  const number = () => next() / 2 ** 32
  const whole = (least: number, most: number) => least + Math.floor(number() * (most - least + 1))
  const chance: Chance = {
    number,
    whole,
    is: (probability) => number() < probability,
    pick: (choices) => choices[whole(0, choices.length - 1)] as (typeof choices)[number],
    weighted(weights) {
      const rows = Object.entries<number>(weights)
      let left = number() * rows.reduce((total, [, weight]) => total + weight, 0)
      for (const [name, weight] of rows) {
        left -= weight
        if (left < 0) return name as keyof typeof weights
      }
      throw new RangeError('no weights')
    },
    around: (mean) => Math.min(8 * mean, -Math.log(1 - number()) * mean),
    bytes(length) {
      const bytes = Buffer.alloc(Math.ceil(length / 4) * 4)
      for (let at = 0; at < length; at += 4) bytes.writeUInt32LE(next(), at)
      return new Uint8Array(bytes.subarray(0, length))
    },
    uuid() {
      const bytes = Buffer.from(chance.bytes(16))
      bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
      bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
      return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    },
    stream: (name) => createChance(`${seed}/${name}`),
  }
  return chance
}

const rotate = (value: number, by: number): number => ((value << by) | (value >>> (32 - by))) >>> 0
