// What the point of sale reads.
import { expect, test } from 'vitest'
import { openTemporaryStore } from '../../support/temporary-store.js'
import { anInvoice, NOON } from '../../support/till-builders.js'

test('the latest sales are those whose orders sort last, and none of another beginning', async () => {
  const { store, remove } = await openTemporaryStore()
  const orders = ['pos-20260701-1', 'pos-20260701-3', 'pos-20260701-2', 'pos-', 'pos.1', 'poS-9', 'po', null]
  for (const orderRef of orders) await store.insertInvoice(anInvoice({ orderRef }), NOON)
  const latest = async (limit: number) => (await store.latestOfOrders('pos-', limit)).map(({ orderRef }) => orderRef)
  expect(await latest(2)).toEqual(['pos-20260701-3', 'pos-20260701-2'])
  expect(await latest(20)).toEqual(['pos-20260701-3', 'pos-20260701-2', 'pos-20260701-1'])
  await remove()
})
