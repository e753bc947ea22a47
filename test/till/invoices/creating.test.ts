import { describe, expect, test } from 'vitest'
import { Secret } from '../../../src/lib/secret.js'
import { deriveChild, invoiceContext, publicKeyOf } from '../../../src/nostr/keys/index.js'
import { parseNprofile } from '../../../src/nostr/nip19/index.js'
import { systemRandom } from '../../../src/system/index.js'
import { DAY, grin, MINUTE, NOON, SECOND } from '../../support/till-builders.js'
import { codeOf, MASTER, openTill, refusalOf } from '../../support/till-parts.js'

const EXACT = { amountNanogrin: grin(1.5) }
const FIAT = { amountFiat: '12.50', currency: 'USD' }

describe('a new invoice', () => {
  test('is open, has its own key, and says how to pay it', async () => {
    const { till, store } = openTill()
    const { invoice, replayed } = await till.createInvoice({ ...EXACT, orderRef: 'order-42', memo: 'Coffee & cake' })
    expect(replayed).toBe(false)
    expect(invoice).toMatchObject({
      status: 'open',
      amount: grin(1.5),
      fiat: null,
      matchMode: 'derived',
      orderRef: 'order-42',
      memo: 'Coffee & cake',
      matchKey: null,
      expiresAt: null,
      windowEndsAt: null,
      createdAt: NOON,
      confirmations: 0,
    })
    expect(invoice.id).toMatch(/^[0-9a-f]{32}$/)
    expect(invoice.token).toMatch(/^[A-Za-z0-9_-]{43}$/)
    const child = deriveChild(new Secret(MASTER), invoiceContext(invoice.id))
    expect(invoice.recipientPubkey).toBe(child.pubkey)
    const [, nprofile = '', query] = /^goblin:(nprofile1[a-z0-9]+)\?(.*)$/.exec(invoice.payLink) ?? []
    expect(parseNprofile(nprofile)).toEqual({ pubkey: child.pubkey, relays: ['wss://relay.example'] })
    expect(query).toBe('amount=1.5&memo=Coffee%20%26%20cake&proof=tgrin1fake')
    expect(invoice.qrSvg).toMatch(/^<svg /)
    expect(await store.invoiceById(invoice.id)).toEqual(invoice)
  })

  test('is refused while the disk is full; one that was created before is answered to its key', async () => {
    let hasRoom = true
    const { till, store } = openTill({ parts: { hasRoom: () => hasRoom } })
    const key = { key: 'k', digest: 'd' }
    const { invoice } = await till.createInvoice(EXACT, key)
    hasRoom = false
    expect(await codeOf(till.createInvoice(EXACT))).toBe('DISK_FULL')
    expect(await till.createInvoice(EXACT, key)).toMatchObject({ replayed: true, invoice: { id: invoice.id } })
    expect(await store.invoiceById(invoice.id)).toEqual(invoice)
    hasRoom = true
    expect(await till.createInvoice(EXACT)).toMatchObject({ replayed: false })
  })

  test('with a price in GRIN keeps its tip and the rate that is known, and asks no source for one', async () => {
    const { till, store, rates, knownRates } = openTill()
    rates.clear()
    expect((await till.createInvoice(EXACT)).invoice).toMatchObject({ grinRate: null, tip: null })
    knownRates.set('usd', { rate: '0.02', source: 'coingecko', at: NOON - MINUTE })
    const { invoice } = await till.createInvoice({ ...EXACT, tip: '0.5' })
    const grinRate = { currency: 'usd', rate: '0.02', source: 'coingecko', rateAt: NOON - MINUTE }
    expect(invoice).toMatchObject({ fiat: null, grinRate, tip: '0.5' })
    expect(await store.invoiceById(invoice.id)).toEqual(invoice)
  })

  test('ids, tokens and keys never repeat', async () => {
    const { till } = openTill()
    const made = await Promise.all(Array.from({ length: 20 }, () => till.createInvoice(EXACT)))
    for (const part of ['id', 'token', 'recipientPubkey'] as const)
      expect(new Set(made.map(({ invoice }) => invoice[part])).size).toBe(20)
  })

  test('names at most three relays', async () => {
    const relays = [1, 2, 3, 4].map((n) => `wss://relay${n}.example`)
    const { till } = openTill({ settings: { relays } })
    const { invoice } = await till.createInvoice(EXACT)
    const nprofile = /nprofile1[a-z0-9]+/.exec(invoice.payLink)?.[0] ?? ''
    expect(parseNprofile(nprofile).relays).toEqual(relays.slice(0, 3))
  })

  test('modes memo and amount are paid to the main key; the link carries what a payer is matched by', async () => {
    const { till } = openTill()
    const main = publicKeyOf(new Secret(MASTER))
    const { invoice: memo } = await till.createInvoice({ ...EXACT, matchMode: 'memo', orderRef: 'a  b', memo: 'Tea' })
    expect(memo).toMatchObject({ recipientPubkey: main, matchKey: 'a b', orderRef: 'a  b' })
    expect(memo.payLink).toContain('&memo=a%20b&')
    const { invoice: bare } = await till.createInvoice({ ...EXACT, matchMode: 'memo', memo: 'Tea' })
    expect(bare.matchKey).toBe(bare.id.slice(0, 12))
    expect(bare.payLink).toContain(`&memo=${bare.id.slice(0, 12)}&`)
    const { invoice: amount } = await till.createInvoice({ ...EXACT, matchMode: 'amount', memo: 'Tea' })
    expect(amount).toMatchObject({ recipientPubkey: main, matchKey: null })
    expect(amount.payLink).toContain('&memo=Tea&')
  })

  test('logs its id, never its token', async () => {
    const { till, log } = openTill()
    const { invoice } = await till.createInvoice(EXACT)
    expect(log).toEqual([{ level: 'info', fields: { invoice: invoice.id, to: 'open' }, text: 'invoice open' }])
    expect(JSON.stringify(log)).not.toContain(invoice.token)
  })
})

