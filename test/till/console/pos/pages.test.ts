// The pages of the point of sale over a till that only pretends.
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { amountOutOfRange } from '../../../../src/till/errors.js'
import { formFields, openTestConsole } from '../../../support/console-app.js'
import { contrast } from '../../../support/contrast.js'
import { createTestPos } from '../../../support/pos.js'
import { aPayment, grin, MINUTE, NOON } from '../../../support/till-builders.js'

const CHARGE = '/console/pos/sales'
type Fields = Readonly<Record<string, string>>

let pos: ReturnType<typeof createTestPos>
let site: Awaited<ReturnType<typeof openTestConsole>>
let cashier: Awaited<ReturnType<typeof site.signIn>>

beforeEach(async () => {
  pos = createTestPos()
  site = await openTestConsole({ areas: [pos.area] })
  cashier = await site.signIn('cashier', 'Till 1')
})
afterEach(() => site.remove())

const fieldsOfForm = async () => formFields((await cashier.get('/console/pos')).body, CHARGE)
const charge = async (fields: Fields) =>
  cashier.post(CHARGE, { ...(await fieldsOfForm()), currency: 'eur', tip: '0', ...fields })
/** Where the answer leads, and what is said there. */
async function followed(answer: Awaited<ReturnType<typeof charge>>) {
  expect(answer.statusCode).toBe(303)
  const to = String(answer.headers.location)
  return { to, page: await cashier.get(to) }
}
/** A sale that stands there. */
const aSale = (over: Parameters<typeof pos.till.put>[0] = {}) =>
  pos.till.put({ orderRef: 'pos-20260701-120000-abcdef', amount: grin(1.5), expiresAt: NOON + MINUTE, ...over })

test('a charge makes an ordinary invoice, with a page that shows its code, its price and the time left', async () => {
  const { to, page } = await followed(await charge({ amount: '12,50', tip: '10', note: '<b>Table</b> & 4' }))
  const [invoice] = pos.till.invoices.values()
  expect(pos.till.asked).toEqual([
    {
      amountFiat: '13.75',
      currency: 'eur',
      memo: '<b>Table</b> & 4 (incl. tip 1.25 EUR)',
      tip: '1.25',
      orderRef: expect.stringMatching(/^pos-20260701-120000-[0-9a-f]{6}$/),
      expirySecs: 900,
    },
  ])
  expect(to).toBe(`/console/pos/sales/${invoice?.id}`)
  expect(page.body).toContain('13.75 <span class="unit">EUR</span>')
  expect(page.body).toContain('aria-label="Pay 13.75 EUR"')
  expect(page.body).toContain('&lt;b&gt;Table&lt;/b&gt; &amp; 4')
  expect(page.body).toContain('15:00</span> left')
  expect(page.body).toContain(`<noscript><meta http-equiv="refresh" content="1; url=${to}?seen=waiting.0"></noscript>`)
  expect(page.body).not.toContain(invoice?.token)
})

test('a form that is sent twice makes one sale; with other values, or once it is paid, it makes none', async () => {
  const form = { ...(await fieldsOfForm()), currency: 'grin', tip: '0', amount: '2' }
  const [first, second] = await Promise.all([cashier.post(CHARGE, form), cashier.post(CHARGE, form)])
  expect(second.headers.location).toBe(first.headers.location)
  expect(pos.till.asked).toHaveLength(1)

  const other = await followed(await cashier.post(CHARGE, { ...form, amount: '3' }))
  expect(other.page.body).toContain('had already made a sale with other values')
  expect(other.page.body).toContain('value="3"')

  const [invoice] = pos.till.invoices.values()
  pos.till.put({ ...invoice, status: 'paid', paidAt: NOON })
  const late = await followed(await cashier.post(CHARGE, form))
  expect(late.to).toMatch(/^\/console\/pos\?/)
  expect(late.page.body).toContain('had already made a sale, which is signed')
  expect(pos.till.asked).toHaveLength(1)
})

test.each([
  [{ amount: '0' }, 'The amount is 0'],
  [{ amount: '-1' }, 'cannot be negative'],
  [{ amount: '1,234' }, 'EUR has at most 2 decimals'],
  [{ amount: '1', note: 'x'.repeat(121) }, 'The note has 121 characters'],
  [{ amount: '1', sale: '' }, 'The form was not complete'],
])('what is refused comes back with the reason and everything typed: %j', async (fields, reason) => {
  const { to, page } = await followed(await charge(fields))
  expect(to).toMatch(/^\/console\/pos\?/)
  expect(page.body).toContain(reason)
  expect(page.body).toContain(`value="${fields.amount}"`)
  expect(pos.till.asked).toEqual([])
})

