// Amounts as people write them. Vectors: test/vectors/pay/amounts.json.
import { expect, test } from 'vitest'
import { formatGrin, nanoGrin, parseGrin } from '../../../src/grin/amount/index.js'
import { vectors } from '../../support/vectors.js'

const { nanogrin_to_grin: pairs } = vectors('pay/amounts.json')

test.each<{ nanogrin: string; grin: string }>(pairs)('$nanogrin nanogrin are $grin GRIN', ({ nanogrin, grin }) => {
  expect(formatGrin(nanoGrin(BigInt(nanogrin)))).toBe(grin)
  expect(parseGrin(grin)).toBe(BigInt(nanogrin))
})

test.each(['', '.5', '1.', '01', '-1', '+1', '1e3', '1,5', ' 1', '0.0000000001', '18446744073.709551616'])(
  '"%s" is no amount',
  (text) => expect(() => parseGrin(text)).toThrow(RangeError),
)

test.each([-1n, 2n ** 64n])('%d nanogrin are no amount', (value) => expect(() => nanoGrin(value)).toThrow(RangeError))
