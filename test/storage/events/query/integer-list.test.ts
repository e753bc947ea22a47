import fc from 'fast-check'
import { expect, test } from 'vitest'
import { integerList } from '../../../../src/storage/events/query/disk.js'

test('lists of integers are the JSON that they would be otherwise', () => {
  for (const values of [[], [0], [1, -1], [99_999_999, 100_000_000, -100_000_001], [2 ** 47, -(2 ** 47)]])
    expect(integerList(values)).toBe(JSON.stringify(values))
  fc.assert(fc.property(fc.array(fc.maxSafeInteger()), (values) => integerList(values) === JSON.stringify(values)))
})
