import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstKeyIndexAt } from '../../src/daemons/parts/key-counter.js'

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
