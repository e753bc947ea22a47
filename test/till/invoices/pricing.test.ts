// Exact decimal prices. Vectors: test/vectors/pay/amounts.json.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nanoGrin } from '../../../src/grin/amount/index.js'
import { fiatAmountFault, formatRate, nanogrinFor, parseDecimal } from '../../../src/till/invoices/pricing.js'
import { displayAmount } from '../../../src/till/routes/print.js'
import { vectors } from '../../support/vectors.js'

const { fiat_to_nanogrin, rate_string, display } = vectors('pay/amounts.json')

describe('fiat to nanogrin', () => {
  test.each<{ fiat: string; rate_fiat_per_grin: string; nanogrin_exact_half_up: string }>(fiat_to_nanogrin)(
    '$fiat at $rate_fiat_per_grin is $nanogrin_exact_half_up',
    ({ fiat, rate_fiat_per_grin, nanogrin_exact_half_up }) => {
      expect(nanogrinFor(fiat, rate_fiat_per_grin)).toBe(BigInt(nanogrin_exact_half_up))
    },
  )

  test('halves go up, anything less down', () => {
    expect(nanogrinFor('0.5', '1000000000')).toBe(1n)
    expect(nanogrinFor('0.49999', '1000000000')).toBe(0n)
    expect(nanogrinFor('1.5', '1000000000')).toBe(2n)
  })

  test('the price times the rate is never off by more than half a nanogrin', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 14n }), fc.bigInt({ min: 1n, max: 10n ** 14n }), (cents, rate) => {
        const text = (n: bigint, decimals: number) => {
          const padded = n.toString().padStart(decimals + 1, '0')
          return `${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`
        }
        const price = nanogrinFor(text(cents, 2), text(rate, 10))
        const error = price * rate * 100n - cents * 10n ** 19n
        return (error < 0n ? -error : error) * 2n <= rate * 100n
      }),
    )
  })

  test('a rate of zero and texts that are no numbers are refused', () => {
    for (const [fiat, rate] of [
      ['1', '0'],
      ['1', '0.000'],
      ['1', '-1'],
      ['1', '1e3'],
      ['', '1'],
      ['1.', '1'],
    ] as const)
      expect(() => nanogrinFor(fiat, rate)).toThrow(RangeError)
    expect(() => parseDecimal('9'.repeat(31))).toThrow(RangeError)
  })
})

interface Shown {
  readonly expected_amount: string
  readonly fiat_amount: string | null
  readonly currency: string | null
  readonly display: string
}
test.each<Shown>(display)(
  'an invoice reads "$display"',
  ({ expected_amount, fiat_amount, currency, display: text }) => {
    const quote = { rate: '1', source: 'fixed' }
    const fiat = fiat_amount === null || currency === null ? null : { ...quote, amount: fiat_amount, currency }
    expect(displayAmount({ amount: nanoGrin(BigInt(expected_amount)), fiat })).toBe(text)
  },
)

describe('rates', () => {
  test.each<[string, string]>(rate_string)('%s is kept as %s', (rate, text) => expect(formatRate(rate)).toBe(text))

  test('at most ten decimals, halves up', () => {
    expect(formatRate('0.00000000005')).toBe('0.0000000001')
    expect(formatRate('0.00000000004')).toBe('0')
    expect(formatRate('123')).toBe('123')
    expect(formatRate('0.99999999999')).toBe('1')
  })
})

test.each([
  ['12.50', undefined],
  [' 12.50 ', undefined],
  ['999999999999.123456789012345678', undefined],
  ['3.3000000000000003', undefined],
  ['1000000000000', 'it has more than 12 digits before the point'],
  ['1.1234567890123456789', 'it has more than 18 decimals'],
  ['.5', 'it has no digit before the point'],
  ['5.', 'it has no digit after the point'],
  ['+5', 'it has a sign'],
  ['-5', 'it has a sign'],
  ['1e3', 'it has an exponent: write all digits'],
  ['1.5E-7', 'it has an exponent: write all digits'],
  ['0.00', 'it is zero'],
  ['NaN', 'it is not digits with at most one point, such as 12.50'],
  ['1.2.3', 'it is not digits with at most one point, such as 12.50'],
  ['1,5', 'it has a comma: write a point, and nothing between thousands'],
  ['1,000.50', 'it has a comma: write a point, and nothing between thousands'],
  ['', 'it is empty'],
])('fiat amount "%s": %s', (text, fault) => expect(fiatAmountFault(text)).toBe(fault))

test('a price of more than eight decimals is rounded up to a nanogrin, a shorter one to the nearest', () => {
  expect(nanogrinFor('3.3000000000000003', '0.03')).toBe(110_000_000_001n)
  expect(nanogrinFor('3.300000000000000000', '0.03')).toBe(110_000_000_000n)
  expect(nanogrinFor('0.000000000000000001', '1')).toBe(1n)
  expect(nanogrinFor('1', '3')).toBe(333_333_333n)
})
