// Any text on the command line is a value or a USAGE error.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseAmount, parseDuration, parseMilliseconds, parseMoment } from '../../src/cli/values.js'
import { formatGrin, nanoGrin } from '../../src/grin/amount/index.js'
import { GrinpayError } from '../../src/lib/errors.js'

test('of durations, amounts and moments', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.stringMatching(/^\d{0,22}(ms|[smhdw])?$/),
    fc.stringMatching(/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)?)?$/),
  )
  const readers = [
    parseDuration,
    parseMilliseconds,
    parseMoment,
    (text: string) => parseAmount(text, true),
    (text: string) => parseAmount(text, false),
  ]
  fc.assert(
    fc.property(texts, fc.constantFrom(...readers), (text, read) => {
      try {
        read(text)
      } catch (error) {
        expect(error).toBeInstanceOf(GrinpayError)
      }
    }),
    { numRuns: 2000 },
  )
})

test('every amount an invoice may have survives printing and reading', () => {
  const amounts = fc.bigInt({ min: 1n, max: 2n ** 53n - 1n })
  fc.assert(
    fc.property(amounts, (n) => parseAmount(formatGrin(nanoGrin(n)), false) === n && parseAmount(`${n}`, true) === n),
  )
})
