// Slatepacks and JSON that mean harm, sent over a real socket to the daemon as `serve pay` composes it. Each is answered as
// the contract says; no row, key index or file changes; and nothing of it is in the log.
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { armor, dearmor } from '../../src/grin/slatepack/index.js'
import { armoredS1, HOSTILE_PACKS, noise } from '../support/hostile-slatepacks.js'
import { type HostileTill, type OpenInvoice, openHostileTill } from '../support/hostile-till.js'
import { codeIn, type RawAnswer } from '../support/raw-http.js'

/** Far below the request time-out of 30 s, and far above what a busy machine needs. */
const SOON_MS = 5_000

let till: HostileTill
let invoice: OpenInvoice
let before: string
let firstKey: number

beforeAll(async () => {
  till = await openHostileTill()
  invoice = await till.invoice()
  firstKey = till.nextKeyIndex()
})
beforeEach(() => {
  before = till.fingerprint()
  till.log.forget()
})
afterAll(() => till.close())

/** Answered so, soon, and without a trace. */
function expectRefused(answer: RawAnswer, status: number, code: string): void {
  expect([answer.status, codeIn(answer)], answer.body.slice(0, 300)).toEqual([status, code])
  expect(answer.ms).toBeLessThan(SOON_MS)
  expect(till.fingerprint()).toBe(before)
}

