import type { IdempotencyKey, InsertInvoiceAnswer, Invoice, InvoiceStore } from '../../src/till/index.js'
import { spelled } from '../../src/till/model.js'
import { closeSlates, insertSlate, replaceSlate } from './fake-slates.js'
import { isPayable, pageOf, type Tables } from './fake-tables.js'
import { DAY } from './till-builders.js'

const isDue = (invoice: Invoice, now: number): boolean =>
  invoice.status === 'open' && invoice.expiresAt !== null && invoice.expiresAt <= now

/** As the tables keep it: a currency has one spelling, also in rows of earlier versions. */
function asKept(invoice: Invoice): Invoice {
  if (!invoice.fiat) return invoice
  const { currency, sentAs = currency, ...quote } = invoice.fiat
  return { ...invoice, fiat: { ...quote, ...spelled(sentAs) } }
}

export function fakeInvoiceStore(tables: Tables): InvoiceStore {
  const { invoices, keys } = tables
  const payable = (cutoff: number, limit: number, wanted: (invoice: Invoice) => boolean) =>
    invoices
      .all()
      .filter((invoice) => isPayable(invoice, cutoff) && wanted(invoice))
      .slice(0, limit)

  function known({ key, digest }: IdempotencyKey, now: number): InsertInvoiceAnswer {
    const row = keys.get(key)
    const invoice = row && invoices.get(row.invoiceId)
    if (!row || !invoice || now - row.at >= DAY) return { outcome: 'created' }
    return row.digest === digest ? { outcome: 'replayed', invoice } : { outcome: 'other-body' }
  }

  return {
    async insertInvoice(invoice, now, key, slate) {
      const answer = key ? known(key, now) : { outcome: 'created' as const }
      if (answer.outcome !== 'created') return answer
      invoices.insert(invoice.id, asKept(invoice))
      if (slate) insertSlate(tables, slate)
      if (key) keys.set(key.key, { digest: key.digest, invoiceId: invoice.id, at: now })
      return answer
    },
    idempotent: async (key, now) => known(key, now),
    invoiceById: async (id) => invoices.get(id),
    invoiceByToken: async (token) => invoices.all().find((invoice) => invoice.token === token),
    async listInvoices({ status, orderRef, from, to, limit, cursor }) {
      const rows = invoices
        .rows()
        .filter(
          ({ value }) =>
            (status === undefined || value.status === status) &&
            (orderRef === undefined || value.orderRef === orderRef) &&
            (from === undefined || value.createdAt >= from) &&
            (to === undefined || value.createdAt < to),
        )
      return pageOf(rows, limit, cursor)
    },
    async expireDue(now, limit) {
      const due = invoices
        .all()
        .filter((invoice) => isDue(invoice, now))
        .slice(0, limit)
      for (const { id } of due) invoices.update(id, { status: 'expired' })
      return due.map(({ id }) => id)
    },
    async expireInvoice(id, now) {
      const invoice = invoices.get(id)
      if (!invoice || !isDue(invoice, now)) return false
      invoices.update(id, { status: 'expired' })
      return true
    },
    async cancelInvoice(id) {
      const invoice = invoices.get(id)
      if (!invoice) return 'unknown'
      if (invoice.status !== 'open') return 'not-open'
      invoices.update(id, { status: 'cancelled' })
      return 'cancelled'
    },
    async requote(id, seen, quote, issued) {
      const invoice = invoices.get(id)
      const free = invoice?.fiat && invoice.paymentId === null && invoice.requotes === seen
      if (!free || (invoice.status !== 'open' && invoice.status !== 'expired')) return 'refused'
      const { amount, fiat, expiresAt, payLink, qrSvg } = quote
      invoices.update(id, { amount, fiat, expiresAt, payLink, qrSvg, status: 'open', requotes: seen + 1 })
      closeSlates(tables, id)
      if (issued) replaceSlate(tables, issued)
      return 'requoted'
    },
    payableByRecipient: async (pubkey, cutoff, limit) =>
      payable(cutoff, limit, (i) => i.matchMode === 'derived' && i.recipientPubkey === pubkey),
    payableByMatchKey: async (matchKey, cutoff, limit) =>
      payable(cutoff, limit, (i) => i.matchMode === 'memo' && i.matchKey === matchKey),
    payableByMemo: async (memo, amount, cutoff, limit) =>
      payable(cutoff, limit, (i) => i.matchMode === 'memo' && i.memo === memo && i.amount === amount),
    payableByAmount: async (amount, cutoff, limit) =>
      payable(cutoff, limit, (i) => i.matchMode === 'amount' && i.amount === amount),
  }
}
