import { describe, expect, test } from 'vitest'
import type { Invoice, TillStore } from '../../../../src/till/index.js'
import { anInvoice, aPayment, grin, NOON, SECOND } from '../../../support/till-builders.js'
import type { OpenStore } from './index.js'

const KEY = 'ab'.repeat(32)

interface Lookup {
  readonly name: string
  readonly own: Partial<Invoice>
  readonly foreign: readonly Partial<Invoice>[]
  find(store: TillStore, cutoff: number, limit: number): Promise<readonly Invoice[]>
}

/** Per lookup: what it must find, what it must not. */
const LOOKUPS: readonly Lookup[] = [
  {
    name: 'by recipient key',
    own: { matchMode: 'derived', recipientPubkey: KEY },
    foreign: [{ matchMode: 'memo', recipientPubkey: KEY }, { matchMode: 'derived' }],
    find: (store, cutoff, limit) => store.payableByRecipient(KEY, cutoff, limit),
  },
  {
    name: 'by match key',
    own: { matchMode: 'memo', matchKey: 'order-42' },
    foreign: [
      { matchMode: 'amount', matchKey: 'order-42' },
      { matchMode: 'memo', matchKey: 'order-43', orderRef: 'order-42', memo: 'order-42' },
      { matchMode: 'memo', matchKey: 'ORDER-42' },
    ],
    find: (store, cutoff, limit) => store.payableByMatchKey('order-42', cutoff, limit),
  },
  {
    name: 'by memo and amount',
    own: { matchMode: 'memo', memo: 'Coffee', amount: grin(2) },
    foreign: [
      { matchMode: 'memo', memo: 'Coffee', amount: grin(3) },
      { matchMode: 'memo', memo: 'Tea', amount: grin(2) },
      { matchMode: 'derived', memo: 'Coffee', amount: grin(2) },
    ],
    find: (store, cutoff, limit) => store.payableByMemo('Coffee', grin(2), cutoff, limit),
  },
  {
    name: 'by amount',
    own: { matchMode: 'amount', amount: grin(2) },
    foreign: [
      { matchMode: 'derived', amount: grin(2) },
      { matchMode: 'amount', amount: grin(3) },
    ],
    find: (store, cutoff, limit) => store.payableByAmount(grin(2), cutoff, limit),
  },
]

export function describeMatching(open: OpenStore): void {
  describe.each(LOOKUPS)('payable $name', ({ own, foreign, find }) => {
    async function storeOf(...invoices: readonly Invoice[]): Promise<TillStore> {
      const store = await open()
      for (const invoice of invoices) await store.insertInvoice(invoice, NOON)
      return store
    }
    const ids = (invoices: readonly Invoice[]) => invoices.map(({ id }) => id)

    test('finds its own mode only, oldest first, at most the limit', async () => {
      const mine = Array.from({ length: 3 }, (_, i) => anInvoice({ createdAt: NOON + i * SECOND, ...own }))
      const store = await storeOf(...foreign.map((over) => anInvoice(over)), ...mine)
      expect(ids(await find(store, NOON, 10))).toEqual(ids(mine))
      expect(ids(await find(store, NOON, 2))).toEqual(ids(mine.slice(0, 2)))
    })

    test('an expired invoice is found until the cutoff passes its end', async () => {
      const ended = anInvoice({ ...own, expiresAt: NOON })
      const store = await storeOf(ended)
      expect(ids(await find(store, NOON - 1, 10))).toEqual([ended.id])
      await store.expireDue(NOON, 10)
      expect(ids(await find(store, NOON - 1, 10))).toEqual([ended.id])
      expect(await find(store, NOON, 10)).toEqual([])
    })

    test('cancelled, paid and abandoned invoices are not found', async () => {
      const [cancelled, paid, abandoned] = [anInvoice(own), anInvoice(own), anInvoice(own)]
      const store = await storeOf(cancelled, paid, abandoned)
      await store.cancelInvoice(cancelled.id)
      await store.acceptPayment(aPayment({ invoiceId: paid.id }), null, NOON, NOON)
      const gone = aPayment({ invoiceId: abandoned.id })
      await store.acceptPayment(gone, null, NOON, NOON)
      await store.abandonPayment(gone.id, null)
      expect(await find(store, NOON - 1, 10)).toEqual([])
    })
  })
}
