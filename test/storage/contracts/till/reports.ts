import { describe, expect, test } from 'vitest'
import type { ConfirmedRow, Payment, TillStore } from '../../../../src/till/index.js'
import { anInvoice, aPayment, aUser, grin, NOON, SECOND } from '../../../support/till-builders.js'
import type { OpenStore } from './index.js'

const ALWAYS = { from: 0, to: NOON * 2, limit: 99 }
const NONE = { grinRate: null, tip: null }
const FIAT = { amount: '12.50', currency: 'USD', rate: '0.05', source: 'fixed', rateAt: NOON }

export function describeReports(open: OpenStore): void {
  async function confirm(store: TillStore, payment: Payment, at: number): Promise<void> {
    await store.acceptPayment(payment, null, NOON, NOON)
    const deep = { paymentId: payment.id, settlement: 'confirmed', minedHeight: 7, confirmations: 10 } as const
    await store.confirmPayment({ ...deep, nextCheckAt: null }, null, at)
  }

  describe('confirmed payments for a report', () => {
    test('come with the price of the invoice they settled, and say whose they are', async () => {
      const store = await open()
      const [priced, plain, user] = [anInvoice({ fiat: FIAT }), anInvoice(), aUser()]
      await store.insertUser(user)
      for (const invoice of [priced, plain]) await store.insertInvoice(invoice, NOON)
      await confirm(store, aPayment({ invoiceId: priced.id, rail: 'nostr' }), NOON + 1)
      await confirm(store, aPayment({ invoiceId: plain.id }), NOON + 2)
      await confirm(store, aPayment({ userId: user.id, amount: grin(5) }), NOON + 3)
      await confirm(store, aPayment({ rail: 'grin1' }), NOON + 4)
      await store.acceptPayment(aPayment(), null, NOON, NOON)
      expect(await store.confirmedRows(ALWAYS)).toEqual({
        items: [
          { confirmedAt: NOON + 1, amount: grin(2), rail: 'nostr', kind: 'sale', fiat: FIAT, ...NONE },
          { confirmedAt: NOON + 2, amount: grin(2), rail: 'slatepack', kind: 'sale', fiat: null, ...NONE },
          { confirmedAt: NOON + 3, amount: grin(5), rail: 'slatepack', kind: 'user', fiat: null, ...NONE },
          { confirmedAt: NOON + 4, amount: grin(2), rail: 'grin1', kind: 'unmatched', fiat: null, ...NONE },
        ],
        next: null,
      })
    })

    test('come with the tip in the price, and with what GRIN was worth', async () => {
      const store = await open()
      const facts = { grinRate: { currency: 'usd', rate: '0.05', source: 'fixed', rateAt: NOON }, tip: '0.25' }
      const invoice = anInvoice(facts)
      await store.insertInvoice(invoice, NOON)
      await confirm(store, aPayment({ invoiceId: invoice.id }), NOON)
      expect((await store.confirmedRows(ALWAYS)).items).toMatchObject([{ ...facts, fiat: null }])
    })

    test('one that is assigned becomes a sale of the moment of its confirmation', async () => {
      const store = await open()
      const [payment, invoice] = [aPayment(), anInvoice({ fiat: FIAT })]
      await store.insertInvoice(invoice, NOON)
      await confirm(store, payment, NOON)
      expect(await store.assignPayment(payment.id, invoice.id, 'confirmed', [], NOON + SECOND)).toBe('assigned')
      const { items } = await store.confirmedRows(ALWAYS)
      expect(items).toEqual([
        { confirmedAt: NOON, amount: grin(2), rail: 'slatepack', kind: 'sale', fiat: FIAT, ...NONE },
      ])
    })

    test('of a span: from its first moment, before its end', async () => {
      const store = await open()
      for (const at of [9, 10, 19, 20]) await confirm(store, aPayment(), at)
      const { items } = await store.confirmedRows({ from: 10, to: 20, limit: 9 })
      expect(items.map(({ confirmedAt }) => confirmedAt)).toEqual([10, 19])
    })

    test('page by page: each once, also those of one moment and of one amount', async () => {
      const store = await open()
      const amounts = [3, 1, 2, 1, 1].map(grin)
      for (const amount of amounts) await confirm(store, aPayment({ amount }), NOON)
      const huge = aPayment({ amount: grin(15_000_000_000) })
      await confirm(store, huge, NOON)
      const all: ConfirmedRow[] = []
      let cursor: string | null = null
      do {
        const page: Awaited<ReturnType<TillStore['confirmedRows']>> = await store.confirmedRows({
          ...ALWAYS,
          limit: 2,
          ...(cursor !== null && { cursor }),
        })
        all.push(...page.items)
        cursor = page.next
      } while (cursor !== null)
      expect(all.map(({ amount }) => amount).sort()).toEqual([...amounts, huge.amount].sort())
    })
  })
}
