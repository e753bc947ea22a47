// Randomness that a seed decides: the same seed makes the same events anywhere.
import { createCipheriv, createHash } from 'node:crypto'

const BLOCK = 1 << 20

export interface Source {
  /** A view that stays as it is. */
  bytes(length: number): Buffer
  /** 0 <= x < 1. */
  unit(): number
  /** 0 <= x < below. */
  integer(below: number): number
  pick<T>(list: readonly T[]): T
  chance(share: number): boolean
}

export function createSource(seed: string): Source {
  const key = createHash('sha256').update(seed).digest()
  const stream = createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
  const zeros = Buffer.alloc(BLOCK)
  let block = stream.update(zeros)
  let at = 0

  function bytes(length: number): Buffer {
    if (at + length > block.length) {
      block = stream.update(zeros)
      at = 0
    }
    at += length
    return block.subarray(at - length, at)
  }

  const unit = (): number => bytes(6).readUIntBE(0, 6) / 2 ** 48
  const integer = (below: number): number => Math.floor(unit() * below)
  return {
    bytes,
    unit,
    integer,
    pick: (list) => list[integer(list.length)]!,
    chance: (share) => unit() < share,
  }
}

/** Busy accounts: of `count`, the first ones thousands of times, most of them a handful of times. */
export const busyIndex = (source: Source, count: number): number => Math.floor(count ** source.unit()) - 1
