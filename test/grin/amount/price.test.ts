// Prices as an operator types them. Vectors: test/vectors/names/amounts.json.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatGrin, nanoGrin, parsePrice } from '../../../src/grin/amount/index.js'
import { parseExact } from '../../../src/lib/exact-json.js'
import { vectorText } from '../../support/vectors.js'

/** The largest amount is beyond what JSON.parse keeps. */
const { valid, invalid } = parseExact(vectorText('names/amounts.json')) as {
  valid: { grin: string; nanogrin: number | bigint; formatted: string }[]
  invalid: string[]
}

test.each(valid)('"$grin" GRIN are $nanogrin nanogrin, written $formatted', ({ grin, nanogrin, formatted }) => {
  expect(parsePrice(grin)).toBe(BigInt(nanogrin))
  expect(formatGrin(parsePrice(grin))).toBe(formatted)
})

test.each(invalid)('"%s" is no price', (text) => expect(() => parsePrice(text)).toThrow(RangeError))

test('every amount is read as it is written', () => {
  fc.assert(fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (n) => parsePrice(formatGrin(nanoGrin(n))) === n))
})
