import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimalText, divideHalfUp } from '../../src/lib/decimal.js'

test.each([
  [0n, 3, '0'],
  [5n, 3, '0.005'],
  [1500n, 3, '1.5'],
  [1000n, 3, '1'],
  [100_000n, 3, '100'],
])('%s units of 10^-%s are %s', (units, decimals, text) => expect(decimalText(units, decimals)).toBe(text))

test.each([
  [5n, 10n, 1n],
  [4n, 10n, 0n],
  [15n, 10n, 2n],
  [7n, 7n, 1n],
])('%s / %s is %s', (numerator, denominator, nearest) => expect(divideHalfUp(numerator, denominator)).toBe(nearest))

test('the nearest integer is never more than half away', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 80n }), fc.bigInt({ min: 1n, max: 2n ** 80n }), (n, d) => {
      const twice = 2n * (divideHalfUp(n, d) * d - n)
      return twice <= d && twice > -d
    }),
  )
})
