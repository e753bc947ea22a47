// What a shop asks for and what a payer writes, read by the till's own rules.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GrinpayError } from '../../src/lib/errors.js'
import { fiatAmountFault, formatRate, parseDecimal } from '../../src/till/invoices/pricing.js'
import { cleanNote, termsOf } from '../../src/till/invoices/terms.js'
import { createInvoiceBody, createInvoiceOf } from '../../src/till/routes/requests.js'
import { openTill } from '../support/till-parts.js'

describe('a request for an invoice', () => {
  const { till } = openTill()
  const member = fc.oneof(
    fc.anything(),
    fc.string({ unit: 'binary' }),
    fc.integer(),
    fc.constantFrom('usd', 'memo', '1.5'),
  )
  const names = [
    'amount_grin',
    'amount_fiat',
    'currency',
    'order_ref',
    'memo',
    'match_mode',
    'expiry_secs',
    '__proto__',
  ]

  test('whatever it holds, its terms are within bounds or it is a 400', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), member), (body) => {
        const checked = createInvoiceBody.safeParse(body)
        if (!checked.success) return
        try {
          const { price, orderRef, memo, expirySecs } = termsOf(createInvoiceOf(checked.data), till.settings)
          if ('exact' in price) expect(price.exact >= 1n && price.exact < 2n ** 53n).toBe(true)
          expect(Array.from(orderRef ?? '').length).toBeLessThanOrEqual(255)
          expect(`${orderRef ?? ''}${memo ?? ''}`).not.toMatch(/\p{Cc}/u)
          expect(expirySecs ?? 60).toBeGreaterThanOrEqual(60)
        } catch (error) {
          expect(error).toBeInstanceOf(GrinpayError)
          if (error instanceof GrinpayError) expect(error.status).toBe(400)
        }
      }),
      { numRuns: 1000 },
    )
  })
})

describe('texts', () => {
  test('a cleaned note is one safe line of at most 256 characters, and cleaning it again changes nothing', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 600 }),
      fc.string({ unit: 'grapheme', maxLength: 600 }),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const note = cleanNote(text)
        if (note === null) return
        expect(note).not.toMatch(/[\p{Cc}\p{Cs}\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\u2028\u2029]/u)
        expect(Array.from(note).length).toBeLessThanOrEqual(256)
        expect(cleanNote(note)).toBe(note)
      }),
    )
  })

  test('any text is a decimal number or a RangeError; a fiat amount is one that is more than nothing', () => {
    const texts = fc.oneof(fc.string(), fc.stringMatching(/^ ?[+-]?[0-9.eE]{0,40} ?$/), fc.double().map(String))
    fc.assert(
      fc.property(texts, (text) => {
        if (fiatAmountFault(text) === undefined) expect(parseDecimal(text.trim()).digits > 0n).toBe(true)
        try {
          expect(formatRate(formatRate(text))).toBe(formatRate(text))
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError)
        }
      }),
      { numRuns: 1000 },
    )
  })
})