describe('refused requests', () => {
  test.each([
    [{}, 400, 'provide amount_grin, or amount_fiat + currency'],
    [{ amountFiat: '5' }, 400, 'provide amount_grin, or amount_fiat + currency'],
    [{ currency: 'usd' }, 400, 'provide amount_grin, or amount_fiat + currency'],
    [{ ...EXACT, ...FIAT }, 400, 'provide either amount_grin or amount_fiat + currency, not both'],
    [{ ...EXACT, matchMode: 'Memo' }, 400, 'match_mode must be memo, derived, or amount'],
    [{ amountFiat: '5', currency: 'XYZ' }, 400, 'currency `XYZ` is not enabled (see PAY_RATE_CURRENCIES)'],
    [
      { amountFiat: '1e3', currency: 'usd' },
      400,
      'fiat amount `1e3` is not a valid decimal: it has an exponent: write all digits',
    ],
    [{ amountFiat: '0', currency: 'usd' }, 400, 'fiat amount `0` is not a valid decimal: it is zero'],
    [{ amountFiat: '-5', currency: 'usd' }, 400, 'fiat amount `-5` is not a valid decimal: it has a sign'],
    [
      { amountFiat: '5.', currency: 'usd' },
      400,
      'fiat amount `5.` is not a valid decimal: it has no digit after the point',
    ],
    [{ amountFiat: '5', currency: 'eur' }, 502, 'price oracle unavailable: the source does not answer'],
  ])('%o: %i %s', async (request, status, text) => {
    const { till, store } = openTill()
    expect(await refusalOf(till.createInvoice(request))).toEqual({ status, text })
    expect((await store.listInvoices({ limit: 1 })).items).toEqual([])
  })

  test.each([
    [{ amountNanogrin: 0n }, 'AMOUNT_OUT_OF_RANGE'],
    [{ amountNanogrin: -1n }, 'AMOUNT_OUT_OF_RANGE'],
    [{ amountNanogrin: 2n ** 53n }, 'AMOUNT_OUT_OF_RANGE'],
    [{ amountNanogrin: 2n ** 53n - 1n }, 'ok'],
    [{ amountNanogrin: 1n }, 'ok'],
    [{ ...EXACT, orderRef: '' }, 'ORDER_REF_INVALID'],
    [{ ...EXACT, orderRef: 'x'.repeat(256) }, 'ORDER_REF_INVALID'],
    [{ ...EXACT, orderRef: '😀'.repeat(255) }, 'ok'],
    [{ ...EXACT, orderRef: 'a\u0007b' }, 'ORDER_REF_INVALID'],
    [{ ...EXACT, returnUrl: 'https://shop.example/orders/42?a=b#paid' }, 'ok'],
    [{ ...EXACT, returnUrl: 'http://127.0.0.1:3000/done' }, 'ok'],
    [{ ...EXACT, returnUrl: 'javascript:alert(1)' }, 'RETURN_URL_INVALID'],
    [{ ...EXACT, returnUrl: 'java\nscript:alert(1)' }, 'RETURN_URL_INVALID'],
    [{ ...EXACT, returnUrl: 'data:text/html,x' }, 'RETURN_URL_INVALID'],
    [{ ...EXACT, returnUrl: '/orders/42' }, 'RETURN_URL_INVALID'],
    [{ ...EXACT, returnUrl: 'https:shop.example' }, 'RETURN_URL_INVALID'],
    [{ ...EXACT, returnUrl: 'https://shop.example/ a' }, 'RETURN_URL_INVALID'],
    [{ ...EXACT, returnUrl: 'https://shop.example\\@evil.example/' }, 'RETURN_URL_INVALID'],
    [{ ...EXACT, returnUrl: 'https://shop.example@evil.example/' }, 'RETURN_URL_INVALID'],
    [{ ...EXACT, returnUrl: 'https://shop.example/\u202e' }, 'RETURN_URL_INVALID'],
    [{ ...EXACT, returnUrl: '' }, 'RETURN_URL_INVALID'],
    [{ ...EXACT, returnUrl: `https://shop.example/${'a'.repeat(2028)}` }, 'RETURN_URL_INVALID'],
    [{ ...EXACT, returnUrl: `https://shop.example/${'a'.repeat(2027)}` }, 'ok'],
    [{ ...EXACT, expirySecs: 59 }, 'EXPIRY_INVALID'],
    [{ ...EXACT, expirySecs: 60.5 }, 'EXPIRY_INVALID'],
    [{ ...EXACT, expirySecs: 31_536_001 }, 'EXPIRY_INVALID'],
    [{ ...EXACT, expirySecs: 31_536_000 }, 'ok'],
    [{ amountFiat: '0.00000001', currency: 'usd' }, 'ok'],
  ])('%o: %s', async (request, code) => {
    expect(await codeOf(openTill().till.createInvoice(request))).toBe(code)
  })

  test('a price below one nanogrin is refused', async () => {
    const { till, rates } = openTill()
    rates.set('usd', '1000000')
    expect(await codeOf(till.createInvoice({ amountFiat: '0.00000001', currency: 'usd' }))).toBe(
      'FIAT_AMOUNT_TOO_SMALL',
    )
  })

  test('a currency has one spelling; what was sent is kept for the answer', async () => {
    const { till } = openTill()
    const spelled = async (currency: string) => (await till.createInvoice({ ...FIAT, currency })).invoice.fiat
    expect(await spelled('uSd')).toMatchObject({ currency: 'USD', sentAs: 'uSd' })
    expect(await spelled('USD')).not.toHaveProperty('sentAs')
  })

  test('a rate of zero is no rate', async () => {
    const { till, rates } = openTill()
    rates.set('usd', '0.00000000001')
    expect(await codeOf(till.createInvoice(FIAT))).toBe('RATE_UNAVAILABLE')
  })

  test('a price in doubt is said as such: 503, and the reason', async () => {
    const rate = async () => {
      throw Object.assign(new Error('a says 500, b says 0.05'), { code: 'RATE_DISPUTED' })
    }
    const { till } = openTill({
      parts: { rates: { rate, known: async () => undefined, alarms: () => ['price in USD: x'] } },
    })
    expect(await refusalOf(till.createInvoice(FIAT))).toEqual({
      status: 503,
      text: 'the price of GRIN is in doubt: a says 500, b says 0.05',
    })
    expect((await till.status()).alarms).toEqual(['price in USD: x'])
  })

  test('without ingest no invoice is made', async () => {
    const { till } = openTill({ settings: { ingest: false } })
    expect(await refusalOf(till.createInvoice(EXACT))).toEqual({
      status: 503,
      text: 'server identity not loaded (PAY_INGEST=off)',
    })
  })
})