describe('a slatepack that means harm', () => {
  test.each(HOSTILE_PACKS)('$name → $code', async ({ make, code }) => {
    const text = await make({ amount: invoice.amount, address: till.address })
    expectRefused(await till.paste(invoice.token, text), 422, code)
    till.expectCleanLog(...(text.length > 40 ? [text.slice(16, 40)] : []))
  })

  test('is shown again on the page, escaped, beside the reason', async () => {
    const text = '<script>alert(1)</script> BEGINSLATEPACK. "onfocus=" autofocus. ENDSLATEPACK.'
    const answer = await till.send({
      method: 'POST',
      path: `/pay/${invoice.token}/slatepack`,
      headers: ['Content-Type: application/x-www-form-urlencoded', 'Accept: text/html'],
      body: new URLSearchParams({ slatepack: text }).toString(),
    })
    expect(answer.status).toBe(422)
    expect(answer.body).toContain('&lt;script&gt;')
    expect(answer.body).not.toContain('<script')
    expect(answer.body).not.toMatch(/"onfocus=/)
    expect(till.fingerprint()).toBe(before)
  })

  test('whatever bytes of an honest one are changed, it is refused as damaged, or for what it then says', async () => {
    const honest = dearmor(armoredS1({ amount: invoice.amount + 7n }))
    const edits = fc.array(fc.tuple(fc.nat(honest.length - 1), fc.integer({ min: 0, max: 255 })), {
      minLength: 1,
      maxLength: 6,
    })
    await fc.assert(
      fc.asyncProperty(edits, async (changes) => {
        const bytes = honest.slice()
        for (const [at, byte] of changes) bytes[at] = byte
        const answer = await till.paste(invoice.token, armor(bytes))
        expect(answer.status, answer.body).toBe(422)
        expect(codeIn(answer)).toMatch(/^(SLATEPACK|SLATE|S1)_[A-Z_]+$/)
      }),
      { numRuns: 150 },
    )
    expect(till.fingerprint()).toBe(before)
  })
})

describe('a form that means harm', () => {
  const form = 'Content-Type: application/x-www-form-urlencoded'
  const rows: readonly [string, string, string | Buffer, number, string][] = [
    ['without the field', form, 'other=1', 400, 'INVALID_REQUEST'],
    ['without anything', form, '', 400, 'INVALID_REQUEST'],
    ['with the field twice', form, 'slatepack=a&slatepack=b', 400, 'INVALID_FORM'],
    ['with every field a prototype has', form, '__proto__=1&constructor=2&toString=3', 400, 'INVALID_REQUEST'],
    [
      'of 20 000 fields',
      form,
      Array.from({ length: 20_000 }, (_, at) => at.toString(36))
        .join('&')
        .slice(0, 65_000),
      400,
      'INVALID_REQUEST',
    ],
    ['with broken escapes', form, 'slatepack=%zz%e0%80%', 422, 'SLATEPACK_BAD_HEADER'],
    ['of 1 MB', form, `slatepack=${noise(750_000).toString('base64url')}`, 413, 'BODY_TOO_LARGE'],
    ['as text', 'Content-Type: text/plain', 'slatepack=a', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['as a multipart upload', 'Content-Type: multipart/form-data; boundary=x', '--x--', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [
      'as XML',
      'Content-Type: application/xml',
      '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['as JSON', 'Content-Type: application/json', '{"slatepack":["a"]}', 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ]

  test.each(rows)('%s', async (_, header, body, status, code) => {
    const headers = [header, 'Accept: application/json']
    expectRefused(
      await till.send({ method: 'POST', path: `/pay/${invoice.token}/slatepack`, headers, body }),
      status,
      code,
    )
  })

  test('compressed a thousand times over is not unpacked', async () => {
    const headers = [form, 'Accept: application/json', 'Content-Encoding: gzip']
    const answer = await till.send({
      method: 'POST',
      path: `/pay/${invoice.token}/slatepack`,
      headers,
      body: noise(900),
    })
    expectRefused(answer, 415, 'UNSUPPORTED_ENCODING')
  })
})

describe('JSON that means harm', () => {
  const price = '"amount_grin":1000'
  const rows: readonly [string, string | Buffer, number, string][] = [
    ['nothing', '', 400, 'INVALID_REQUEST'],
    ['not JSON', '{"amount_grin":', 400, 'INVALID_JSON'],
    ['two values', `{${price}}{}`, 400, 'INVALID_JSON'],
    ['a list', '[1]', 400, 'INVALID_REQUEST'],
    ['null', 'null', 400, 'INVALID_REQUEST'],
    ['not UTF-8', Buffer.from(`{${price},"memo":"\xff\xfe"}`, 'latin1'), 400, 'INVALID_JSON'],
    ['a byte order mark', `\ufeff{${price}}`, 400, 'INVALID_JSON'],
    ['half a surrogate pair', `{${price},"memo":"\\ud800"}`, 400, 'INVALID_JSON'],
    ['an amount as text', '{"amount_grin":"1000"}', 400, 'INVALID_REQUEST'],
    ['an amount of 0', '{"amount_grin":0}', 400, 'INVALID_REQUEST'],
    ['an amount below 0', '{"amount_grin":-1}', 400, 'INVALID_REQUEST'],
    ['an amount of minus 0', '{"amount_grin":-0}', 400, 'INVALID_REQUEST'],
    ['an amount of 1e3', '{"amount_grin":1e3}', 400, 'INVALID_REQUEST'],
    ['an amount of 1.0', '{"amount_grin":1.0}', 400, 'INVALID_REQUEST'],
    ['an amount of 0.5', '{"amount_grin":0.5}', 400, 'INVALID_REQUEST'],
    ['an amount of 2^53', '{"amount_grin":9007199254740992}', 400, 'INVALID_REQUEST'],
    ['an amount of 2^64-1', '{"amount_grin":18446744073709551615}', 400, 'INVALID_REQUEST'],
    ['an amount of 1e400', '{"amount_grin":1e400}', 400, 'INVALID_REQUEST'],
    ['an amount of 60 000 digits', `{"amount_grin":${'9'.repeat(60_000)}}`, 400, 'INVALID_REQUEST'],
    ['an amount with a leading 0', '{"amount_grin":01000}', 400, 'INVALID_JSON'],
    ['an amount in hex', '{"amount_grin":0x10}', 400, 'INVALID_JSON'],
    ['an amount as a list', '{"amount_grin":[1000]}', 400, 'INVALID_REQUEST'],
    ['an amount as an object', '{"amount_grin":{"toString":1}}', 400, 'INVALID_REQUEST'],
    ['the amount twice', `{${price},"amount_grin":1}`, 400, 'INVALID_JSON'],
    ['the amount twice, once escaped', `{${price},"\\u0061mount_grin":1}`, 400, 'INVALID_JSON'],
    ['the amount in a prototype', `{"__proto__":{${price}}}`, 422, 'UNKNOWN_MEMBER'],
    ['__proto__ twice', `{${price},"__proto__":{},"__proto__":{}}`, 400, 'INVALID_JSON'],
    ['both amounts', `{${price},"amount_fiat":"1","currency":"usd"}`, 400, 'AMOUNT_TWICE'],
    ['a fiat amount in exponents', '{"amount_fiat":"1e3","currency":"usd"}', 400, 'FIAT_AMOUNT_INVALID'],
    ['a fiat amount with a sign', '{"amount_fiat":"+5","currency":"usd"}', 400, 'FIAT_AMOUNT_INVALID'],
    ['a fiat amount of NaN', '{"amount_fiat":"NaN","currency":"usd"}', 400, 'FIAT_AMOUNT_INVALID'],
    ['a fiat amount as a number with an exponent', '{"amount_fiat":5e0,"currency":"usd"}', 400, 'FIAT_AMOUNT_INVALID'],
    ['a fiat amount that is no number', '{"amount_fiat":[5],"currency":"usd"}', 400, 'INVALID_REQUEST'],
    ['a fiat amount of nothing', '{"amount_fiat":"0.00000000","currency":"usd"}', 400, 'FIAT_AMOUNT_INVALID'],
    ['a fiat amount beyond all coins', '{"amount_fiat":"999999999999","currency":"usd"}', 400, 'AMOUNT_OUT_OF_RANGE'],
    ['an unknown currency', '{"amount_fiat":"1","currency":"__proto__"}', 400, 'CURRENCY_NOT_ENABLED'],
    ['a currency that folds to another', '{"amount_fiat":"1","currency":"uſd"}', 400, 'CURRENCY_NOT_ENABLED'],
    ['an expiry in the past', `{${price},"expiry_secs":-1}`, 400, 'INVALID_REQUEST'],
    ['an expiry of 59 s', `{${price},"expiry_secs":59}`, 400, 'INVALID_REQUEST'],
    ['an expiry of 2^53', `{${price},"expiry_secs":9007199254740992}`, 400, 'INVALID_REQUEST'],
    ['an unknown mode', `{${price},"match_mode":"constructor"}`, 400, 'INVALID_REQUEST'],
    ['an order reference with a line end', `{${price},"order_ref":"a\\nX-Injected: 1"}`, 400, 'ORDER_REF_INVALID'],
    ['an order reference of 256 characters', `{${price},"order_ref":"${'x'.repeat(256)}"}`, 400, 'ORDER_REF_INVALID'],
    ['an order reference that is empty', `{${price},"order_ref":""}`, 400, 'ORDER_REF_INVALID'],
    ['a memo that is a number', `{${price},"memo":1}`, 400, 'INVALID_REQUEST'],
    ['33 levels of lists', `{${price},"x":${'['.repeat(33)}${']'.repeat(33)}}`, 400, 'INVALID_JSON'],
    ['30 000 levels of lists', `{${price},"x":${'['.repeat(30_000)}`, 400, 'INVALID_JSON'],
    ['a text without end', `{"amount_grin":"${'a'.repeat(60_000)}`, 400, 'INVALID_JSON'],
    ['60 000 backslashes', `{"amount_grin":"${'\\'.repeat(60_000)}`, 400, 'INVALID_JSON'],
    ['10 MB', `{${price},"memo":"${'x'.repeat(10_000_000)}"}`, 413, 'BODY_TOO_LARGE'],
  ]

  test.each(rows)('%s', async (_, body, status, code) => {
    expectRefused(await till.json('/invoice', body), status, code)
  })

  test.each(rows)('%s is not even read without the token', async (_, body) => {
    expectRefused(await till.json('/invoice', body, []), 401, 'UNAUTHORIZED')
  })

  test('of the wrong kind is 415', async () => {
    const headers = ['Content-Type: text/plain', `Authorization: Bearer ${till.api}`]
    expectRefused(
      await till.send({ method: 'POST', path: '/invoice', headers, body: `{${price}}` }),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    )
  })
})

test('an honest slatepack is still taken afterwards, with the very first key index', async () => {
  const answer = await till.paste(invoice.token, armoredS1(invoice))
  expect(answer.status, answer.body).toBe(200)
  expect([till.nextKeyIndex() - firstKey, till.count('payment'), till.count('invoice')]).toEqual([1, 1, 1])
  till.expectCleanLog()
})

test('what the till keeps, only its owner may read', () => {
  const files = till.files()
  expect(files.map(([name]) => name)).toEqual(
    expect.arrayContaining(['pay.db', 'wallet/seed.json', 'nostr/identity.json']),
  )
  expect(files.filter(([, mode]) => mode !== '600')).toEqual([])
})
