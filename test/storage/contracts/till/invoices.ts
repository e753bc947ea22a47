import { describe, expect, test } from 'vitest'
import type { FiatQuote } from '../../../../src/till/index.js'
import { anInvoice, aPayment, DAY, grin, MINUTE, NOON, SECOND } from '../../../support/till-builders.js'
import type { OpenStore } from './index.js'

const QUOTE: FiatQuote = { amount: '10.00', currency: 'USD', rate: '0.02', source: 'fixed' }

export function describeInvoices(open: OpenStore): void {
  describe('invoices', () => {
    test('an invoice is read back as it was written, by id and by token', async () => {
      const store = await open()
      const plain = anInvoice()
      const full = anInvoice({
        fiat: QUOTE,
        matchMode: 'memo',
        orderRef: 'order-42 é ₿',
        memo: 'Coffee & cake',
        matchKey: 'order-42 é ₿',
        expiresAt: NOON + 15 * MINUTE,
        windowEndsAt: NOON + DAY,
        amount: grin(9_007_199),
        returnUrl: 'https://shop.example/orders/42?from=till&x=é',
      })
      for (const invoice of [plain, full]) await store.insertInvoice(invoice, NOON)
      expect(await store.invoiceById(plain.id)).toEqual(plain)
      expect(await store.invoiceById(full.id)).toEqual(full)
      expect(await store.invoiceByToken(full.token)).toEqual(full)
      expect(await store.invoiceById('0'.repeat(32))).toBeUndefined()
      expect(await store.invoiceByToken('x'.repeat(43))).toBeUndefined()
    })

    test('a currency is upper case, also of rows of earlier versions, which kept it as it was sent', async () => {
      const store = await open()
      const [old, now] = [
        anInvoice({ fiat: { ...QUOTE, currency: 'Usd' } }),
        anInvoice({ fiat: { ...QUOTE, sentAs: 'usd' } }),
      ]
      for (const invoice of [old, now]) await store.insertInvoice(invoice, NOON)
      expect((await store.invoiceById(old.id))?.fiat).toEqual({ ...QUOTE, sentAs: 'Usd' })
      expect((await store.invoiceById(now.id))?.fiat).toEqual({ ...QUOTE, sentAs: 'usd' })
    })

    test('a repeated idempotency key answers the first invoice in its present state', async () => {
      const store = await open()
      const first = anInvoice()
      const key = { key: 'k1', digest: 'aa'.repeat(32) }
      expect(await store.idempotent(key, NOON)).toEqual({ outcome: 'created' })
      expect(await store.insertInvoice(first, NOON, key)).toEqual({ outcome: 'created' })
      await store.cancelInvoice(first.id)
      const replay = { outcome: 'replayed', invoice: { ...first, status: 'cancelled' } }
      const second = anInvoice()
      expect(await store.insertInvoice(second, NOON + DAY - 1, key)).toEqual(replay)
      expect(await store.idempotent(key, NOON + DAY - 1)).toEqual(replay)
      expect(await store.invoiceById(second.id)).toBeUndefined()
    })

    test('the same key with another body is refused, and a key is free again after a day', async () => {
      const store = await open()
      const [a, b] = [anInvoice(), anInvoice()]
      const other = { key: 'k1', digest: 'bb'.repeat(32) }
      await store.insertInvoice(a, NOON, { key: 'k1', digest: 'aa'.repeat(32) })
      expect(await store.insertInvoice(b, NOON, other)).toEqual({ outcome: 'other-body' })
      expect(await store.idempotent(other, NOON)).toEqual({ outcome: 'other-body' })
      expect(await store.insertInvoice(b, NOON + DAY, other)).toEqual({ outcome: 'created' })
      expect(await store.idempotent(other, NOON + DAY)).toEqual({ outcome: 'replayed', invoice: b })
    })

    test('of many creations with one key at once, one wins', async () => {
      const store = await open()
      const key = { key: 'k1', digest: 'aa'.repeat(32) }
      const answers = await Promise.all(Array.from({ length: 8 }, () => store.insertInvoice(anInvoice(), NOON, key)))
      expect(answers.filter(({ outcome }) => outcome === 'created')).toHaveLength(1)
      expect(answers.filter(({ outcome }) => outcome === 'replayed')).toHaveLength(7)
    })

    test('lists are newest first, filtered, and stay in place while new invoices arrive', async () => {
      const store = await open()
      const made = Array.from({ length: 7 }, (_, i) =>
        anInvoice({ createdAt: NOON + i * SECOND, orderRef: i % 2 === 0 ? 'even' : 'odd' }),
      )
      for (const invoice of made) await store.insertInvoice(invoice, invoice.createdAt)
      const ids = made.map(({ id }) => id).reverse()
      const first = await store.listInvoices({ limit: 3 })
      expect(first.items.map(({ id }) => id)).toEqual(ids.slice(0, 3))
      await store.insertInvoice(anInvoice({ createdAt: NOON + DAY }), NOON)
      const second = await store.listInvoices({ limit: 3, cursor: first.next ?? 'none' })
      const third = await store.listInvoices({ limit: 3, cursor: second.next ?? 'none' })
      expect([...second.items, ...third.items].map(({ id }) => id)).toEqual(ids.slice(3))
      expect(third.next).toBeNull()

      const even = await store.listInvoices({ limit: 10, orderRef: 'even' })
      expect(even.items).toHaveLength(4)
      const window = await store.listInvoices({ limit: 10, from: NOON + 2 * SECOND, to: NOON + 4 * SECOND })
      expect(window.items.map(({ id }) => id)).toEqual([made[3]?.id, made[2]?.id])
      for (const [cursor, left] of [
        [first.next, made.slice(0, 4)],
        [second.next, made.slice(0, 1)],
      ] as const) {
        const rest = await store.listInvoices({ limit: 10, to: NOON + 4 * SECOND, cursor: cursor ?? 'none' })
        expect(rest.items.map(({ id }) => id)).toEqual(left.map(({ id }) => id).reverse())
      }
    })

    test('a list is exact at the border of a page and among equal times', async () => {
      const store = await open()
      const made = Array.from({ length: 4 }, () => anInvoice())
      for (const invoice of made) await store.insertInvoice(invoice, NOON)
      const first = await store.listInvoices({ limit: 2 })
      const second = await store.listInvoices({ limit: 2, cursor: first.next ?? 'none' })
      expect(second.next).toBeNull()
      expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(made.map(({ id }) => id).reverse())
    })

    test('the sweep expires what is due, open and nothing else', async () => {
      const store = await open()
      const due = [anInvoice({ expiresAt: NOON - 1 }), anInvoice({ expiresAt: NOON })]
      const kept = [anInvoice({ expiresAt: NOON + 1 }), anInvoice(), anInvoice({ expiresAt: NOON - 1 })]
      for (const invoice of [...due, ...kept]) await store.insertInvoice(invoice, NOON)
      await store.cancelInvoice(kept[2]?.id ?? '')
      expect([...(await store.expireDue(NOON, 10))].sort()).toEqual(due.map(({ id }) => id).sort())
      expect(await store.expireDue(NOON, 10)).toEqual([])
      expect((await store.listInvoices({ status: 'expired', limit: 10 })).items).toHaveLength(2)
      expect((await store.listInvoices({ status: 'open', limit: 10 })).items).toHaveLength(2)
    })

    test('the sweep takes no more than its limit', async () => {
      const store = await open()
      for (let i = 0; i < 5; i += 1) await store.insertInvoice(anInvoice({ expiresAt: NOON }), NOON)
      expect(await store.expireDue(NOON, 3)).toHaveLength(3)
      expect(await store.expireDue(NOON, 3)).toHaveLength(2)
    })

    test('one invoice expires only when open and due', async () => {
      const store = await open()
      const invoice = anInvoice({ expiresAt: NOON })
      await store.insertInvoice(invoice, NOON)
      expect(await store.expireInvoice(invoice.id, NOON - 1)).toBe(false)
      expect(await store.expireInvoice(invoice.id, NOON)).toBe(true)
      expect(await store.expireInvoice(invoice.id, NOON)).toBe(false)
      expect((await store.invoiceById(invoice.id))?.status).toBe('expired')
    })

    test('only an open invoice can be cancelled', async () => {
      const store = await open()
      const invoice = anInvoice()
      await store.insertInvoice(invoice, NOON)
      expect(await store.cancelInvoice(invoice.id)).toBe('cancelled')
      expect(await store.cancelInvoice(invoice.id)).toBe('not-open')
      expect(await store.cancelInvoice('f'.repeat(32))).toBe('unknown')
    })
  })

  describe('new prices', () => {
    const quote = {
      amount: grin(400),
      fiat: { ...QUOTE, rate: '0.025' },
      expiresAt: NOON + DAY,
      payLink: 'goblin:nprofile1abc?amount=400',
      qrSvg: '<svg>400</svg>',
    }

    test('an expired invoice is open again with the new price, once per count', async () => {
      const store = await open()
      const invoice = anInvoice({ fiat: QUOTE, expiresAt: NOON, windowEndsAt: NOON + DAY })
      await store.insertInvoice(invoice, NOON)
      await store.expireDue(NOON, 10)
      const answers = await Promise.all([store.requote(invoice.id, 0, quote), store.requote(invoice.id, 0, quote)])
      expect(answers.sort()).toEqual(['refused', 'requoted'])
      expect(await store.invoiceById(invoice.id)).toEqual({ ...invoice, ...quote, requotes: 1 })
    })

    test('exact, cancelled, paid and unknown invoices keep their price', async () => {
      const store = await open()
      const [exact, cancelled, paid] = [anInvoice(), anInvoice({ fiat: QUOTE }), anInvoice({ fiat: QUOTE })]
      for (const invoice of [exact, cancelled, paid]) await store.insertInvoice(invoice, NOON)
      await store.cancelInvoice(cancelled.id)
      const payment = aPayment({ invoiceId: paid.id })
      await store.acceptPayment(payment, null, NOON, NOON)
      expect(await store.requote(paid.id, 0, quote)).toBe('refused')
      await store.abandonPayment(payment.id, null)
      for (const id of [exact.id, cancelled.id, paid.id, 'f'.repeat(32)])
        expect(await store.requote(id, 0, quote)).toBe('refused')
    })
  })
}
