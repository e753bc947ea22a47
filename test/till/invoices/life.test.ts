// An invoice without a payment: its time, its cancellation, its new prices, and who waits for it.
import { describe, expect, test } from 'vitest'
import { settled } from '../../support/fake-clock.js'
import { aSlate } from '../../support/fake-wallet.js'
import { DAY, grin, HOUR, MINUTE, NOON, SECOND } from '../../support/till-builders.js'
import { codeOf, openTill, refusalOf } from '../../support/till-parts.js'

const EXACT = { amountNanogrin: grin(2) }
const FIAT = { amountFiat: '10.00', currency: 'usd', expirySecs: 86_400 }

describe('time', () => {
  test('reading an overdue invoice expires it, by id and by token', async () => {
    const { till, clock, log } = openTill()
    const { invoice } = await till.createInvoice({ ...EXACT, expirySecs: 60 })
    await clock.advance(60 * SECOND - 1)
    expect((await till.findInvoice(invoice.id))?.status).toBe('open')
    await clock.advance(1)
    expect((await till.findByToken(invoice.token))?.status).toBe('expired')
    expect((await till.findInvoice(invoice.id))?.status).toBe('expired')
    expect(log.filter(({ text }) => text === 'invoice expired')).toHaveLength(1)
  })

  test('the sweep expires unread invoices, one log line each', async () => {
    const { till, clock, store, log } = openTill()
    const { invoice } = await till.createInvoice({ ...EXACT, expirySecs: 60 })
    await till.createInvoice(EXACT)
    await till.passes.sweep()
    await clock.advance(MINUTE)
    await till.passes.sweep()
    await till.passes.sweep()
    expect((await store.invoiceById(invoice.id))?.status).toBe('expired')
    expect(log.filter(({ fields }) => fields.to === 'expired')).toEqual([
      { level: 'info', fields: { invoice: invoice.id, to: 'expired' }, text: 'invoice expired' },
    ])
  })

  test('unknown names find nothing', async () => {
    const { till } = openTill()
    expect(await till.findInvoice('f'.repeat(32))).toBeUndefined()
    expect(await till.findByToken('x'.repeat(43))).toBeUndefined()
  })
})

describe('cancelling', () => {
  test('an open invoice is cancelled once', async () => {
    const { till } = openTill()
    const { invoice } = await till.createInvoice(EXACT)
    expect((await till.cancelInvoice(invoice.id)).status).toBe('cancelled')
    expect(await refusalOf(till.cancelInvoice(invoice.id))).toEqual({
      status: 409,
      text: 'only an open invoice can be cancelled; this one is cancelled',
    })
    expect(await refusalOf(till.cancelInvoice('f'.repeat(32)))).toEqual({ status: 404, text: 'not found' })
  })

  test('an overdue invoice is not cancelled but expired', async () => {
    const { till, clock } = openTill()
    const { invoice } = await till.createInvoice({ ...EXACT, expirySecs: 60 })
    await clock.advance(MINUTE)
    expect(await codeOf(till.cancelInvoice(invoice.id))).toBe('INVOICE_NOT_OPEN')
    expect((await till.findInvoice(invoice.id))?.status).toBe('expired')
  })
})

