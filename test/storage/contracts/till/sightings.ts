import { describe, expect, test } from 'vitest'
import type { Payment, Sighting, TillStore } from '../../../../src/till/index.js'
import {
  anEvent,
  anInvoice,
  aPayment,
  DAY,
  grin,
  look,
  MINUTE,
  NOON,
  SECOND,
  WORKER,
} from '../../../support/till-builders.js'
import type { OpenStore } from './index.js'

const minedOf = (payment: Payment, confirmations: number): Sighting => ({
  paymentId: payment.id,
  settlement: 'mined',
  minedHeight: 1_000_010,
  confirmations,
  nextCheckAt: NOON + MINUTE,
})

export function describeSightings(open: OpenStore): void {
  async function paidInvoice() {
    const store = await open()
    const invoice = anInvoice()
    await store.insertInvoice(invoice, NOON)
    const payment = aPayment({ invoiceId: invoice.id })
    await store.acceptPayment(payment, null, NOON, NOON)
    return { store, payment, invoice }
  }
  const both = async (store: TillStore, payment: Payment) => ({
    payment: await store.paymentById(payment.id),
    invoice: await store.invoiceById(payment.invoiceId ?? ''),
  })

  describe('watching the chain', () => {
    test('a look put off further than any schedule goes is due: a clock ran ahead', async () => {
      const store = await open()
      const [late, far] = [10 * MINUTE, 10 * MINUTE + 1].map((ms) => aPayment({ nextCheckAt: NOON + ms }))
      for (const payment of [late, far]) if (payment) await store.acceptPayment(payment, null, NOON, NOON)
      expect((await store.claimChecks(look(NOON, 10))).map(({ id }) => id)).toEqual([far?.id])
    })

    test('what is due comes soonest first, at most the limit', async () => {
      const store = await open()
      const times = [NOON + SECOND, NOON - SECOND, null, NOON, NOON - MINUTE]
      const made = times.map((nextCheckAt) => aPayment({ nextCheckAt }))
      for (const payment of made) await store.acceptPayment(payment, null, NOON, NOON)
      const order = async (limit: number) =>
        (await store.claimChecks(look(NOON, limit))).map(({ id }) => made.findIndex((payment) => payment.id === id))
      expect(await order(10)).toEqual([4, 1, 3])
      expect(await order(2)).toEqual([4, 1])
      await store.postponeCheck(made[4]?.id ?? '', NOON + MINUTE)
      await store.postponeCheck(made[1]?.id ?? '', null)
      expect(await order(10)).toEqual([3])
    })

    test('young payments come newest first, at most the limit, without those that are confirmed', async () => {
      const store = await open()
      const ages = [11 * MINUTE, 10 * MINUTE, MINUTE, 0, -SECOND]
      const made = ages.map((age) => aPayment({ createdAt: NOON - age }))
      const done = aPayment({ createdAt: NOON, settlement: 'confirmed' })
      for (const payment of [...made, done]) await store.acceptPayment(payment, null, NOON, NOON)
      const young = async (limit: number) => store.youngPayments({ from: NOON - 10 * MINUTE, to: NOON, limit })
      expect(await young(10)).toEqual([made[3], made[2], made[1]])
      expect(await young(2)).toEqual([made[3], made[2]])
    })

    test('hastening brings a later check forward and nothing else: not an earlier, an ended or a leased one', async () => {
      const store = await open()
      const times = [NOON + MINUTE, NOON - MINUTE, null]
      const made = times.map((nextCheckAt) => aPayment({ nextCheckAt }))
      for (const payment of made) await store.acceptPayment(payment, null, NOON, NOON)
      const ids = made.map(({ id }) => id)
      await store.hastenChecks(ids, NOON)
      await store.hastenChecks([], NOON)
      const after = await Promise.all(ids.map((id) => store.paymentById(id)))
      expect(after.map((payment) => payment?.nextCheckAt)).toEqual([NOON, NOON - MINUTE, null])
      expect(after[0]).toEqual({ ...made[0], nextCheckAt: NOON })
      const claim = { now: NOON, leaseMs: MINUTE, by: WORKER, limit: 10 }
      expect(await store.claimChecks(claim)).toHaveLength(2)
      await store.hastenChecks(ids, NOON)
      expect(await store.claimChecks(claim)).toEqual([])
    })

    test('postponing moves the check and nothing else', async () => {
      const { store, payment } = await paidInvoice()
      await store.abandonPayment(payment.id, NOON)
      await store.postponeCheck(payment.id, NOON + DAY)
      const after = await both(store, payment)
      expect(after.payment).toEqual({ ...payment, settlement: 'abandoned', nextCheckAt: NOON + DAY })
      expect(after.invoice?.status).toBe('expired')
    })

    test('the depth is kept on the payment and on its invoice; the first sight in a block is dated', async () => {
      const { store, payment } = await paidInvoice()
      await store.recordSighting(minedOf(payment, 1), NOON + MINUTE)
      await store.recordSighting(minedOf(payment, 3), NOON + 3 * MINUTE)
      const after = await both(store, payment)
      expect(after.payment).toMatchObject({
        settlement: 'mined',
        minedHeight: 1_000_010,
        confirmations: 3,
        minedAt: NOON + MINUTE,
        nextCheckAt: NOON + MINUTE,
      })
      expect(after.invoice).toMatchObject({ status: 'paid', confirmations: 3 })
    })

    test('a vanished kernel counts back to zero', async () => {
      const { store, payment } = await paidInvoice()
      await store.recordSighting(minedOf(payment, 3), NOON)
      const gone: Sighting = { ...minedOf(payment, 0), settlement: 'replied', minedHeight: null }
      await store.recordSighting(gone, NOON)
      const after = await both(store, payment)
      expect(after.payment).toMatchObject({ settlement: 'replied', minedHeight: null, confirmations: 0, minedAt: null })
      expect(after.invoice).toMatchObject({ status: 'paid', confirmations: 0 })
    })

    test('confirming writes depth, payment, invoice and event together, once', async () => {
      const { store, payment } = await paidInvoice()
      const deep: Sighting = { ...minedOf(payment, 10), settlement: 'confirmed', nextCheckAt: null }
      const now = NOON + 10 * MINUTE
      const answers = await Promise.all([
        store.confirmPayment(deep, () => anEvent({ type: 'payment.confirmed' }), now),
        store.confirmPayment(deep, () => anEvent({ type: 'payment.confirmed' }), now),
      ])
      expect(answers.filter((answer) => answer === false)).toHaveLength(1)
      const after = await both(store, payment)
      expect(after.payment).toMatchObject({
        settlement: 'confirmed',
        confirmations: 10,
        confirmedAt: now,
        minedAt: now,
        nextCheckAt: null,
      })
      expect(after.invoice).toMatchObject({ status: 'confirmed', confirmedAt: now, confirmations: 10 })
      expect((await store.listDeliveries({ limit: 10 })).items).toHaveLength(1)
    })

    test('a confirmed payment is final: no sighting and no abandonment moves it', async () => {
      const { store, payment } = await paidInvoice()
      const deep: Sighting = { ...minedOf(payment, 10), settlement: 'confirmed' }
      await store.confirmPayment(deep, null, NOON)
      const before = await both(store, payment)
      await store.recordSighting({ ...deep, settlement: 'replied', minedHeight: null, confirmations: 0 }, NOON)
      expect(await store.abandonPayment(payment.id, null)).toBe(false)
      expect(await both(store, payment)).toEqual(before)
    })

    test('a payment that took three weeks counts on the day it is confirmed', async () => {
      const store = await open()
      const payment = aPayment({ createdAt: NOON - 21 * DAY })
      await store.acceptPayment(payment, null, NOON, NOON)
      await store.confirmPayment({ ...minedOf(payment, 10), settlement: 'confirmed' }, null, NOON)
      const { confirmed, received } = await store.dayFigures(NOON)
      expect([confirmed, received.count]).toEqual([{ count: 1, amount: payment.amount }, 0])
    })

    test('an unmatched payment is confirmed too', async () => {
      const store = await open()
      const payment = aPayment()
      await store.acceptPayment(payment, null, NOON, NOON)
      expect(
        await store.confirmPayment({ ...minedOf(payment, 10), settlement: 'confirmed' }, () => anEvent(), NOON),
      ).toEqual({ settled: null })
      expect((await store.paymentById(payment.id))?.settlement).toBe('confirmed')
    })

    test('an unknown payment confirms nothing', async () => {
      const store = await open()
      const stranger = aPayment()
      expect(
        await store.confirmPayment({ ...minedOf(stranger, 10), settlement: 'confirmed' }, () => anEvent(), NOON),
      ).toBe(false)
      expect((await store.listDeliveries({ limit: 1 })).items).toEqual([])
    })
  })

  describe('abandoned payments', () => {
    test('the invoice of an abandoned payment expires and still names it', async () => {
      const { store, payment } = await paidInvoice()
      expect(await store.abandonPayment(payment.id, NOON + DAY)).toBe(true)
      expect(await store.abandonPayment(payment.id, NOON + DAY)).toBe(false)
      const after = await both(store, payment)
      expect(after.payment).toMatchObject({ settlement: 'abandoned', nextCheckAt: NOON + DAY })
      expect(after.invoice).toMatchObject({ status: 'expired', paymentId: payment.id })
    })

    test('a mined payment cannot be abandoned', async () => {
      const { store, payment } = await paidInvoice()
      await store.recordSighting(minedOf(payment, 1), NOON)
      expect(await store.abandonPayment(payment.id, null)).toBe(false)
      expect((await both(store, payment)).invoice?.status).toBe('paid')
    })

    test('a late kernel takes payment and invoice back', async () => {
      const { store, payment } = await paidInvoice()
      await store.abandonPayment(payment.id, NOON)
      await store.recordSighting(minedOf(payment, 2), NOON + DAY)
      const after = await both(store, payment)
      expect(after.payment?.settlement).toBe('mined')
      expect(after.invoice).toMatchObject({ status: 'paid', paidAt: NOON, confirmations: 2 })
    })

    test('a kernel that comes very late confirms at once', async () => {
      const { store, payment } = await paidInvoice()
      await store.abandonPayment(payment.id, NOON)
      await store.confirmPayment({ ...minedOf(payment, 99), settlement: 'confirmed' }, null, NOON + DAY)
      const after = await both(store, payment)
      expect(after.invoice).toMatchObject({ status: 'confirmed', paidAt: NOON, confirmedAt: NOON + DAY })
    })

    test('a reopened invoice is free for the next payer, and then the late kernel does not touch it', async () => {
      const { store, payment, invoice } = await paidInvoice()
      expect(await store.abandonPayment(payment.id, NOON, true)).toBe(true)
      expect(await store.invoiceById(invoice.id)).toEqual(invoice)
      const next = aPayment({ invoiceId: invoice.id })
      expect(await store.acceptPayment(next, null, NOON, NOON)).toEqual({ outcome: 'accepted' })
      await store.recordSighting(minedOf(payment, 2), NOON)
      expect((await store.paymentById(payment.id))?.settlement).toBe('mined')
      expect(await store.invoiceById(invoice.id)).toMatchObject({ paymentId: next.id, confirmations: 0 })
      await store.confirmPayment({ ...minedOf(payment, 10), settlement: 'confirmed' }, null, NOON)
      expect(await store.invoiceById(invoice.id)).toMatchObject({ status: 'paid', paymentId: next.id })
    })

    test('a payment that is confirmed without settling its invoice has none any more, and names it as the one it was made for', async () => {
      const { store, payment, invoice } = await paidInvoice()
      expect(await store.paymentById(payment.id)).toMatchObject({ invoiceId: invoice.id, intendedInvoiceId: null })
      await store.abandonPayment(payment.id, NOON, true)
      await store.cancelInvoice(invoice.id)
      const deep: Sighting = { ...minedOf(payment, 10), settlement: 'confirmed' }
      expect(await store.confirmPayment(deep, null, NOON)).toEqual({ settled: null })
      const stray = await store.paymentById(payment.id)
      expect(stray).toMatchObject({ invoiceId: null, intendedInvoiceId: invoice.id, settlement: 'confirmed' })
      expect((await store.listPayments({ unmatched: true, limit: 5 })).items).toEqual([stray])
      expect((await store.dayFigures(NOON)).unmatched).toBe(1)
      const other = anInvoice()
      await store.insertInvoice(other, NOON)
      expect(await store.assignPayment(payment.id, other.id, 'confirmed', [], NOON)).toBe('assigned')
      expect(await store.paymentById(payment.id)).toMatchObject({ invoiceId: other.id, intendedInvoiceId: invoice.id })
      expect(await store.invoiceById(other.id)).toMatchObject({ status: 'confirmed', paymentId: payment.id })
    })

    test('its event waits for the earlier events of the invoice it was made for', async () => {
      const { store, payment, invoice } = await paidInvoice()
      const received = anEvent({ invoiceId: invoice.id, paymentId: payment.id })
      await store.insertEvent(received)
      await store.abandonPayment(payment.id, NOON, true)
      await store.cancelInvoice(invoice.id)
      const unsettled = anEvent({ type: 'payment.confirmed', paymentId: payment.id })
      await store.confirmPayment({ ...minedOf(payment, 10), settlement: 'confirmed' }, () => unsettled, NOON)
      const due = async () => (await store.claimDeliveries(1, look(NOON, 5))).map(({ eventId }) => eventId)
      expect(await due()).toEqual([received.eventId])
      const done = { startedAt: NOON, durationMs: 1, httpStatus: 200, error: null, answerHead: '', by: WORKER }
      await store.recordAttempt(received.eventId, 1, done)
      expect(await due()).toEqual([unsettled.eventId])
    })

    test('a reopened invoice without a payment goes back to the late kernel', async () => {
      const { store, payment, invoice } = await paidInvoice()
      await store.abandonPayment(payment.id, NOON, true)
      await store.recordSighting(minedOf(payment, 2), NOON + DAY)
      expect(await store.invoiceById(invoice.id)).toMatchObject({
        status: 'paid',
        paymentId: payment.id,
        paidAt: NOON + DAY,
        confirmations: 2,
      })
    })

    test('a reopened invoice that was priced anew is not settled with the old amount', async () => {
      const store = await open()
      const fiat = { amount: '10.00', currency: 'USD', rate: '0.02', source: 'fixed' }
      const invoice = anInvoice({ fiat })
      await store.insertInvoice(invoice, NOON)
      const payment = aPayment({ invoiceId: invoice.id })
      await store.acceptPayment(payment, null, NOON, NOON)
      await store.abandonPayment(payment.id, NOON, true)
      await store.expireInvoice(invoice.id, NOON + DAY)
      const { payLink, qrSvg } = invoice
      const dearer = { amount: grin(4), fiat, expiresAt: NOON + 2 * DAY, payLink, qrSvg }
      expect(await store.requote(invoice.id, 0, dearer)).toBe('requoted')
      const asked = await store.invoiceById(invoice.id)
      await store.recordSighting(minedOf(payment, 2), NOON + DAY)
      await store.confirmPayment({ ...minedOf(payment, 10), settlement: 'confirmed' }, null, NOON + DAY)
      expect(await store.invoiceById(invoice.id)).toEqual(asked)
      expect((await store.paymentById(payment.id))?.settlement).toBe('confirmed')
    })
  })
}
