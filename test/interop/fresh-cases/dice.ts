// Random values of one case, decided by a text: the same text gives the same values.
import { createHash } from 'node:crypto'
import { fromHex, toHex } from '../../../src/lib/bytes.js'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const U64 = 2n ** 64n
const EDGES = [0n, 1n, 2n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 40n - 1n, 2n ** 40n, 2n ** 63n, U64 - 1n]

export type Dice = ReturnType<typeof createDice>

export function createDice(seed: string) {
  let [count, pool] = [0, Buffer.alloc(0)]

  function bytes(length: number): Uint8Array {
    while (pool.length < length) {
      const next = createHash('sha512').update(`${seed}/${count++}`).digest()
      pool = Buffer.concat([pool, next])
    }
    const taken = new Uint8Array(pool.subarray(0, length))
    pool = pool.subarray(length)
    return taken
  }

  const integer = (length: number): bigint => BigInt(`0x${toHex(bytes(length))}`)
  /** 0 … bound - 1. */
  const below = (bound: number): number => Number(integer(7) % BigInt(bound))
  const chance = (share: number): boolean => below(1_000_000) < share * 1_000_000
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!

  /** A u64: an edge, or every magnitude alike. */
  const u64 = (): bigint => (chance(0.15) ? pick(EDGES) : integer(8) >> BigInt(below(64)))
  const scalar = (): bigint => (chance(0.03) ? pick([1n, 2n, ORDER - 1n]) : 1n + (integer(40) % (ORDER - 1n)))

  return {
    bytes,
    below,
    chance,
    pick,
    u64,
    hex: (length: number): string => toHex(bytes(length)),
    /** 1 … most. */
    upTo: (most: number): number => 1 + below(most),
    /** 0 … bound - 1. */
    bigBelow: (bound: bigint): bigint => integer(16) % bound,
    /** Nanogrin that somebody could send: 1 … 10^15. */
    amount: (): bigint => 1n + ((integer(8) >> BigInt(below(60))) % 10n ** 15n),
    /** A secret key, 32 bytes. */
    secret: (): Uint8Array => fromHex(scalar().toString(16).padStart(64, '0')),
    /** A child number: an edge or any, below `bound`. */
    child: (bound = 2 ** 31): number =>
      chance(0.2) ? pick([0, 1, 2 ** 31 - 1, bound - 1]) : below(chance(0.5) ? 1000 : bound),
    many: <T>(length: number, make: () => T): T[] => Array.from({ length }, make),
    uuid: (): string => toHex(bytes(16)).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    shuffled: <T>(list: readonly T[]): T[] =>
      list
        .map((one) => ({ one, at: integer(6) }))
        .sort((a, b) => (a.at < b.at ? -1 : 1))
        .map(({ one }) => one),
  }
}

/** Changes one place of some bytes: a bit, a byte, a cut, an extra byte, a stretch of zeros. */
export function damaged(dice: Dice, bytes: Uint8Array, mayResize = true): Uint8Array {
  const out = new Uint8Array(bytes)
  const at = dice.below(out.length)
  switch (dice.below(mayResize ? 6 : 4)) {
    case 0:
    case 1:
      out[at]! ^= 1 << dice.below(8)
      return out
    case 2:
      out[at] = dice.below(256)
      return out
    case 3:
      return out.fill(dice.pick([0, 255]), at, at + dice.upTo(32))
    case 4:
      return out.slice(0, at)
    default:
      return new Uint8Array([...out.subarray(0, at), dice.below(256), ...out.subarray(at)])
  }
}
