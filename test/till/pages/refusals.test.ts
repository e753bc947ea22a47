// Every refusal that a payer's page can show has a text in every language, and the page in that language shows it and no English.
import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { S1_RULES } from '../../../src/grin/receive/rules.js'
import * as slateErrors from '../../../src/grin/slate/errors.js'
import * as slatepackErrors from '../../../src/grin/slatepack/errors.js'
import { badForm } from '../../../src/http/errors.js'
import { type ErrorFactory, GrinpayError, hinting } from '../../../src/lib/errors.js'
import { workersBusy } from '../../../src/prover/errors.js'
import * as tillErrors from '../../../src/till/errors.js'
import { refusalIn } from '../../../src/till/pages/refusals.js'
import { LANGUAGES, type Language, REFUSAL_LANGUAGES, translatorOf } from '../../../src/till/pages/texts/index.js'
import { REFUSAL_CODES } from '../../../src/till/pages/texts/refusals.js'
import { FINISH_FIRST, NOTHING_MORE, STILL_COUNTS } from '../../../src/till/payments/slate-states.js'
import { createFakeTill } from '../../support/fake-till.js'
import { tillApp } from '../../support/till-app.js'
import { grin } from '../../support/till-builders.js'

/** Of the API, the command line and other rails; no page of a payer meets them, or it has a page of its own (404). */
const NOT_FOR_PAYERS = new Set([
  'IDENTITY_NOT_LOADED',
  'RECEIPT_UNAVAILABLE',
  'AMOUNT_MISSING',
  'AMOUNT_TWICE',
  'FIAT_AMOUNT_INVALID',
  'CURRENCY_NOT_ENABLED',
  'MATCH_MODE_INVALID',
  'ORDER_REF_INVALID',
  'RETURN_URL_INVALID',
  'EXPIRY_INVALID',
  'DISK_FULL',
  'IDEMPOTENCY_MISMATCH',
  'INVOICE_NOT_FOUND',
  'INVOICE_NOT_OPEN',
  'PAYMENT_NOT_FOUND',
  'ASSIGN_REFUSED',
  'REPLY_NOT_BY_NOSTR',
  'TOO_MANY_UNMATCHED',
  'NO_INVOICE_MATCHES',
  'DELIVERY_NOT_FOUND',
  'DELIVERY_IN_FLIGHT',
  'WEBHOOK_NOT_CONFIGURED',
  'USER_EXISTS',
  'USER_NOT_FOUND',
  'USER_ID_INVALID',
  'ROTATE_INTERVAL_INVALID',
  'ROTATION_LOST',
])

type AnyFactory = ErrorFactory<never[]>
const isFactory = (value: unknown): value is AnyFactory => typeof value === 'function' && 'code' in value
const factories = [tillErrors, slatepackErrors, slateErrors].flatMap((module) =>
  Object.values(module).filter(isFactory),
)

const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  INVOICE_ALREADY_PAID: ['seen'],
  SLATE_WRONG_STATE: ['S2'],
  INVOICE_SLATE_WRONG_STATE: ['S1'],
  SLATE_WRONG_AMOUNT: [grin(1.5), grin(2)],
  SLATE_EXPIRED: [1200n, 1300],
  SLATEPACK_TOO_LONG: [60_000],
  SLATEPACK_WRONG_CHAIN: ['tgrin'],
  SLATEPACK_BAD_MODE: [7],
  SLATE_VERSION_UNSUPPORTED: [3],
  AMOUNT_OUT_OF_RANGE: [0n],
}

const made = factories
  .filter(({ code }) => !NOT_FOR_PAYERS.has(code))
  .map((factory) => (factory as ErrorFactory<readonly unknown[]>)(...(VALUES[factory.code] ?? ['why it is so'])))
const paid = (progress: 'signed' | 'seen') => tillErrors.invoiceAlreadyPaid(progress)
const i2Rules = readFileSync('src/grin/receive/invoice-rules.ts', 'utf8').matchAll(/code: '(I2_\w+)'/g)
const rules = [...S1_RULES.map(({ code }) => code), ...[...i2Rules].map(([, code = '']) => code)].map((code) =>
  tillErrors.slateRefused({ code, text: 'a rule is broken' }),
)
const SHOWN: readonly (readonly [string, GrinpayError])[] = [
  ...made,
  ...rules,
  badForm('a broken % escape'),
  workersBusy(9),
  new GrinpayError('SOMETHING_NEW', 'a refusal of a later version', 422, 'an English remedy'),
].map((error) => [error.code, error] as const)
const VARIANTS: typeof SHOWN = [
  ['signed only', paid('signed')],
  ['signed, for one who pays nothing new', hinting(paid('signed'), FINISH_FIRST)],
  ['paid, for one who pays nothing new', hinting(paid('seen'), NOTHING_MORE)],
  ['expired, for one who pays nothing new', hinting(tillErrors.invoiceExpired(), STILL_COUNTS)],
]