describe('memos', () => {
  test('become one harmless line of at most 256 characters', async () => {
    const { till } = openTill()
    const memoOf = async (memo: string) => (await till.createInvoice({ ...EXACT, memo })).invoice.memo
    expect(await memoOf(' a\u0000b\n\tc\u202ed ')).toBe('a b c d')
    expect(await memoOf('\u200b \ufeff')).toBeNull()
    expect(await memoOf('😀'.repeat(300))).toBe('😀'.repeat(256))
  })
})

describe('fiat prices', () => {
  test('are locked as written, with the rate, for the quote time', async () => {
    const { till, rates } = openTill()
    rates.set('usd', '0.083333330')
    const { invoice } = await till.createInvoice({ amountFiat: ' 12.50 ', currency: 'USD' })
    expect(invoice.amount).toBe(150_000_006_000n)
    expect(invoice.fiat).toEqual({
      amount: ' 12.50 ',
      currency: 'USD',
      rate: '0.08333333',
      source: 'fixed',
      rateAt: NOON,
    })
    expect(invoice).toMatchObject({ expiresAt: NOON + 900 * SECOND, windowEndsAt: null })
  })

  test('the shorter of lock and window ends the price, the window alone an exact amount', async () => {
    const { till } = openTill()
    const ends = async (request: object) => {
      const { expiresAt, windowEndsAt } = (await till.createInvoice(request)).invoice
      return [expiresAt, windowEndsAt]
    }
    expect(await ends({ ...FIAT, expirySecs: 86_400 })).toEqual([NOON + 15 * MINUTE, NOON + DAY])
    expect(await ends({ ...FIAT, expirySecs: 300 })).toEqual([NOON + 5 * MINUTE, NOON + 5 * MINUTE])
    expect(await ends({ ...EXACT, expirySecs: 300 })).toEqual([NOON + 5 * MINUTE, NOON + 5 * MINUTE])
  })
})

