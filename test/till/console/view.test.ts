// The till as the console reads it: bounded searches, sums that are read once, and nothing secret.
import { expect, onTestFinished, test, vi } from 'vitest'
import { createDaySums } from '../../../src/till/console/day-sums.js'
import { createInvoiceSearch } from '../../../src/till/console/search.js'
import { createTillView } from '../../../src/till/console/view.js'
import { createFakeTill } from '../../support/fake-till.js'
import { openTemporaryStore } from '../../support/temporary-store.js'
import { anInvoice, aPayment, DAY, grin, HOUR, MINUTE, NOON } from '../../support/till-builders.js'

const MIDNIGHT = NOON - 12 * HOUR

async function temporaryStore() {
  const { store, remove } = await openTemporaryStore()
  onTestFinished(remove)
  return store
}

/** Payments by their moment; one call reads at most two. */
function sumsOf(rows: readonly { readonly at: number; readonly amount: bigint }[]) {
  const asked: number[] = []
  const paymentSum = async (_moment: string, from: number, to: number) => {
    const here = rows.filter(({ at }) => at >= from && at < to).sort((a, b) => a.at - b.at)
    asked.push(here.length)
    const until = here[2]?.at ?? to
    const within = here.filter(({ at }) => at < until)
    return { count: within.length, amount: grin(Number(within.reduce((sum, row) => sum + row.amount, 0n))), until }
  }
  const time = { now: NOON, ticks: 0 }
  const pass = (ms: number): void => {
    time.now += ms
    time.ticks += ms
  }
  const sums = createDaySums({ paymentSum }, { now: () => time.now, monotonic: () => time.ticks })
  return { sums, asked, time, pass }
}

const FIVE = Array.from({ length: 5 }, (_, i) => ({ at: MIDNIGHT - DAY + i * HOUR, amount: 1n }))

test('a day is summed in steps, and once it is over it is not read again', async () => {
  const { sums, asked, pass } = sumsOf(FIVE)
  const [yesterday] = await sums.last(2)
  expect(yesterday).toEqual({ day: MIDNIGHT - DAY, count: 5, amount: grin(5) })
  expect(asked.filter((rows) => rows > 0)).toEqual([5, 3, 1])
  asked.length = 0
  pass(MINUTE)
  expect(await sums.last(2)).toMatchObject([{ count: 5 }, { count: 0 }])
  expect(asked.filter((rows) => rows > 0)).toEqual([])
})

test('what came since is added, also what was stored a little late', async () => {
  const rows = [{ at: NOON - HOUR, amount: 1n }]
  const { sums, pass } = sumsOf(rows)
  expect(await sums.today('confirmed')).toEqual({ count: 1, amount: grin(1) })
  rows.push({ at: NOON - 30_000, amount: 2n })
  pass(MINUTE)
  expect(await sums.today('confirmed')).toEqual({ count: 2, amount: grin(3) })
})

test('a clock that is set back begins the day anew', async () => {
  const { sums, time } = sumsOf([{ at: NOON - HOUR, amount: 1n }])
  time.now = NOON + DAY
  await sums.today('confirmed')
  for (const now of [NOON, NOON - 2 * HOUR]) {
    time.now = now
    expect(await sums.today('confirmed')).toEqual({ count: 1, amount: grin(1) })
  }
})

test('a day that was over by a clock that was ahead is read anew, also when nobody looked until it was over', async () => {
  const rows: { at: number; amount: bigint }[] = []
  const { sums, time, pass } = sumsOf(rows)
  time.now = NOON + 3 * DAY
  expect(await sums.last(4)).toMatchObject([{ count: 0 }, { count: 0 }, { count: 0 }, { count: 0 }])
  time.now = NOON
  rows.push({ at: NOON + DAY, amount: 1n })
  pass(3 * DAY)
  expect(await sums.last(4)).toMatchObject([{ count: 0 }, { count: 1 }, { count: 0 }, { count: 0 }])
})

test('a search that finds nothing ends at its bound, and says how far it came', async () => {
  let steps = 0
  const scanInvoices = async () => {
    steps += 1
    return { items: [], next: `${NOON - steps}-1`, reachedAt: NOON - steps }
  }
  const none = async () => []
  const { search } = createInvoiceSearch({
    scanInvoices,
    invoicesOfOrder: none,
    invoicesById: none,
    idsLike: none,
    invoiceRows: vi.fn(),
    paymentRow: vi.fn(),
  })
  expect(await search({ text: 'tea', limit: 50 })).toEqual({
    items: [],
    next: `${NOON - 10}-1`,
    searchedBackTo: NOON - 10,
  })
  expect(steps).toBe(10)
})

test('a whole id or order answers without a walk, and a walk can follow', async () => {
  const store = await temporaryStore()
  const [one, other] = [
    anInvoice({ orderRef: 'order-7' }),
    anInvoice({ orderRef: 'order-70', memo: 'instead of order-7' }),
  ]
  for (const invoice of [one, other]) await store.insertInvoice(invoice, NOON)
  let steps = 0
  const scanInvoices: typeof store.scanInvoices = (request) => {
    steps += 1
    return store.scanInvoices(request)
  }
  const { search } = createInvoiceSearch({ ...store, scanInvoices })
  const found = async (text: string, more: object = {}) => {
    const { items, ...rest } = await search({ text, limit: 50, ...more })
    return { ...rest, ids: items.map(({ id }) => id) }
  }
  expect(await found(one.id)).toMatchObject({ ids: [one.id], next: null })
  const whole = await found('order-7', { to: NOON + DAY })
  expect([whole.ids, steps]).toEqual([[one.id, other.id], 0])
  expect(await found('order-7', { to: NOON + DAY, cursor: whole.unsearched })).toMatchObject({
    ids: [other.id, one.id],
    next: null,
  })
  expect(await found('order-7', { status: 'paid' })).toEqual({ ids: [], next: null })
  expect(steps).toBeGreaterThan(1)
})