const OTHERS = (Object.keys(LANGUAGES) as Language[]).filter(
  (lang): lang is keyof typeof REFUSAL_LANGUAGES => lang !== 'en',
)

test('every code that a page can show is in the table', () => {
  const wanted = [...made, ...rules].map(({ code }) => code)
  expect(wanted.filter((code) => !(REFUSAL_CODES as readonly string[]).includes(code))).toEqual([])
})

test('a code that is not for payers exists', () => {
  const known = factories.map(({ code }) => code)
  expect([...NOT_FOR_PAYERS].filter((code) => !known.includes(code))).toEqual([])
})

describe.each(OTHERS)('in %s', (lang) => {
  const { texts, fixes } = REFUSAL_LANGUAGES[lang]
  const sentences = [...Object.values(texts), ...Object.values(fixes)]

  test('each sentence is one, and no two are alike', () => {
    for (const sentence of sentences) expect(sentence).toMatch(/^\S.*[.。]$/)
    expect(new Set(sentences).size).toBe(sentences.length)
  })

  test('texts hold the same values as in German', () => {
    const places = (text: string): string => [...text.matchAll(/\{\w+\}/g)].map(String).sort().join(' ')
    for (const [key, german] of Object.entries(REFUSAL_LANGUAGES.de.texts))
      expect([key, places(texts[key as keyof typeof texts])]).toEqual([key, places(german)])
  })
})

test('French has no-break spaces before its marks and inside its quotes', () => {
  const { texts, fixes } = REFUSAL_LANGUAGES.fr
  for (const text of [...Object.values(texts), ...Object.values(fixes)])
    expect(text).not.toMatch(/ [:;!?»]|« |[^\s\d][;!?»]|«[^\u202f]/)
})

test('the words of what differs', () => {
  const of = (lang: Language, error: GrinpayError) => Object.values(refusalIn(translatorOf(lang), error)).join(' ')
  expect(of('en', paid('signed'))).toBe(
    'Another payment of this invoice is signed already and waits for the network; this slatepack was not accepted. Cancel the new send in the wallet; the first payment counts.',
  )
  expect(of('de', paid('signed'))).toContain('bereits eine andere Zahlung signiert, die auf das Netzwerk wartet')
  expect(of('de', paid('seen'))).toContain('bereits bezahlt')
  expect(of('es', tillErrors.wrongAmount(grin(1.5), grin(2)))).toContain('1.5 GRIN y la factura, de 2 GRIN')
  expect(of('ru', tillErrors.slateExpired(1200n, 1300))).toContain('до блока 1200, а в цепочке уже блок 1300')
  expect(of('fr', tillErrors.slateRefused({ code: 'S1_OFFSET', text: 'x' }))).toContain('(S1_OFFSET)')
  expect(of('zh', hinting(paid('signed'), FINISH_FIRST))).toContain('请在那里完成它')
})

describe('the page', async () => {
  const till = createFakeTill()
  const { app } = await tillApp({ till, methods: ['slatepack'] })
  afterAll(() => app.close())
  const body = new URLSearchParams({ slatepack: 'BEGINSLATEPACK. x' }).toString()
  const { token } = till.put({})
  let error: GrinpayError
  till.pasteSlatepack = () => Promise.reject(error)
  till.requote = () => Promise.reject(error)

  const post = async (lang: Language, action: 'slatepack' | 'requote') => {
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'accept-language': lang,
      accept: 'text/html',
    }
    const answer = await app.inject({ method: 'POST', url: `/pay/${token}/${action}`, headers, payload: body })
    return answer.body.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&')
  }

  describe.each(['en', ...OTHERS] as const)('in %s', (lang) => {
    test.each([...SHOWN, ...VARIANTS])('%s', async (_, thrown) => {
      error = thrown
      const { text, fix } = refusalIn(translatorOf(lang), thrown)
      for (const page of [await post(lang, 'slatepack'), await post(lang, 'requote')]) {
        expect(page).toContain(`<html lang="${lang}">`)
        expect(page).not.toMatch(/\{\w+\}|undefined|\[object/)
        if (page.includes('id="refusal"')) expect(page).toContain(text)
        if (page.includes('id="refusal"') && fix !== '') expect(page).toContain(fix)
        const english = [thrown.message, thrown.hint ?? thrown.message].map((part) => part.slice(1, 30))
        if (lang !== 'en') for (const part of english) expect(page).not.toContain(part)
      }
    })
  })

  test.each(OTHERS)('that is only about an error says it in %s', async (lang) => {
    error = tillErrors.quoteUnavailable('no source answers')
    const page = await post(lang, 'requote')
    expect(page).toContain(REFUSAL_LANGUAGES[lang].texts.noPrice)
    expect(page).toContain(REFUSAL_LANGUAGES[lang].fixes.later)
  })
})
