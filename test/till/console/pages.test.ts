// The till's pages in the console: what they show, who may change what, and that nothing customers write is markup.
import { expect, onTestFinished, test } from 'vitest'
import { createTillArea } from '../../../src/till/console/index.js'
import { OUTCOMES } from '../../../src/till/console/labels.js'
import type { TillView } from '../../../src/till/console/view.js'
import { invoiceNotOpen } from '../../../src/till/errors.js'
import { AFTERMATH } from '../../../src/till/nostr/outcomes.js'
import { formFields, openTestConsole } from '../../support/console-app.js'
import { createBusyTill, createFakeTillView, troubled } from '../../support/fake-till-view.js'
import { anInvoice, grin } from '../../support/till-builders.js'

async function openPages(till: TillView) {
  const console = await openTestConsole({ areas: [createTillArea(till)] })
  onTestFinished(console.remove)
  return console
}

const pathsOf = ({ ids }: ReturnType<typeof createBusyTill>): readonly string[] => [
  '/console/today',
  '/console/invoices',
  '/console/invoices?q=coffees&status=paid&from=2026-01-01',
  `/console/invoices/${ids.open}`,
  `/console/invoices/${ids.mined}`,
  '/console/payments',
  '/console/payments?show=waiting',
  `/console/payments/${ids.waits}`,
  '/console/webhooks',
  '/console/webhooks?show=receiver-2',
  `/console/webhooks/${ids.failing}`,
  '/console/network',
]