describe('new prices', () => {
  test('the same invoice gets today’s price and a new lock', async () => {
    const { till, clock, rates } = openTill()
    const { invoice } = await till.createInvoice(FIAT)
    expect(invoice.amount).toBe(grin(500))
    await clock.advance(HOUR)
    rates.set('usd', '0.025')
    const expired = await till.findInvoice(invoice.id)
    expect(expired && till.canRequote(expired)).toBe(true)
    const again = await till.requote(invoice.token)
    expect(again).toMatchObject({
      id: invoice.id,
      token: invoice.token,
      recipientPubkey: invoice.recipientPubkey,
      status: 'open',
      amount: grin(400),
      requotes: 1,
      expiresAt: NOON + HOUR + 15 * MINUTE,
      windowEndsAt: NOON + DAY,
    })
    expect(again.fiat).toMatchObject({ amount: '10.00', rate: '0.025' })
    expect(again.payLink).toContain('amount=400&')
    expect(again.qrSvg).not.toBe(invoice.qrSvg)
  })

  test('the lock ends with the window, and after it there is no new price', async () => {
    const { till, clock } = openTill()
    const { invoice } = await till.createInvoice(FIAT)
    await clock.advance(DAY - MINUTE)
    expect((await till.requote(invoice.token)).expiresAt).toBe(NOON + DAY)
    await clock.advance(MINUTE)
    expect(await refusalOf(till.requote(invoice.token))).toEqual({
      status: 409,
      text: "no new price for this invoice: the shop's time for it is over",
    })
  })

  test('ten times, not eleven', async () => {
    const { till, clock } = openTill()
    const { invoice } = await till.createInvoice(FIAT)
    for (let round = 0; round < 10; round += 1) {
      await clock.advance(15 * MINUTE)
      await till.requote(invoice.token)
    }
    await clock.advance(15 * MINUTE)
    expect((await refusalOf(till.requote(invoice.token))) as object).toMatchObject({
      text: 'no new price for this invoice: it was priced too often',
    })
  })

  test('a shop that sets no window leaves it to the payer: ten new prices, each with a full lock', async () => {
    const { till, clock } = openTill()
    const { invoice } = await till.createInvoice({ amountFiat: '10.00', currency: 'usd' })
    for (let round = 1; round <= 10; round += 1) {
      await clock.advance(HOUR)
      expect(await till.requote(invoice.token)).toMatchObject({
        status: 'open',
        requotes: round,
        expiresAt: clock.now() + 15 * MINUTE,
        windowEndsAt: null,
      })
    }
    await clock.advance(HOUR)
    expect(await refusalOf(till.requote(invoice.token))).toMatchObject({
      text: 'no new price for this invoice: it was priced too often',
    })
  })

  test('each reason is named, also to the page', async () => {
    const { till, clock } = openTill()
    const why = async (token: string) => {
      const invoice = await till.findByToken(token)
      const offered = invoice !== undefined && till.canRequote(invoice)
      const refusal = await refusalOf(till.requote(token))
      return [offered, refusal === 'ok' ? 'ok' : refusal.text.replace('no new price for this invoice: ', '')]
    }
    const make = async (request: object) => (await till.createInvoice(request)).invoice
    const [exact, valid, windowless, paid, cancelled] = [
      await make({ ...EXACT, expirySecs: 60 }),
      await make(FIAT),
      await make({ amountFiat: '10.00', currency: 'usd' }),
      await make(FIAT),
      await make(FIAT),
    ]
    await till.cancelInvoice(cancelled.id)
    await till.pasteSlatepack(paid.token, aSlate({ amount: paid.amount }))
    expect(await why(valid.token)).toEqual([false, 'its price is still valid'])
    expect(await why(paid.token)).toEqual([false, 'a payment for it was received'])
    expect(await why(cancelled.token)).toEqual([false, 'it was cancelled'])
    await clock.advance(HOUR)
    expect(await why(exact.token)).toEqual([false, 'its amount is exact'])
    expect(await why(windowless.token)).toEqual([true, 'ok'])
    expect(await codeOf(till.requote('x'.repeat(43)))).toBe('INVOICE_NOT_FOUND')
  })
})

describe('waiting for a change', () => {
  test('ends at the announcement and leaves nothing behind', async () => {
    const { till, clock } = openTill()
    const { invoice } = await till.createInvoice(EXACT)
    const waiting = till.changed(invoice, 25 * SECOND)
    await settled()
    expect(clock.sleepers()).toBe(1)
    await till.pasteSlatepack(invoice.token, aSlate())
    expect((await waiting).status).toBe('paid')
    expect(clock.sleepers()).toBe(0)
  })

  test('ends after its time, at the end of the invoice’s time, or when the page is gone', async () => {
    const { till, clock } = openTill()
    const { invoice } = await till.createInvoice({ ...EXACT, expirySecs: 60 })
    const first = till.changed(invoice, 25 * SECOND)
    await settled()
    await clock.advance(25 * SECOND)
    expect((await first).status).toBe('open')
    const second = till.changed(invoice, 10 * MINUTE)
    await settled()
    await clock.advance(35 * SECOND)
    expect((await second).status).toBe('expired')
    const { invoice: other } = await till.createInvoice(EXACT)
    const gone = new AbortController()
    const third = till.changed(other, HOUR, gone.signal)
    await settled()
    gone.abort()
    expect((await third).status).toBe('open')
    expect(clock.sleepers()).toBe(0)
  })

  test('a change that happened before is reported at once', async () => {
    const { till, clock } = openTill()
    const { invoice } = await till.createInvoice(EXACT)
    await till.cancelInvoice(invoice.id)
    expect((await till.changed(invoice, HOUR)).status).toBe('cancelled')
    const aborted = AbortSignal.abort()
    expect((await till.changed({ ...invoice, status: 'cancelled' }, HOUR, aborted)).status).toBe('cancelled')
    expect(clock.sleepers()).toBe(0)
  })

  test('who stopped waiting gives its place to the next', async () => {
    const { till, clock } = openTill()
    const { invoice } = await till.createInvoice(EXACT)
    for (let i = 0; i < 2001; i += 1) await till.changed(invoice, HOUR, AbortSignal.abort())
    const waiting = till.changed(invoice, HOUR)
    await settled()
    expect(clock.sleepers()).toBe(1)
    await clock.advance(HOUR)
    await waiting
  })

  test('too many waiters are answered without waiting', async () => {
    const { till, clock } = openTill()
    const { invoice } = await till.createInvoice(EXACT)
    const waiting = Array.from({ length: 2000 }, () => till.changed(invoice, HOUR))
    expect((await till.changed(invoice, HOUR)).status).toBe('open')
    await settled()
    await clock.advance(HOUR)
    await Promise.all(waiting)
    expect(clock.sleepers()).toBe(0)
  })
})