test('an order with more invoices than are read at once is walked', async () => {
  const store = await temporaryStore()
  for (let i = 0; i < 12; i++) await store.insertInvoice(anInvoice({ orderRef: 'names', createdAt: NOON + i }), NOON)
  const { items, unsearched } = await createInvoiceSearch(store).search({ text: 'names', limit: 50 })
  expect([items.length, unsearched]).toEqual([12, undefined])
})

test('one field finds ids, orders, memos, amounts and payments, each once', async () => {
  const store = await temporaryStore()
  const one = anInvoice({ orderRef: 'order-7', memo: 'order-7, two teas', amount: grin(12.5) })
  await store.insertInvoice(one, NOON)
  const payment = aPayment({ id: 'abcdef01-0000-4000-8000-000000000001' })
  await store.acceptPayment(payment, null, NOON, NOON)
  const { search, payable } = createInvoiceSearch(store)
  const found = async (text: string) => (await search({ text, limit: 50 })).items.map(({ id }) => id)
  for (const text of [one.id, one.id.slice(0, 30).toUpperCase(), 'order-7', 'order', 'TWO tea', '12.5', '12,50 grin'])
    expect([text, await found(text)]).toEqual([text, [one.id]])
  expect(await found('12.51')).toEqual([])
  expect(await found('99999999999.999999999')).toEqual([])
  expect((await search({ text: 'order', status: 'paid', limit: 50 })).items).toEqual([])
  expect((await search({ text: 'order', to: NOON, limit: 50 })).items).toEqual([])
  expect((await search({ text: 'abcdef01', limit: 50 })).payment?.id).toBe(payment.id)
  expect((await payable(grin(12.5), 5)).map(({ id }) => id)).toEqual([one.id])
  expect(await payable(grin(1), 5)).toEqual([])
})

async function viewParts() {
  const store = await temporaryStore()
  const time = { now: NOON }
  const clock = { now: () => time.now, monotonic: () => time.now, sleep: () => new Promise<void>(() => undefined) }
  const till = createFakeTill()
  const checks = async () => [{ name: 'node', ok: true, detail: 'at block 7' }]
  return { time, parts: { till, store, checks, clock, nodes: ['http://node.example'] } }
}

test('an invoice comes with its payments, messages and webhooks, and without what opens its checkout', async () => {
  const { parts } = await viewParts()
  const { till, store } = parts
  const invoice = till.put({ status: 'paid', payLink: 'goblin:secret', slatepack: 'BEGINSLATEPACK' })
  await store.insertInvoice({ ...invoice, status: 'open' }, NOON)
  const payment = aPayment({ invoiceId: invoice.id, rail: 'nostr' })
  const event = {
    eventId: 'e'.repeat(32),
    type: 'payment.received',
    invoiceId: invoice.id,
    paymentId: payment.id,
  } as const
  await store.acceptPayment(
    payment,
    { ...event, body: '{"secret":1}', createdAt: NOON, receivers: [1, 2] },
    NOON,
    NOON,
    {
      messages: [{ kind: 'reply', layout: 'plain' }],
    },
  )
  const view = createTillView(parts)
  const record = await view.invoice(invoice.id)
  expect(record?.payments.map((one) => [one.payment.id, one.messages.map(({ kind }) => kind)])).toEqual([
    [payment.id, ['reply']],
  ])
  expect(record?.deliveries.map(({ delivery }) => delivery.receiver)).toEqual([1, 2])
  const deliveries = await view.deliveriesOf(event.eventId)
  const text = JSON.stringify([record, deliveries, await view.payment(payment.id)], (_, value) =>
    String(value) === value || typeof value !== 'bigint' ? value : `${value}`,
  )
  for (const secret of [invoice.token, 'goblin:secret', 'SLATEPACK', '"secret"', '<svg'])
    expect(text).not.toContain(secret)
  expect(await view.invoice('f'.repeat(32))).toBeUndefined()
})

test('a node that hangs holds up the first page only, and a health of old is not shown', async () => {
  let answer = true
  const status = () => (answer ? createFakeTill().status() : new Promise<never>(() => undefined))
  const { parts, time } = await viewParts()
  const view = createTillView({ ...parts, till: { ...parts.till, status } })
  const first = await view.health()
  expect(first.checks).toMatchObject([{ name: 'node', ok: true }])
  const mark = await view.changeMark()
  answer = false
  time.now += 5000
  expect(await view.health()).toBe(first)
  expect(await view.changeMark()).toBe(mark)
  time.now += 10_000
  const late = await Promise.race([view.health(), new Promise((resolve) => setTimeout(resolve, 20, 'waits'))])
  expect(late).toBe('waits')
})
