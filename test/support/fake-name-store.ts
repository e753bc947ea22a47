// The name store in memory: every verb runs in one go, so it is atomic; nothing is durable. Pinned by the contract suite.
import type { OperatorStore } from '../../src/authority/index.js'
import { fakeAuthRecords, fakeNameChanges, fakeNameReads } from './fake-name-changes.js'
import { fakeGrantStore } from './fake-name-grants.js'
import { fakeOfferStore } from './fake-name-offers.js'
import { fakeOperatorLists, fakeOperatorOrders } from './fake-name-operator.js'
import { emptyNameTables, type NameTables } from './fake-name-tables.js'

/** `tables` shows and takes rows directly, for what no verb can bring about. */
export function createFakeNameStore(): OperatorStore & { readonly tables: NameTables } {
  const tables = emptyNameTables()
  return {
    tables,
    ...fakeNameReads(tables),
    ...fakeAuthRecords(tables),
    ...fakeNameChanges(tables),
    ...fakeGrantStore(tables),
    ...fakeOfferStore(tables),
    ...fakeOperatorLists(tables),
    ...fakeOperatorOrders(tables),
    check: async () => undefined,
  }
}
