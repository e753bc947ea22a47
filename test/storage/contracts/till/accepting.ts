import { describe, expect, test } from 'vitest'
import { anEvent, anInvoice, aPayment, DAY, grin, look, NOON, SECOND } from '../../../support/till-builders.js'
import type { OpenStore } from './index.js'

export function describeAccepting(open: OpenStore): void {
  describe('accepting', () => {
    test('key indices are handed out once, counting up', async () => {
      const store = await open()
      const first = await store.takeKeyIndex()
      const rest = await Promise.all(Array.from({ length: 20 }, () => store.takeKeyIndex()))
      expect(new Set([first, ...rest]).size).toBe(21)
      expect(Math.min(...rest)).toBeGreaterThan(first)
      expect(await store.takeKeyIndex()).toBeGreaterThan(Math.max(...rest))
    })

    test('payment, invoice and event are written together', async () => {
      const store = await open()
      const invoice = anInvoice()
      await store.insertInvoice(invoice, NOON)
      const payment = aPayment({ invoiceId: invoice.id, payer: 'aa'.repeat(32), recipientPubkey: 'bb'.repeat(32) })
      const event = anEvent({ invoiceId: invoice.id, paymentId: payment.id })
      const now = NOON + 5 * SECOND
      expect(await store.acceptPayment(payment, event, now, now)).toEqual({ outcome: 'accepted' })
      expect(await store.paymentById(payment.id)).toEqual(payment)
      expect(await store.invoiceById(invoice.id)).toEqual({
        ...invoice,
        status: 'paid',
        paidAt: now,
        paymentId: payment.id,
      })
      expect((await store.claimDeliveries(1, look(now, 10))).map(({ eventId }) => eventId)).toEqual([event.eventId])
    })

    test('a payment keeps its proof, its fee and a large amount', async () => {
      const store = await open()
      const amount = grin(18_000_000)
      const payment = aPayment({
        amount,
        feeFields: (4n << 40n) | 23_500_000n,
        rail: 'nostr',
        proof: {
          amount,
          kernelExcess: '08'.repeat(33),
          recipientAddress: '11'.repeat(32),
          recipientSig: '22'.repeat(64),
          senderAddress: '33'.repeat(32),
        },
      })
      await store.acceptPayment(payment, null, NOON, NOON)
      expect(await store.paymentById(payment.id)).toEqual(payment)
      expect((await store.listPayments({ unmatched: true, limit: 5 })).items).toEqual([payment])
    })

    test('of several payments for one invoice at once exactly one is accepted', async () => {
      const store = await open()
      const invoice = anInvoice()
      await store.insertInvoice(invoice, NOON)
      const offers = Array.from({ length: 6 }, () => aPayment({ invoiceId: invoice.id }))
      const answers = await Promise.all(
        offers.map((payment) => store.acceptPayment(payment, anEvent({ paymentId: payment.id }), NOON, NOON)),
      )
      expect(answers.filter(({ outcome }) => outcome === 'accepted')).toHaveLength(1)
      expect(answers.filter((answer) => answer.outcome === 'not-open' && answer.status === 'paid')).toHaveLength(5)
      expect((await store.listPayments({ limit: 10 })).items).toHaveLength(1)
      expect((await store.listDeliveries({ limit: 10 })).items).toHaveLength(1)
    })

    test('a slate id is accepted once; the stored payment is the answer, before anything else is looked at', async () => {
      const store = await open()
      const invoice = anInvoice()
      await store.insertInvoice(invoice, NOON)
      const payment = aPayment({ invoiceId: invoice.id })
      await store.acceptPayment(payment, null, NOON, NOON)
      const again = aPayment({ id: payment.id, invoiceId: invoice.id, amount: grin(7) })
      const answer = await store.acceptPayment(again, anEvent(), NOON, NOON)
      expect(answer).toEqual({ outcome: 'known-slate', payment })
      expect((await store.listDeliveries({ limit: 10 })).items).toEqual([])
    })

    test('an invoice that is not payable refuses, naming its status', async () => {
      const store = await open()
      const [cancelled, overdue] = [anInvoice(), anInvoice({ expiresAt: NOON })]
      for (const invoice of [cancelled, overdue]) await store.insertInvoice(invoice, NOON)
      await store.cancelInvoice(cancelled.id)
      const offer = (invoiceId: string, cutoff: number) =>
        store.acceptPayment(aPayment({ invoiceId }), anEvent(), NOON, cutoff)
      expect(await offer(cancelled.id, NOON)).toEqual({ outcome: 'not-open', status: 'cancelled' })
      expect(await offer(overdue.id, NOON)).toEqual({ outcome: 'not-open', status: 'expired' })
      await store.expireDue(NOON, 10)
      expect(await offer(overdue.id, NOON)).toEqual({ outcome: 'not-open', status: 'expired' })
      expect((await store.listPayments({ limit: 10 })).items).toEqual([])
      expect(await offer(overdue.id, NOON - 1)).toEqual({ outcome: 'accepted' })
      expect((await store.invoiceById(overdue.id))?.status).toBe('paid')
    })

    test('an invoice priced anew refuses the old amount', async () => {
      const store = await open()
      const invoice = anInvoice({ amount: grin(3) })
      await store.insertInvoice(invoice, NOON)
      for (const amount of [grin(2), grin(4)]) {
        const answer = await store.acceptPayment(aPayment({ invoiceId: invoice.id, amount }), null, NOON, NOON)
        expect(answer).toEqual({ outcome: 'other-amount', amount: grin(3) })
      }
      expect((await store.invoiceById(invoice.id))?.status).toBe('open')
    })

    test('an answered payment is marked once and only from received', async () => {
      const store = await open()
      const payment = aPayment()
      await store.acceptPayment(payment, null, NOON, NOON)
      await store.markReplied(payment.id)
      expect((await store.paymentById(payment.id))?.settlement).toBe('replied')
      const sighting = { paymentId: payment.id, minedHeight: null, confirmations: 0, nextCheckAt: NOON }
      await store.recordSighting({ ...sighting, settlement: 'seen' }, NOON)
      await store.markReplied(payment.id)
      expect((await store.paymentById(payment.id))?.settlement).toBe('seen')
    })

    test('payments are listed newest first, by settlement and by match, in pages', async () => {
      const store = await open()
      const invoice = anInvoice()
      await store.insertInvoice(invoice, NOON)
      const made = [aPayment(), aPayment({ invoiceId: invoice.id }), aPayment({ createdAt: NOON + SECOND })]
      for (const payment of made) await store.acceptPayment(payment, null, NOON, NOON)
      await store.markReplied(made[0]?.id ?? '')
      const ids = async (filter: Parameters<typeof store.listPayments>[0]) =>
        (await store.listPayments(filter)).items.map(({ id }) => made.findIndex((payment) => payment.id === id))
      expect(await ids({ limit: 10 })).toEqual([2, 1, 0])
      expect(await ids({ limit: 10, unmatched: true })).toEqual([2, 0])
      expect(await ids({ limit: 10, unmatched: false })).toEqual([1])
      expect(await ids({ limit: 10, settlement: 'replied' })).toEqual([0])
      const first = await store.listPayments({ limit: 2 })
      expect(await ids({ limit: 2, cursor: first.next ?? 'none' })).toEqual([0])
    })

    test('the figures of a day count what came since, and what waits', async () => {
      const store = await open()
      const old = aPayment({ amount: grin(5), createdAt: NOON - DAY })
      for (const payment of [aPayment({ amount: grin(1) }), aPayment({ amount: grin(2) }), old])
        await store.acceptPayment(payment, null, NOON, NOON)
      expect(await store.dayFigures(NOON - 1000)).toEqual({
        received: { count: 2, amount: grin(3) },
        confirmed: { count: 0, amount: 0n },
        openInvoices: 0,
        unmatched: 3,
      })
      expect((await store.dayFigures(NOON - DAY)).received).toEqual({ count: 3, amount: grin(8) })
    })

    test('the balance counts every settlement, absent ones as zero', async () => {
      const store = await open()
      for (const amount of [grin(1), grin(2)]) await store.acceptPayment(aPayment({ amount }), null, NOON, NOON)
      const replied = aPayment({ amount: grin(5), createdAt: NOON - DAY })
      await store.acceptPayment(replied, null, NOON, NOON)
      await store.markReplied(replied.id)
      const none = { count: 0, amount: 0n }
      expect(await store.balance()).toEqual({
        received: { count: 2, amount: grin(3) },
        replied: { count: 1, amount: grin(5) },
        seen: none,
        mined: none,
        confirmed: none,
        abandoned: none,
      })
    })
  })
}
