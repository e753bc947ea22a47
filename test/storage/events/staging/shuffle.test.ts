import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createShuffle } from '../../../../src/storage/events/staging/key-table.js'

const HALF = 2 ** 47
const LOW_64 = 2n ** 64n - 1n
const ROOM = new DataView(new ArrayBuffer(8))

/** What the engine makes of a number that is a key of a map: the same in every process. */
function hashOfEngine(number: number): number {
  ROOM.setFloat64(0, number)
  let hash = ROOM.getBigUint64(0)
  hash = (~hash + (hash << 18n)) & LOW_64
  hash ^= hash >> 31n
  hash = (hash * 21n) & LOW_64
  hash ^= hash >> 11n
  hash = (hash + (hash << 6n)) & LOW_64
  hash ^= hash >> 22n
  return Number(hash & 0x3fffffffn)
}

const BUCKETS = 256
const bucketsOf = (keys: readonly number[]): number => new Set(keys.map((key) => hashOfEngine(key) % BUCKETS)).size

function colliding(count: number): readonly number[] {
  const keys: number[] = []
  for (let key = 2 ** 40; keys.length < count; key++) if (hashOfEngine(key) % BUCKETS === 0) keys.push(key)
  return keys
}

test('keys that were chosen to lie in one place of a map do not lie there together, under any secret', () => {
  const keys = colliding(500)
  expect(bucketsOf(keys)).toBe(1)
  const secrets = fc.uint8Array({ minLength: 16, maxLength: 16 })
  fc.assert(
    fc.property(secrets, (secret) => bucketsOf(keys.map(createShuffle(secret))) > BUCKETS / 2),
    { numRuns: 50 },
  )
})

test('every key has one of its own, of 48 bits', () => {
  const keys = fc.uniqueArray(fc.integer({ min: -HALF, max: HALF - 1 }), { minLength: 2, maxLength: 300 })
  const secrets = fc.uint8Array({ minLength: 16, maxLength: 16 })
  fc.assert(
    fc.property(keys, secrets, (all, secret) => {
      const shuffled = all.map(createShuffle(secret))
      expect(new Set(shuffled).size).toBe(all.length)
      for (const one of shuffled) expect(one >= -HALF && one < HALF && Number.isInteger(one)).toBe(true)
    }),
  )
})
