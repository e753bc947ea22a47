import { nanoGrin } from '../../src/grin/amount/index.js'
import { LONGEST_WAIT_MS } from '../../src/lib/due-times.js'
import type { Payment, PaymentStore, QueuedEvent, Settlement, Sighting } from '../../src/till/index.js'
import { endReply, insertLetters } from './fake-letter-store.js'
import { closeSlates, finalizeSlate, followKernel } from './fake-slates.js'
import { isDue, isPayable, pageOf, raiseKeyIndex, type Tables } from './fake-tables.js'

export function fakePaymentStore(
  tables: Tables,
  insertEvent: (event: QueuedEvent, intendedInvoiceId?: string | null) => void,
): PaymentStore {
  const { invoices, payments } = tables
  const { held } = tables.leases.check

  /** The invoice this payment may change: the one that names it, or the free one an abandoned payment gave back. */
  function invoiceOf(payment: Payment) {
    const invoice = payment.invoiceId === null ? undefined : invoices.get(payment.invoiceId)
    if (!invoice || invoice.status === 'cancelled') return undefined
    const free = invoice.paymentId === null && invoice.amount === payment.amount
    return free || invoice.paymentId === payment.id ? invoice : undefined
  }

  function write(payment: Payment, sighting: Sighting, now: number) {
    const mined = sighting.minedHeight !== null
    const unmoved = payment.settlement === 'received' || payment.settlement === 'abandoned'
    const settlement = sighting.settlement === 'replied' && unmoved ? payment.settlement : sighting.settlement
    payments.update(payment.id, {
      settlement,
      minedHeight: sighting.minedHeight,
      confirmations: sighting.confirmations,
      nextCheckAt: sighting.nextCheckAt,
      output: sighting.output ?? null,
      minedAt: mined ? (payment.minedAt ?? now) : null,
      ...(sighting.settlement === 'confirmed' && { confirmedAt: now }),
    })
    if (sighting.settlement !== 'replied') endReply(tables, payment.id)
    followKernel(tables, payment, settlement, now)
  }

  return {
    takeKeyIndex: async () => tables.counter.next++,
    async acceptPayment(payment, event, now, cutoff, { finished, letters = [] } = {}) {
      const known = payments.get(payment.id)
      if (known) return { outcome: 'known-slate', payment: known }
      if (payment.invoiceId !== null) {
        const invoice = invoices.get(payment.invoiceId)
        if (!invoice) throw new Error(`no invoice ${payment.invoiceId}`)
        if (!isPayable(invoice, cutoff))
          return { outcome: 'not-open', status: invoice.status === 'open' ? 'expired' : invoice.status }
        if (invoice.amount !== payment.amount) return { outcome: 'other-amount', amount: invoice.amount }
        const slate = finished && tables.slates.get(finished.slateId)
        if (finished && (slate?.state !== 'open' || slate.invoiceId !== invoice.id)) return { outcome: 'slate-closed' }
        invoices.update(invoice.id, { status: 'paid', paidAt: now, paymentId: payment.id, confirmations: 0 })
      }
      payments.insert(payment.id, payment)
      raiseKeyIndex(tables, payment.keyIndex)
      if (event) insertEvent(event)
      if (finished) finalizeSlate(tables, payment.id, finished, now)
      if (payment.invoiceId !== null) closeSlates(tables, payment.invoiceId)
      insertLetters(tables, payment.id, letters, now)
      return { outcome: 'accepted' }
    },
    async markReplied(id) {
      if (payments.get(id)?.settlement === 'received') payments.update(id, { settlement: 'replied' })
    },
    paymentById: async (id) => payments.get(id),
    async listPayments({ unmatched, settlement, limit, cursor }) {
      const rows = payments
        .rows()
        .filter(
          ({ value }) =>
            (unmatched === undefined || (value.invoiceId === null) === unmatched) &&
            (settlement === undefined || value.settlement === settlement),
        )
      return pageOf(rows, limit, cursor)
    },
    async claimChecks(claim) {
      const due = payments.all().filter(({ nextCheckAt }) => isDue(nextCheckAt, claim.now, LONGEST_WAIT_MS.payment))
      const soonest = due.sort((a, b) => (a.nextCheckAt ?? 0) - (b.nextCheckAt ?? 0))
      return tables.leases.check.claim(claim, soonest, ({ id }) => id)
    },
    async releaseChecks(ids, by) {
      for (const id of ids) if (held.get(id)?.by === by) held.delete(id)
    },
    async youngPayments({ from, to, limit }) {
      const isYoung = ({ createdAt, settlement }: Payment) =>
        createdAt >= from && createdAt <= to && settlement !== 'confirmed'
      const young = payments.all().filter(isYoung).reverse()
      return young.sort((a, b) => b.createdAt - a.createdAt).slice(0, limit)
    },
    async hastenChecks(ids, now) {
      for (const id of ids) if ((payments.get(id)?.nextCheckAt ?? now) > now) payments.update(id, { nextCheckAt: now })
    },
    async postponeCheck(id, nextCheckAt) {
      held.delete(id)
      payments.update(id, { nextCheckAt })
    },
    async recordSighting(sighting, now) {
      held.delete(sighting.paymentId)
      const payment = payments.get(sighting.paymentId)
      if (!payment || payment.settlement === 'confirmed') return
      const invoice = invoiceOf(payment)
      write(payment, sighting, now)
      if (!invoice) return
      const { confirmations } = sighting
      const back = payment.settlement === 'abandoned' && sighting.settlement !== 'replied'
      invoices.update(invoice.id, {
        confirmations,
        ...(back && { status: 'paid', paymentId: payment.id, paidAt: invoice.paidAt ?? now }),
      })
    },
    async confirmPayment(sighting, eventFor, now, letters = []) {
      held.delete(sighting.paymentId)
      const payment = payments.get(sighting.paymentId)
      if (!payment || payment.settlement === 'confirmed') return false
      const invoice = invoiceOf(payment)
      write(payment, sighting, now)
      if (invoice)
        invoices.update(invoice.id, {
          status: 'confirmed',
          paymentId: payment.id,
          paidAt: invoice.paidAt ?? now,
          confirmedAt: now,
          confirmations: sighting.confirmations,
        })
      const settled = (invoice && invoices.get(invoice.id)) ?? null
      if (!settled && payment.invoiceId !== null)
        payments.update(payment.id, { invoiceId: null, intendedInvoiceId: payment.invoiceId })
      if (eventFor) insertEvent(eventFor(settled), payment.invoiceId)
      insertLetters(tables, payment.id, letters, now)
      return { settled }
    },
    async abandonPayment(id, nextCheckAt, reopen = false) {
      held.delete(id)
      const payment = payments.get(id)
      if (!payment || ['mined', 'confirmed', 'abandoned'].includes(payment.settlement)) return false
      const invoice = invoiceOf(payment)
      payments.update(id, { settlement: 'abandoned', nextCheckAt })
      followKernel(tables, payment, 'abandoned', 0)
      if (invoice?.status !== 'paid') return true
      invoices.update(
        invoice.id,
        reopen ? { status: 'open', paymentId: null, paidAt: null, confirmations: 0 } : { status: 'expired' },
      )
      return true
    },
    async assignPayment(paymentId, invoiceId, seen, events, now) {
      const payment = payments.get(paymentId)
      const invoice = invoices.get(invoiceId)
      if (!payment) return 'unknown-payment'
      if (!invoice) return 'unknown-invoice'
      if (payment.invoiceId !== null) return 'already-matched'
      if (payment.settlement === 'abandoned') return 'not-assignable'
      if (!['open', 'expired'].includes(invoice.status) || invoice.paymentId !== null) return 'not-assignable'
      if (payment.amount !== invoice.amount) return 'other-amount'
      if (payment.settlement !== seen) return 'moved'
      const confirmed = payment.settlement === 'confirmed'
      payments.update(paymentId, { invoiceId })
      invoices.update(invoiceId, {
        status: confirmed ? 'confirmed' : 'paid',
        paymentId,
        paidAt: now,
        confirmedAt: confirmed ? now : null,
        confirmations: payment.confirmations,
      })
      for (const event of events) insertEvent(event)
      return 'assigned'
    },
    async dayFigures(since) {
      const all = payments.all()
      const sum = (rows: typeof all) => ({
        count: rows.length,
        amount: nanoGrin(rows.reduce((total, { amount }) => total + amount, 0n)),
      })
      return {
        received: sum(all.filter(({ createdAt }) => createdAt >= since)),
        confirmed: sum(
          all.filter(({ settlement, confirmedAt }) => settlement === 'confirmed' && (confirmedAt ?? 0) >= since),
        ),
        openInvoices: invoices.all().filter(({ status }) => status === 'open').length,
        unmatched: all.filter(
          ({ invoiceId, userId, settlement }) => invoiceId === null && userId === null && settlement !== 'abandoned',
        ).length,
      }
    },
    async balance() {
      const sum = (settlement: Settlement) => {
        const rows = payments.all().filter((payment) => payment.settlement === settlement)
        return { count: rows.length, amount: nanoGrin(rows.reduce((total, { amount }) => total + amount, 0n)) }
      }
      return {
        received: sum('received'),
        replied: sum('replied'),
        seen: sum('seen'),
        mined: sum('mined'),
        confirmed: sum('confirmed'),
        abandoned: sum('abandoned'),
      }
    },
  }
}