const HOSTILE = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>{{7*7}}<%= 7 %>`

test('every page answers, small and without an inline style or script', async () => {
  const till = createBusyTill()
  const { get } = await (await openPages(till)).signIn('viewer')
  for (const path of pathsOf(till)) {
    const { statusCode, body } = await get(path)
    expect([path, statusCode]).toEqual([path, 200])
    expect(body).not.toMatch(/ style=|<script(?! type="module" src=)| on[a-z]+=/)
    expect(body).not.toContain('undefined')
    expect([path, body.length < 60_000]).toEqual([path, true])
  }
})

test('what customers and receivers write is text', async () => {
  const till = createBusyTill(HOSTILE)
  till.healthNow = troubled(HOSTILE)
  const { get } = await (await openPages(till)).signIn()
  for (const path of [...pathsOf(till), `/console/invoices?q=${encodeURIComponent(HOSTILE)}`]) {
    const { body } = await get(path)
    expect(body).not.toMatch(/<script>|<img src=x|onerror=alert\(1\)>/)
    expect(body).not.toContain('"\'>')
  }
  expect((await get(`/console/invoices/${till.ids.open}`)).body).toContain('&lt;script&gt;alert(1)')
})

test('a whole id or order offers to compare memos and amounts too', async () => {
  const till = createBusyTill()
  const invoices = async () => ({ items: [], next: null, unsearched: '1782900000000-0' })
  const { get } = await (await openPages({ ...till, invoices })).signIn('viewer')
  const { body } = await get('/console/invoices?q=order-7&status=open')
  expect(body).toContain('href="/console/invoices?q=order-7&amp;status=open&amp;cursor=1782900000000-0"')
})

test('what becomes of messages over Nostr is said in words', async () => {
  const { get } = await (await openPages(createBusyTill())).signIn('viewer')
  expect((await get('/console/network')).body).toContain('<dt>Payments refused, with the reason sent</dt>')
  expect(Object.keys(OUTCOMES).sort()).toEqual(Object.keys(AFTERMATH).sort())
})

test('an invoice priced in GRIN shows its tip and what GRIN was worth', async () => {
  const grinRate = { currency: 'usd', rate: '0.05', source: 'coingecko' }
  const invoice = async () => ({ invoice: anInvoice({ grinRate, tip: '0.25' }), payments: [], deliveries: [] })
  const { get } = await (await openPages({ ...createBusyTill(), invoice })).signIn('viewer')
  const { body } = await get(`/console/invoices/${'a'.repeat(32)}`)
  expect(body).toContain('<dd>0.25 GRIN, in the price</dd>')
  expect(body).toContain('0.05 USD per GRIN, from coingecko, for reports')
})

test('the round trip to a relay is shown in whole milliseconds', async () => {
  const { get } = await (await openPages(createBusyTill())).signIn('viewer')
  expect((await get('/console/network')).body).toContain('>41 ms<')
})

test('a page of the longest texts is small', async () => {
  const till = createFakeTillView()
  for (let i = 0; i < 60; i++) {
    const invoice = anInvoice({ orderRef: '"'.repeat(255), memo: "'".repeat(256) })
    till.records.set(invoice.id, { invoice, payments: [], deliveries: [] })
  }
  const { get } = await (await openPages(till)).signIn()
  const { body } = await get('/console/invoices')
  expect(body.match(/<tr role/g)).toHaveLength(51)
  expect(body).toContain('cursor=1-1')
  expect(Buffer.byteLength(body)).toBeLessThan(60_000)
})

test('today says that it is ready, or what is not and what to do', async () => {
  const till = createBusyTill()
  const { get } = await (await openPages(till)).signIn('viewer')
  const fine = (await get('/console/today')).body
  expect(fine).toMatch(/<h2 id="health">Ready/)
  expect(fine).toContain('<td class="number">')
  till.healthNow = troubled()
  const { body } = await get('/console/today')
  expect(body).toMatch(/<h2 id="health">Not ready/)
  expect(body).toContain('name a second one in PAY_NODE_URL')
  expect(body).toContain('2 alarms')
  expect(body).toContain('href="/console/webhooks?show=receiver-2"')
})

test('a fault of the settings names its remedy, and one that only informs leaves the till ready', async () => {
  const till = createBusyTill()
  const fault = { reason: 'a reason', hint: 'a hint' }
  till.healthNow = {
    ...till.healthNow,
    checks: [{ name: 'x', ok: false, detail: 'd', since: 0, informative: true, fault }],
  }
  const { body } = await (await (await openPages(till)).signIn()).get('/console/today')
  expect(body).toMatch(/<h2 id="health">Ready/)
  expect(body).toContain('a reason')
  expect(body).toContain('a hint')
})

test('pages on which nothing can be typed load themselves again, the others do not', async () => {
  const till = createBusyTill()
  const { get } = await (await openPages(till)).signIn()
  const reloads = async (path: string) =>
    (await get(path)).body.includes('<noscript><meta http-equiv="refresh" content="15">')
  for (const path of ['/console/today', '/console/payments', `/console/invoices/${till.ids.mined}`])
    expect([path, await reloads(path)]).toEqual([path, true])
  for (const path of ['/console/invoices', `/console/payments/${till.ids.waits}`])
    expect([path, await reloads(path)]).toEqual([path, false])
})

test.each(['/console/invoices/nothing', '/console/payments/x', `/console/webhooks/${'f'.repeat(32)}`])(
  '%s is a page that says so',
  async (path) => {
    const { get } = await (await openPages(createFakeTillView())).signIn()
    const { statusCode, body } = await get(path)
    expect(statusCode).toBe(404)
    expect(body).toContain('CONSOLE_NO_RECORD')
  },
)

test('a viewer is offered no change, and a cashier sees none of it', async () => {
  const till = createBusyTill()
  const console = await openPages(till)
  const viewer = await console.signIn('viewer')
  for (const path of pathsOf(till))
    expect((await viewer.get(path)).body).not.toMatch(/action="\/console\/(invoices|payments|webhooks)\/[^"]+\//)
  const cashier = await console.signIn('cashier')
  for (const path of [...pathsOf(till), '/console/live']) expect((await cashier.get(path)).statusCode).toBe(403)
})

const ACTIONS = [
  ['open', 'invoices', 'cancel', {}, 'cancel OPEN'],
  ['failing', 'webhooks', 'replay', {}, 'replay FAILING 2'],
  ['waits', 'payments', 'assign', {}, 'assign WAITS OPEN'],
] as const

test.each(ACTIONS)(
  '%s: a second step, then the change and its entry in the audit log',
  async (which, list, verb, fields, wanted) => {
    const till = createBusyTill()
    const console = await openPages(till)
    const person = await console.signIn()
    const page = `/console/${list}/${till.ids[which]}`
    const action = `${page}/${verb}`
    const asked = await person.submit(page, action, fields)
    expect([asked.statusCode, till.done]).toEqual([200, []])
    const answer = await person.post(action, formFields(asked.body, action))
    expect(answer.statusCode).toBe(303)
    const { open, failing, waits } = till.ids
    expect(till.done).toEqual([wanted.replace('OPEN', open).replace('FAILING', failing).replace('WAITS', waits)])
    expect((await person.get(String(answer.headers.location))).body).toContain('class="flash good"')
    expect((await console.store.auditPage(1)).items[0]).toMatchObject({
      action: `${list.slice(0, -1)}.${verb}`,
      outcome: 'done',
    })
  },
)

test('when the invoice was paid between the two steps, it is asked again and nothing is done', async () => {
  const till = createBusyTill()
  const person = await (await openPages(till)).signIn()
  const page = `/console/invoices/${till.ids.open}`
  const asked = await person.submit(page, `${page}/cancel`)
  const record = till.records.get(till.ids.open)
  if (record) till.records.set(till.ids.open, { ...record, invoice: { ...record.invoice, status: 'paid' } })
  const answer = await person.post(`${page}/cancel`, formFields(asked.body, `${page}/cancel`))
  expect(answer.statusCode).toBe(200)
  expect(answer.body).toContain('has changed since you looked')
  expect(till.done).toEqual([])
})

test('what the till refuses is a page with its reason, and audited as refused', async () => {
  const till = createBusyTill()
  till.cancel = async () => {
    throw invoiceNotOpen('paid')
  }
  const console = await openPages(till)
  const person = await console.signIn()
  const page = `/console/invoices/${till.ids.open}`
  const asked = await person.submit(page, `${page}/cancel`)
  const answer = await person.post(`${page}/cancel`, formFields(asked.body, `${page}/cancel`))
  expect(answer.statusCode).toBe(409)
  expect(answer.body).toContain('Only an open invoice can be cancelled')
  expect((await console.store.auditPage(1)).items[0]).toMatchObject({ outcome: 'refused: INVOICE_NOT_OPEN' })
})

test('an unmatched payment is offered the invoices of its amount only', async () => {
  const till = createBusyTill()
  const { get } = await (await openPages(till)).signIn()
  expect((await get(`/console/payments/${till.ids.waits}`)).body).toContain(`value="${till.ids.open}"`)
  till.invoicesFor = async () => []
  expect((await get(`/console/payments/${till.ids.waits}`)).body).toContain('asks for it')
  expect(grin(7)).toBe(till.paid.get(till.ids.waits)?.amount)
})
