// What the console and the point of sale read, whatever the store is made of: what they answer, and that each stops where it says.
import { beforeEach, describe, expect, test } from 'vitest'
import type { ConsoleReads, SaleReads, TillStore } from '../../../../src/till/index.js'
import {
  anEvent,
  anInvoice,
  aPayment,
  DAY,
  freshHex,
  grin,
  HOUR,
  MINUTE,
  NOON,
  SECOND,
  WORKER,
} from '../../../support/till-builders.js'

type Store = TillStore & ConsoleReads & SaleReads

/** `open` is called once per test; a store that owns a file cleans up with vitest's `onTestFinished`. */
export function describeConsoleReads(name: string, open: () => Promise<Store>): void {
  describe(`reads of the console: ${name}`, () => {
    let store: Store

    beforeEach(async () => {
      store = await open()
    })

    const put = async (over: Parameters<typeof anInvoice>[0] = {}) => {
      const invoice = anInvoice(over)
      await store.insertInvoice(invoice, NOON)
      return invoice
    }

    const receive = async (over: Parameters<typeof aPayment>[0] = {}) => {
      const payment = aPayment(over)
      await store.acceptPayment(payment, null, payment.createdAt, NOON - DAY)
      return payment
    }

    const confirm = (paymentId: string, at: number) =>
      store.confirmPayment(
        { paymentId, settlement: 'confirmed', minedHeight: 9, confirmations: 10, nextCheckAt: null },
        null,
        at,
      )

    const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)

    test('rows carry what a list shows and no wide text', async () => {
      const { id } = await put({
        orderRef: 'o-1',
        memo: 'two',
        fiat: { amount: '1', currency: 'USD', rate: '1', source: 'x' },
      })
      const { items } = await store.invoiceRows({}, { limit: 5 })
      expect(items).toEqual([
        {
          id,
          status: 'open',
          amount: grin(2),
          fiat: { amount: '1', currency: 'USD', rate: '1', source: 'x' },
          orderRef: 'o-1',
          memo: 'two',
          expiresAt: null,
          createdAt: NOON,
          paymentId: null,
          confirmations: 0,
        },
      ])
    })

    test('a list is filtered by status and days and goes on behind its cursor', async () => {
      const old = await put({ createdAt: NOON - DAY })
      const [first, second] = [await put({ createdAt: NOON }), await put({ createdAt: NOON + 1 })]
      await put({ createdAt: NOON + 2, status: 'cancelled' })
      const page = await store.invoiceRows({ status: 'open' }, { limit: 2 })
      expect(ids(page.items)).toEqual([second.id, first.id])
      expect(ids((await store.invoiceRows({ status: 'open' }, { limit: 2, cursor: page.next ?? '' })).items)).toEqual([
        old.id,
      ])
      expect(ids((await store.invoiceRows({ from: NOON, to: NOON + 1 }, { limit: 9 })).items)).toEqual([first.id])
    })

    test('a cursor and an end: the lower one counts', async () => {
      const [old, mid, late] = [
        await put({ createdAt: NOON - DAY }),
        await put({ createdAt: NOON }),
        await put({ createdAt: NOON + 1 }),
      ]
      const rows = async (to: number, cursor: string) =>
        ids((await store.invoiceRows({ to }, { limit: 9, cursor })).items)
      expect(await rows(NOON + 1, `${late.createdAt + 1}-99`)).toEqual([mid.id, old.id])
      expect(await rows(NOON + DAY, `${NOON}-0`)).toEqual([old.id])
      expect(await rows(NOON, `${NOON}-99`)).toEqual([old.id])
    })

    test('an order is found whole, newest first, then by its beginning; wildcards mean themselves', async () => {
      const [one, two] = [
        await put({ orderRef: 'a%1', createdAt: NOON }),
        await put({ orderRef: 'a%1', createdAt: NOON + 1 }),
      ]
      const longer = await put({ orderRef: 'a%10' })
      await put({ orderRef: 'ab1' })
      expect(ids(await store.invoicesOfOrder('a%1', 9))).toEqual([two.id, one.id, longer.id])
      expect(ids(await store.invoicesOfOrder('a%1', 1))).toEqual([two.id])
      expect(ids(await store.invoicesById(one.id.slice(0, 31), 9))).toContain(one.id)
      expect(await store.invoicesById('ffffff', 9)).toEqual([])
    })

    test('a scan finds memo, order and amount, and examines its span only', async () => {
      const found = [
        await put({ memo: 'Zwei KAFFEE <b>' }),
        await put({ orderRef: 'kaffee-7' }),
        await put({ amount: grin(7.5) }),
        await put({ fiat: { amount: '7.50', currency: 'eur', rate: '1', source: 'x' } }),
      ]
      const beyond = await put({ memo: 'kaffee', createdAt: NOON - HOUR })
      await put({ memo: 'tea' })
      const traits = { text: 'kaffee', amount: grin(7.5), fiatAmount: '7.5' }
      const step = await store.scanInvoices({ traits, span: 5, limit: 9 })
      expect(ids(step.items).sort()).toEqual(ids(found).sort())
      expect(step.reachedAt).toBe(NOON)
      const rest = await store.scanInvoices({ traits, span: 5, limit: 9, cursor: step.next ?? '' })
      expect([ids(rest.items), rest.next, rest.reachedAt]).toEqual([[beyond.id], null, null])
    })

    test.each([
      ['STRASSE', 'Neue Straße 7'],
      ['straße', 'NEUE STRASSE 7'],
      ['ПРИВЕТ', 'привет, мир'],
      ['caf\u00e9', 'CAFE\u0301 am Ring'],
      ['Καφές', 'ΚΑΦΈΣ'],
      ['kaffee', 'Großer KAFFEE'],
    ])('a scan for %s finds "%s", whatever the case and the composition', async (text, memo) => {
      const found = [await put({ memo }), await put({ orderRef: memo })]
      await put({ memo: 'чай ß', createdAt: NOON + 1 })
      const step = await store.scanInvoices({ traits: { text }, span: 9, limit: 9 })
      expect(ids(step.items).sort()).toEqual(ids(found).sort())
      const first = await store.scanInvoices({ traits: { text }, span: 9, limit: 1 })
      const second = await store.scanInvoices({ traits: { text }, span: 9, limit: 1, cursor: first.next ?? '' })
      expect(ids([...first.items, ...second.items]).sort()).toEqual(ids(found).sort())
    })

    test('a scan that is full goes on behind the last match, within status and days', async () => {
      for (const at of [0, 1, 2, 3])
        await put({ memo: 'x', createdAt: NOON + at, status: at === 2 ? 'cancelled' : 'open' })
      const request = { traits: { text: 'x' }, status: 'open', from: NOON, to: NOON + 3, span: 100, limit: 1 } as const
      const first = await store.scanInvoices(request)
      const second = await store.scanInvoices({ ...request, cursor: first.next ?? '' })
      expect([first, second].map(({ items }) => items[0]?.createdAt)).toEqual([NOON + 1, NOON])
      expect(second.next).toBeNull()
      expect((await store.scanInvoices({ ...request, traits: {} })).items).toEqual([])
    })

    test('payments by settlement, those that wait, and those of an invoice', async () => {
      const invoice = await put()
      const own = await receive({ invoiceId: invoice.id, createdAt: NOON })
      const waits = await receive({ createdAt: NOON + 1 })
      const gone = await receive({ createdAt: NOON + 2 })
      await store.abandonPayment(gone.id, null)
      expect(ids((await store.paymentRows('all', { limit: 9 })).items)).toEqual([gone.id, waits.id, own.id])
      expect(ids((await store.paymentRows('waiting', { limit: 9 })).items)).toEqual([waits.id])
      expect(ids((await store.paymentRows('abandoned', { limit: 9 })).items)).toEqual([gone.id])
      expect(ids(await store.paymentsOf(invoice.id, 9))).toEqual([own.id])
    })

    test('deliveries by state, failure, receiver and invoice; attempts newest first', async () => {
      const invoice = await put()
      const event = anEvent({ invoiceId: invoice.id, receivers: [1, 2] })
      await store.insertEvent(event)
      const attempt = { startedAt: NOON, durationMs: 1, httpStatus: 500, error: 'HTTP 500', answerHead: '', by: WORKER }
      for (const at of [0, 1, 2])
        await store.recordAttempt(event.eventId, 2, { ...attempt, startedAt: NOON + at }, NOON + DAY)
      const receivers = async (choice: Parameters<ConsoleReads['deliveryRows']>[0]) =>
        (await store.deliveryRows(choice, { limit: 9 })).items.map(({ receiver }) => receiver)
      expect(await receivers({ by: 'all' })).toEqual([2, 1])
      expect(await receivers({ by: 'failed' })).toEqual([2])
      expect(await receivers({ by: 'receiver', receiver: 1 })).toEqual([1])
      expect(await receivers({ by: 'state', state: 'pending' })).toEqual([2, 1])
      expect(await receivers({ by: 'invoice', invoiceId: invoice.id })).toEqual([2, 1])
      expect((await store.latestAttempts(event.eventId, 2, 2)).map(({ number }) => number)).toEqual([3, 2])
    })

    test('a sum covers its span only, and tells where to go on', async () => {
      const amounts = [grin(1), grin(2), grin(4)]
      for (const [at, amount] of amounts.entries()) {
        const { id } = await receive({ amount, createdAt: NOON + at * MINUTE })
        await confirm(id, NOON + HOUR + at * MINUTE)
      }
      const all = await store.paymentSum('received', NOON, NOON + DAY)
      expect(all).toEqual({ count: 3, amount: grin(7), until: NOON + DAY })
      expect(await store.paymentSum('confirmed', NOON + HOUR, NOON + HOUR + MINUTE)).toMatchObject({
        count: 1,
        amount: grin(1),
      })
      expect(await store.paymentSum('confirmed', NOON, NOON + HOUR)).toMatchObject({ count: 0, amount: 0n })
    })

    test('counts stop where they are told to', async () => {
      for (let i = 0; i < 3; i++) await put()
      await receive()
      expect(await store.openCounts(2)).toEqual({ openInvoices: 2, waitingPayments: 1, abandonedDeliveries: 0 })
    })

    test('the mark changes with every change a page shows, and not by itself', async () => {
      const marks = [await store.changeMark()]
      const mark = async () => marks.push(await store.changeMark())
      const invoice = await put()
      await mark()
      const { id } = await receive({ invoiceId: invoice.id })
      await mark()
      await store.recordSighting(
        { paymentId: id, settlement: 'mined', minedHeight: 1, confirmations: 1, nextCheckAt: NOON },
        NOON + SECOND,
      )
      await mark()
      const event = anEvent()
      await store.insertEvent(event)
      await mark()
      await store.recordAttempt(event.eventId, 1, {
        startedAt: NOON,
        durationMs: 1,
        httpStatus: 200,
        error: null,
        answerHead: '',
        by: WORKER,
      })
      await mark()
      await store.cancelInvoice((await put()).id)
      await mark()
      expect(new Set(marks).size).toBe(marks.length)
      await store.check()
      expect(await store.changeMark()).toBe(marks.at(-1))
    })

    test('no text of a search is SQL', async () => {
      await put({ memo: freshHex(8) })
      for (const text of ["' OR 1=1 --", '%', '_', '\\', '\0'])
        expect((await store.scanInvoices({ traits: { text }, span: 9, limit: 9 })).items).toEqual([])
    })

    test('the latest sales are those whose orders sort last, and none of another beginning', async () => {
      const orders = ['pos-20260701-1', 'pos-20260701-3', 'pos-20260701-2', 'pos-', 'pos.1', 'poS-9', 'po', null]
      for (const orderRef of orders) await put({ orderRef })
      const latest = async (limit: number) =>
        (await store.latestOfOrders('pos-', limit)).map(({ orderRef }) => orderRef)
      expect(await latest(2)).toEqual(['pos-20260701-3', 'pos-20260701-2'])
      expect(await latest(20)).toEqual(['pos-20260701-3', 'pos-20260701-2', 'pos-20260701-1'])
    })
  })
}
