import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimalText, decimalUnits, divideHalfUp } from '../../src/lib/decimal.js'
import { parseExact } from '../../src/lib/parse-json.js'
import { vectorText } from '../support/vectors.js'

/** Amounts in GRIN as the operator of a name authority may type them. The largest is beyond what JSON.parse keeps. */
const { valid, invalid } = parseExact(vectorText('names/amounts.json')) as {
  valid: { grin: string; nanogrin: number | bigint; formatted: string }[]
  invalid: string[]
}

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

test.each(valid)('"$grin" is $nanogrin units of 10^-9, in plain form $formatted', ({ grin, nanogrin, formatted }) => {
  const units = decimalUnits(grin, 9)
  expect(units).toBe(BigInt(nanogrin))
  expect(decimalText(units ?? -1n, 9)).toBe(formatted)
})

test.each(invalid)('"%s" is no amount of GRIN', (text) => {
  expect(decimalUnits(text, 9) ?? 2n ** 64n).toBeGreaterThan(2n ** 64n - 1n)
})

test('every number of units is read as it is written', () => {
  const [units, decimals] = [fc.bigInt({ min: 0n, max: 2n ** 80n }), fc.integer({ min: 1, max: 12 })]
  fc.assert(fc.property(units, decimals, (n, d) => decimalUnits(decimalText(n, d), d) === n))
})