describe('jitter in amount mode', () => {
  test('makes every open amount its own', async () => {
    const { till } = openTill({ settings: { amountJitter: true } })
    const made = await Promise.all(
      Array.from({ length: 50 }, () => till.createInvoice({ ...EXACT, matchMode: 'amount' })),
    )
    const amounts = made.map(({ invoice }) => invoice.amount)
    expect(new Set(amounts).size).toBe(50)
    for (const amount of amounts) expect(amount > grin(1.5) && amount <= grin(1.5) + 9999n).toBe(true)
  })

  test('leaves an amount to its invoice for the two minutes after its end in which it can still be paid', async () => {
    const first = { bytes: (length: number) => (length === 4 ? new Uint8Array(4) : systemRandom.bytes(length)) }
    const { till, clock } = openTill({ settings: { amountJitter: true }, parts: { random: first } })
    const offset = async () =>
      (await till.createInvoice({ ...EXACT, matchMode: 'amount', expirySecs: 60 })).invoice.amount - grin(1.5)
    expect(await offset()).toBe(1n)
    await clock.advance(3 * MINUTE - 1)
    expect(await offset()).toBe(2n)
    await clock.advance(1)
    expect(await offset()).toBe(1n)
  })

  test('leaves the other modes alone', async () => {
    const { till } = openTill({ settings: { amountJitter: true } })
    expect((await till.createInvoice(EXACT)).invoice.amount).toBe(grin(1.5))
  })
})

describe('idempotency keys', () => {
  const key = { key: 'k1', digest: 'aa'.repeat(32) }

  test('the first invoice is answered again, in its present state and without asking for a rate', async () => {
    const { till, rates, clock } = openTill()
    const first = await till.createInvoice(FIAT, key)
    rates.clear()
    await clock.advance(15 * MINUTE)
    const again = await till.createInvoice(FIAT, key)
    expect(again).toEqual({ invoice: { ...first.invoice, status: 'expired' }, replayed: true })
  })

  test('another body is refused, two at once make one invoice', async () => {
    const { till, store } = openTill()
    const both = await Promise.all([till.createInvoice(EXACT, key), till.createInvoice(EXACT, key)])
    expect(both[0]?.invoice.id).toBe(both[1]?.invoice.id)
    expect(both.map(({ replayed }) => replayed).sort()).toEqual([false, true])
    expect((await store.listInvoices({ limit: 5 })).items).toHaveLength(1)
    const other = till.createInvoice({ amountNanogrin: 7n }, { ...key, digest: 'bb'.repeat(32) })
    expect(await refusalOf(other)).toMatchObject({ status: 422 })
  })
})
