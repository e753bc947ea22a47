import { describe, expect, test } from 'vitest'
import type { Invoice, Payment } from '../../../../src/till/index.js'
import { anEvent, anInvoice, aPayment, grin, NOON, SECOND } from '../../../support/till-builders.js'
import type { OpenStore } from './index.js'

const LATER = NOON + 5 * SECOND

export function describeAssigning(open: OpenStore): void {
  async function given(payment: Payment, ...invoices: readonly Invoice[]) {
    const store = await open()
    for (const invoice of invoices) await store.insertInvoice(invoice, NOON)
    await store.acceptPayment(payment, null, NOON, NOON)
    return store
  }

  describe('assigning an unmatched payment', () => {
    test('payment, invoice and event are written together', async () => {
      const [payment, invoice] = [aPayment(), anInvoice()]
      const store = await given(payment, invoice)
      const event = anEvent({ invoiceId: invoice.id })
      expect(await store.assignPayment(payment.id, invoice.id, 'received', [event], LATER)).toBe('assigned')
      expect((await store.paymentById(payment.id))?.invoiceId).toBe(invoice.id)
      expect(await store.invoiceById(invoice.id)).toMatchObject({
        status: 'paid',
        paymentId: payment.id,
        paidAt: LATER,
      })
      expect((await store.listDeliveries({ limit: 5 })).items).toHaveLength(1)
      expect((await store.listPayments({ unmatched: true, limit: 5 })).items).toEqual([])
    })

    test('an expired invoice takes a confirmed payment and is confirmed', async () => {
      const [payment, invoice] = [aPayment(), anInvoice({ expiresAt: NOON })]
      const store = await given(payment, invoice)
      await store.expireDue(NOON, 10)
      const deep = { paymentId: payment.id, settlement: 'confirmed', minedHeight: 7, confirmations: 10 } as const
      await store.confirmPayment({ ...deep, nextCheckAt: null }, null, NOON)
      expect(await store.assignPayment(payment.id, invoice.id, 'confirmed', [], LATER)).toBe('assigned')
      expect(await store.invoiceById(invoice.id)).toMatchObject({
        status: 'confirmed',
        paymentId: payment.id,
        confirmedAt: LATER,
        confirmations: 10,
      })
    })

    test('each refusal is named and writes nothing', async () => {
      const [payment, gone, taken] = [aPayment(), aPayment(), aPayment()]
      const [invoice, dear, cancelled, paid] = [anInvoice(), anInvoice({ amount: grin(3) }), anInvoice(), anInvoice()]
      const store = await given(payment, invoice, dear, cancelled, paid)
      for (const other of [gone, { ...taken, invoiceId: paid.id }]) await store.acceptPayment(other, null, NOON, NOON)
      await store.abandonPayment(gone.id, null)
      await store.cancelInvoice(cancelled.id)
      const assign = (paymentId: string, invoiceId: string, seen: Payment['settlement'] = 'received') =>
        store.assignPayment(paymentId, invoiceId, seen, [anEvent()], NOON)
      expect(await assign('00000000-0000-0000-0000-000000000000', invoice.id)).toBe('unknown-payment')
      expect(await assign(payment.id, 'f'.repeat(32))).toBe('unknown-invoice')
      expect(await assign(taken.id, invoice.id)).toBe('already-matched')
      expect(await assign(gone.id, invoice.id, 'abandoned')).toBe('not-assignable')
      expect(await assign(payment.id, cancelled.id)).toBe('not-assignable')
      expect(await assign(payment.id, paid.id)).toBe('not-assignable')
      expect(await assign(payment.id, dear.id)).toBe('other-amount')
      expect(await assign(payment.id, invoice.id, 'mined')).toBe('moved')
      expect((await store.listDeliveries({ limit: 5 })).items).toEqual([])
      expect((await store.invoiceById(invoice.id))?.status).toBe('open')
    })

    test('of two operators at once one wins', async () => {
      const [payment, a, b] = [aPayment(), anInvoice(), anInvoice()]
      const store = await given(payment, a, b)
      const answers = await Promise.all(
        [a, b].map(({ id }) => store.assignPayment(payment.id, id, 'received', [anEvent()], NOON)),
      )
      expect(answers.sort()).toEqual(['already-matched', 'assigned'])
    })
  })
}
