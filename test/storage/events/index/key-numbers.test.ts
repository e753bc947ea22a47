import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  firstPlaceOf,
  LAST_TIME,
  lastPlaceOf,
  placeInTime,
  prefixOf,
  tagHash,
} from '../../../../src/storage/events/index/index-keys.js'

const seconds = fc.integer({ min: 0, max: LAST_TIME })
const ids = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex'))
const SIX_BYTES = 2 ** 47

test('places are ordered like lists: newest first, of one second the lowest id', () => {
  fc.assert(
    fc.property(seconds, ids, seconds, ids, (at, id, otherAt, otherId) => {
      const [place, other] = [placeInTime(at, id), placeInTime(otherAt, otherId)]
      const [tie, otherTie] = [id.slice(0, 4), otherId.slice(0, 4)]
      expect(place > other).toBe(at > otherAt || (at === otherAt && tie < otherTie))
    }),
  )
})

test('a second holds its places and no others', () => {
  fc.assert(
    fc.property(seconds, ids, (at, id) => {
      expect(placeInTime(at, id)).toBeGreaterThanOrEqual(firstPlaceOf(at))
      expect(placeInTime(at, id)).toBeLessThanOrEqual(lastPlaceOf(at))
      expect(lastPlaceOf(at)).toBe(firstPlaceOf(at + 1) - 1)
    }),
  )
})

test('every key fits into six bytes with a sign', () => {
  expect(firstPlaceOf(0)).toBe(-SIX_BYTES)
  expect(lastPlaceOf(LAST_TIME)).toBe(SIX_BYTES - 1)
  expect([prefixOf('0'.repeat(64)), prefixOf('f'.repeat(64))]).toEqual([-SIX_BYTES, SIX_BYTES - 1])
})

test('a prefix is the number that the first twelve digits are', () => {
  fc.assert(fc.property(ids, (id) => prefixOf(id) === Number.parseInt(id.slice(0, 12), 16) - SIX_BYTES))
})

test('tags differ by letter and by value', () => {
  expect(new Set([tagHash('e', 'x'), tagHash('p', 'x'), tagHash('e', 'y'), tagHash('ex', '')]).size).toBe(4)
})