test('a refusal of the till is said in words of the counter', async () => {
  pos.till.createInvoice = async () => {
    throw amountOutOfRange(2n ** 60n)
  }
  const { page } = await followed(await charge({ amount: '999999999999', currency: 'grin' }))
  expect(page.body).toContain('at most 9007199.254740991 GRIN')
})

test('without a rate a currency cannot be chosen; without any there is GRIN, and the page says so', async () => {
  pos.prices.delete('eur')
  const some = (await cashier.get('/console/pos?currency=eur')).body
  expect(some).toContain('There is no exchange rate for EUR now.')
  expect(some).toMatch(/id="currency-eur"[^>]* disabled/)
  expect(some).toMatch(/id="currency-jpy"[^>]* checked/)
  pos.prices.delete('jpy')
  await pos.clock.advance(15_000)
  const none = (await cashier.get('/console/pos')).body
  expect(none).toContain('you can charge in GRIN only')
  expect(none).toMatch(/id="currency-grin"[^>]* checked/)
})

test('a till that is not ready says so on the keypad', async () => {
  pos.failed.add('relays')
  expect((await cashier.get('/console/pos')).body).toContain('The till is not ready: relays.')
})

test('what nobody has sent is signed, not paid: amber until a node has it, then green; later it is a record', async () => {
  const payment = aPayment({ settlement: 'replied' })
  pos.till.payments.set(payment.id, payment)
  const { id } = aSale({ status: 'paid', paidAt: NOON, paymentId: payment.id })
  const page = async () => (await cashier.get(`/console/pos/sales/${id}`)).body
  const lastSale = async () =>
    /class="last-sales[\s\S]*?class="tag (\w+">[\w ]+)/.exec((await cashier.get('/console/pos')).body)?.[1]
  expect(await page()).toMatch(/class="sale full signed"[\s\S]*<h1>Signed: <.*waiting for the network</)
  expect(await page()).toContain('<title>Signed 1.5 GRIN')
  expect(await page()).toContain('wallet still has to send it.')
  expect(await page()).not.toMatch(/\bpaid\b/i)
  expect(await lastSale()).toBe('warn">signed')
  pos.till.payments.set(payment.id, { ...payment, settlement: 'seen' })
  expect(await page()).toMatch(/class="sale full paid"[\s\S]*<h1>Paid<\/h1>/)
  expect(await page()).toContain('The network has it')
  expect(await lastSale()).toBe('good">paid')
  pos.till.put({ id, confirmations: 2 })
  expect(await page()).toContain('Confirmed 2 of 3')
  pos.till.put({ id, status: 'confirmed', confirmations: 3 })
  expect(await page()).not.toContain('data-live')
  site.time.now += 11 * MINUTE
  expect(await page()).not.toContain('<h1>Paid</h1>')
  expect(await page()).toContain('Confirmed 3 of 3')
})

test.each([
  ['mined', 'On the network', 'In a block. Each'],
  ['confirmed', 'In a block', 'Final.'],
] as const)('with PAY_POS_PAID_AT=%s it stays amber longer', async (paidFrom, amber, green) => {
  const strict = createTestPos({}, { paidFrom })
  const shop = await openTestConsole({ areas: [strict.area] })
  onTestFinished(() => shop.remove())
  const { get } = await shop.signIn('cashier', 'Till 1')
  const payment = aPayment({ settlement: 'seen' })
  strict.till.payments.set(payment.id, payment)
  const orderRef = 'pos-20260701-120000-abcdef'
  const { id } = strict.till.put({ orderRef, status: 'paid', paidAt: NOON, paymentId: payment.id })
  const page = async () => (await get(`/console/pos/sales/${id}`)).body
  expect(await page()).toContain('<h1>On the network: <')
  expect(await page()).not.toContain('<h1>Paid</h1>')
  if (paidFrom === 'confirmed') {
    strict.till.put({ id, confirmations: 2 })
    expect(await page()).toContain(`<h1>${amber}: <`)
    strict.till.put({ id, status: 'confirmed', confirmations: 3 })
  } else strict.till.put({ id, confirmations: 1 })
  expect(await page()).toContain('<h1>Paid</h1>')
  expect(await page()).toContain(green)
})

test('a sale whose time is over is watched for an hour, then no more', async () => {
  const { id } = aSale({ status: 'expired', expiresAt: NOON })
  const page = async () => (await cashier.get(`/console/pos/sales/${id}`)).body
  expect(await page()).toContain('data-live')
  site.time.now += 61 * MINUTE
  expect(await page()).not.toMatch(/data-live|refresh/)
})

test('a page that loads itself again waits for the payment', async () => {
  const { id } = aSale()
  const address = `/console/pos/sales/${id}?seen=waiting.0&code=page`
  const page = cashier.get(address)
  await pos.clock.advance(0)
  pos.till.put({ id, status: 'paid', paidAt: NOON })
  expect((await page).body).toContain('<h1>Signed: <')
  expect((await cashier.get(address)).body).toContain(`url=/console/pos/sales/${id}?seen=signed.0"`)
})

test('a sale can be cancelled until it is paid', async () => {
  const { id } = aSale()
  const cancel = async () => cashier.submit(`/console/pos/sales/${id}`, `/console/pos/sales/${id}/cancel`)
  const form = formFields((await cashier.get(`/console/pos/sales/${id}`)).body, `/console/pos/sales/${id}/cancel`)
  const { page } = await followed(await cancel())
  expect(page.body).toContain('The sale over 1.5 GRIN is cancelled')
  pos.till.put({ id, status: 'paid', paidAt: NOON })
  const late = await followed(await cashier.post(`/console/pos/sales/${id}/cancel`, form))
  expect(late.page.body).toContain('It was too late to cancel')
  expect(pos.till.invoices.get(id)?.status).toBe('paid')
})

test.each(['nope', 'f'.repeat(32)])('no sale "%s"', async (id) => {
  expect((await cashier.get(`/console/pos/sales/${id}`)).statusCode).toBe(404)
})

test('an invoice of the shop is no sale: neither shown nor cancelled', async () => {
  const { id } = pos.till.put({ orderRef: 'order-7' })
  expect((await cashier.get(`/console/pos/sales/${id}`)).statusCode).toBe(404)
  const cancel = pos.area.actions?.find((action) => action.id === 'pos.cancel')
  const request = { params: { id }, form: {} } as unknown as Parameters<NonNullable<typeof cancel>['perform']>[0]
  await expect(cancel?.perform(request)).rejects.toMatchObject({ code: 'CONSOLE_NO_SALE' })
  expect(pos.till.invoices.get(id)?.status).toBe('open')
})

test('the keypad lists the last twenty sales of the counter, newest first', async () => {
  pos.till.put({ orderRef: 'order-7', memo: 'of the shop' })
  for (let at = 10; at < 32; at++) aSale({ orderRef: `pos-20260701-1200${at}-abcdef`, memo: `Sale ${at}` })
  const { body } = await cashier.get('/console/pos')
  const listed = [...body.matchAll(/Sale (\d+)/g)].map(([, at]) => Number(at))
  expect(listed).toEqual(Array.from({ length: 20 }, (_, at) => 31 - at))
  expect(body).not.toContain('of the shop')
})

test('a sale that is over shows its tip', async () => {
  const { id } = aSale({ status: 'confirmed', paidAt: NOON - 100 * MINUTE, tip: '0.25' })
  expect((await cashier.get(`/console/pos/sales/${id}`)).body).toContain('<dt>Tip</dt><dd>0.25 GRIN, in the price</dd>')
})

test('the page of a sale leads those who see the books to its invoice', async () => {
  const operator = await site.signIn('operator')
  for (const status of ['open', 'paid', 'confirmed', 'cancelled'] as const) {
    const { id } = aSale({ status, ...(status === 'open' ? {} : { paidAt: NOON }) })
    const [seen, sold] = await Promise.all(
      [operator, cashier].map(async ({ get }) => (await get(`/console/pos/sales/${id}`)).body),
    )
    expect(seen).toContain(`href="/console/invoices/${id}"`)
    expect(sold).not.toContain('/console/invoices/')
  }
})

test('a viewer neither sees nor makes sales; the web app can be installed by who may sell', async () => {
  const viewer = await site.signIn('viewer')
  expect((await viewer.get('/console/pos')).statusCode).toBe(403)
  expect((await viewer.post(CHARGE, {})).statusCode).toBe(403)
  const manifest = await cashier.get('/console/pos/manifest.webmanifest')
  expect(manifest.headers['content-type']).toContain('application/manifest+json')
  const { icons, start_url, display } = manifest.json()
  expect([start_url, display]).toEqual(['/console/pos', 'standalone'])
  for (const { src } of icons) expect([src, (await cashier.get(src)).statusCode]).toEqual([src, 200])
})

test.each(['paid', 'signed'])('what fills the screen can be read: "%s"', (name) => {
  const css = readFileSync('templates/console/assets/pos.css', 'utf8')
  const colours = new RegExp(`--${name}: (#[0-9a-f]{6});\\s+--on-${name}: (#[0-9a-f]{6})`)
  const [, ground = '', text = ''] = colours.exec(css) ?? []
  expect(contrast(text, ground)).toBeGreaterThanOrEqual(4.5)
})

test('who sold what is in the audit log', async () => {
  await charge({ amount: '5', note: 'private' })
  const [entry] = (await site.store.auditPage(1)).items
  expect(entry).toMatchObject({
    person: 'Till 1',
    action: 'pos.charge',
    outcome: 'done',
    values: { amount: '5', currency: 'eur' },
  })
  expect(entry?.object).toMatch(/^pos-/)
  expect(JSON.stringify(entry)).not.toContain('private')
})
