import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstKeyIndexAt, RESTORE_SKIP, restoredKeyIndexAt } from '../../src/daemons/parts/pay/key-counter.js'

test('a till started later hands out higher keys, one for each second between', () => {
  expect(firstKeyIndexAt(Date.UTC(2020, 0, 1))).toBe(0)
  expect(firstKeyIndexAt(Date.UTC(2026, 10, 21))).toBe(217_382_400)
})

test('whatever the clock says, the index fits, and plenty are left', () => {
  fc.assert(
    fc.property(fc.integer(), (now) => {
      const index = firstKeyIndexAt(now)
      return Number.isInteger(index) && index >= 0 && index < 2 ** 31 - 2 ** 25
    }),
  )
})

const moments = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2045, 0, 1) })

test('a till goes on behind every key that may have been used since its database was last looked at, one for each second', () => {
  const at = Date.UTC(2026, 10, 21)
  expect(firstKeyIndexAt(at + 5000, { next: 300_000_000, at })).toBe(300_000_005)
  expect(firstKeyIndexAt(at + 5000, { next: 7, at })).toBe(217_382_405)
})

test('a restored till leaves out every key of the lost one, however fast it was and whatever the clock says', () => {
  const used = fc.integer({ min: 0, max: RESTORE_SKIP })
  const index = fc.integer({ min: 0, max: 1_500_000_000 })
  fc.assert(
    fc.property(
      moments,
      moments,
      index,
      used,
      fc.uint8Array({ minLength: 3, maxLength: 3 }),
      (at, now, next, n, chance) => {
        expect(restoredKeyIndexAt(now, { next, at }, chance)).toBeGreaterThan(next + n - 1)
      },
    ),
  )
})

test('after a restore the next start, and a copy of the restored till, go on behind it as well', () => {
  fc.assert(
    fc.property(moments, fc.nat(1_000_000_000), fc.nat(50_000), (now, next, seconds) => {
      const restored = restoredKeyIndexAt(now, { next, at: now }, new Uint8Array(3))
      const later = now + seconds * 1000
      expect(firstKeyIndexAt(later, { next: restored, at: now })).toBeGreaterThanOrEqual(restored + seconds)
    }),
  )
})

test('sixty restores in a row find room', () => {
  const now = Date.UTC(2030, 0, 1)
  let next = firstKeyIndexAt(now)
  for (let round = 0; round < 60; round++)
    next = restoredKeyIndexAt(now, { next, at: now }, new Uint8Array([255, 255, 255]))
  expect(next).toBeLessThan(2 ** 31)
})
