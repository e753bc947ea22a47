import type { ReportStore } from '../../src/till/index.js'
import type { Tables } from './fake-tables.js'

/** Every confirmed payment, in the order of confirmation; the cursor is the number of rows before. */
export const fakeReportStore = ({ payments, invoices }: Pick<Tables, 'payments' | 'invoices'>): ReportStore => ({
  async confirmedRows({ from, to, limit, cursor = '0' }) {
    const rows = payments
      .all()
      .filter(({ settlement }) => settlement === 'confirmed')
      .flatMap(({ confirmedAt, amount, rail, invoiceId, userId }) => {
        if (confirmedAt === null || confirmedAt < from || confirmedAt >= to) return []
        const invoice = invoiceId === null ? undefined : invoices.get(invoiceId)
        const { fiat = null, grinRate = null, tip = null } = invoice ?? {}
        const kind = userId === null ? 'unmatched' : 'user'
        return [{ confirmedAt, amount, rail, kind: invoiceId === null ? kind : 'sale', fiat, grinRate, tip } as const]
      })
      .sort((a, b) => a.confirmedAt - b.confirmedAt)
    const end = Number(cursor) + limit
    return { items: rows.slice(Number(cursor), end), next: end < rows.length ? String(end) : null }
  },
})
