import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createShuffle, KeyTable } from '../../../../src/storage/events/staging/key-table.js'
import { NO_EVENTS } from '../../../../src/storage/events/staging/postings.js'

const HALF = 2 ** 47
const put = (table: KeyTable, key: number, list: number): void => table.put(table.claim(key), list)

test('a table answers as a map does, whatever was put and emptied', () => {
  const keys = fc.oneof(fc.integer({ min: -HALF, max: HALF - 1 }), fc.integer({ min: -40, max: 40 }))
  const lists = fc.oneof(fc.integer({ min: -(2 ** 31) + 1, max: 2 ** 31 - 2 }), fc.constant(NO_EVENTS))
  fc.assert(
    fc.property(fc.array(fc.tuple(keys, lists), { maxLength: 2000 }), (steps) => {
      const table = new KeyTable()
      const map = new Map<number, number>()
      for (const [key, list] of steps) {
        put(table, key, list)
        map.set(key, list)
      }
      for (const [key, list] of map) expect(table.get(key)).toBe(list)
      expect(table.get(HALF)).toBe(NO_EVENTS)
    }),
  )
})

test('a hundred thousand keys grow the table, and keys of empty lists leave it', () => {
  const table = new KeyTable()
  for (let key = 0; key < 100_000; key++) put(table, key * 99_991, key)
  let wrong = 0
  for (let key = 0; key < 100_000; key++) if (table.get(key * 99_991) !== key) wrong++
  expect(wrong).toBe(0)
  for (let key = 0; key < 100_000; key++) put(table, key * 99_991, NO_EVENTS)
  expect(table.capacity).toBeGreaterThan(200_000)
  for (let key = 1; key < 200_000; key++) {
    put(table, -key, key)
    put(table, -key, NO_EVENTS)
  }
  expect(table.capacity).toBeLessThan(5000)
})

/** Keys that lie side by side in a table without a secret. */
function chosenKeys(count: number): readonly number[] {
  const table = new KeyTable()
  const keys: number[] = []
  for (let key = 2 ** 40; keys.length < count; key++) if (table.slotOf(key) < 4) keys.push(key)
  return keys
}

test('keys that were chosen to lie side by side are scattered by any secret', () => {
  const chosen = chosenKeys(500)
  const longest = (keys: readonly number[]): number => {
    const table = new KeyTable()
    return Math.max(...keys.map((key) => table.claim(key) - table.slotOf(key)))
  }
  // In a table of their own they would be compared with all of those before them.
  expect(longest(chosen)).toBeGreaterThan(400)
  const secrets = fc.uint8Array({ minLength: 16, maxLength: 16 })
  fc.assert(
    fc.property(secrets, (secret) => longest(chosen.map(createShuffle(secret))) < 60),
    { numRuns: 100 },
  )
})
