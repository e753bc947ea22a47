// The till's store in memory: every verb runs in one go, so it is atomic; nothing is durable. Pinned by the contract suite.
import type { TillStore } from '../../src/till/index.js'
import { fakeInvoiceStore } from './fake-invoice-store.js'
import { fakeOutbox } from './fake-outbox.js'
import { fakePaymentStore } from './fake-payment-store.js'
import { emptyTables, type Tables } from './fake-tables.js'
import { fakeUserStore } from './fake-user-store.js'

export function createFakeTillStore(): TillStore & { readonly tables: Tables } {
  const tables = emptyTables()
  const { insertNow, ...outbox } = fakeOutbox(tables)
  return {
    tables,
    ...fakeInvoiceStore(tables),
    ...fakePaymentStore(tables, insertNow),
    ...outbox,
    ...fakeUserStore(tables),
    check: async () => undefined,
  }
}
