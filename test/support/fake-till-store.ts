// The till's store in memory: every verb runs in one go, so it is atomic; nothing is durable. Pinned by the contract suite.
import type { TillStore } from '../../src/till/index.js'
import { fakeInvoiceStore } from './fake-invoice-store.js'
import { fakeLetterStore } from './fake-letter-store.js'
import { fakeOutbox } from './fake-outbox.js'
import { fakePaymentStore } from './fake-payment-store.js'
import { fakeReportStore } from './fake-report-store.js'
import { fakeSeenStore } from './fake-seen-store.js'
import { fakeInvoiceSlateStore } from './fake-slates.js'
import { emptyTables, type Tables } from './fake-tables.js'
import { fakeUseStore } from './fake-use-store.js'
import { fakeUserStore } from './fake-user-store.js'
import { fakeWatchStore } from './fake-watch-store.js'

export function createFakeTillStore(): TillStore & { readonly tables: Tables } {
  const tables = emptyTables()
  const { insertNow, ...outbox } = fakeOutbox(tables)
  return {
    tables,
    ...fakeInvoiceStore(tables),
    ...fakePaymentStore(tables, insertNow),
    ...outbox,
    ...fakeUserStore(tables),
    ...fakeUseStore(),
    ...fakeLetterStore(tables),
    ...fakeSeenStore(tables),
    ...fakeWatchStore(tables),
    ...fakeInvoiceSlateStore(tables),
    ...fakeReportStore(tables),
    async idsLike(kind, prefix, limit) {
      const rows = { invoice: tables.invoices, payment: tables.payments, event: tables.deliveries }[kind].rows()
      const ids = new Set(rows.map(({ value }) => ('eventId' in value ? value.eventId : value.id)))
      return [...ids]
        .filter((id) => id.startsWith(prefix))
        .sort()
        .slice(0, limit)
    },
    check: async () => undefined,
  }
}
