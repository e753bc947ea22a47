import { describe, expect, test } from 'vitest'
import type { Invoice } from '../../../../src/till/index.js'
import {
  anInvoice,
  anInvoiceSlate,
  aPayment,
  aRailInvoice,
  aSlateId,
  grin,
  HOUR,
  look,
  MINUTE,
  NOON,
  SECOND,
} from '../../../support/till-builders.js'
import type { OpenStore } from './index.js'

const FIAT = { amount: '1', currency: 'USD', rate: '1', source: 'fixed' }

export function describeInvoiceSlates(open: OpenStore): void {
  async function issued(over: Partial<Invoice> = {}) {
    const store = await open()
    const made = aRailInvoice(over)
    const { slate, invoice } = made
    expect(await store.insertInvoice(invoice, NOON, undefined, slate)).toEqual({ outcome: 'created' })
    const shown = async () => (await store.invoiceById(invoice.id))?.slatepack
    const slateOf = (id = slate.slateId) => store.invoiceSlate(id)
    return { store, ...made, shown, slateOf }
  }
  const closed = { state: 'closed', sealedSecrets: null } as const

  describe('invoice slates', () => {
    test('a slate is stored with the invoice that shows it; an idempotent repeat stores no second one', async () => {
      const store = await open()
      const key = { key: 'k', digest: 'd' }
      const [first, second] = [aRailInvoice(), aRailInvoice()]
      await store.insertInvoice(first.invoice, NOON, key, first.slate)
      const answer = await store.insertInvoice(second.invoice, NOON, key, second.slate)
      expect(answer).toEqual({ outcome: 'replayed', invoice: first.invoice })
      expect(await store.invoiceById(first.invoice.id)).toEqual(first.invoice)
      expect(await store.invoiceSlate(first.slate.slateId)).toEqual(first.slate)
      expect(await store.invoiceSlate(second.slate.slateId)).toBeUndefined()
    })

    test('a replaced slate is closed and wiped; the invoice names the new one', async () => {
      const { store, invoice, slate, slateOf } = await issued()
      const next = anInvoiceSlate({ invoiceId: invoice.id, createdAt: NOON + HOUR })
      expect(await store.replaceInvoiceSlate(next, 'ARMOR')).toBe('replaced')
      expect(await slateOf()).toEqual({ ...slate, ...closed })
      expect(await slateOf(next.slateId)).toEqual(next)
      expect(await store.invoiceById(invoice.id)).toEqual({ ...invoice, slateId: next.slateId, slatepack: 'ARMOR' })
    })

    test('an invoice gets no slate unless it is open, on the rail and over that amount', async () => {
      const { store, invoice, slate, slateOf } = await issued()
      const [off, gone] = [anInvoice(), aRailInvoice()]
      await store.insertInvoice(off, NOON)
      await store.insertInvoice(gone.invoice, NOON, undefined, gone.slate)
      await store.cancelInvoice(gone.invoice.id)
      const replace = (over: Parameters<typeof anInvoiceSlate>[0]) =>
        store.replaceInvoiceSlate(anInvoiceSlate(over), 'ARMOR')
      expect(await replace({ invoiceId: off.id })).toBe('refused')
      expect(await replace({ invoiceId: gone.invoice.id })).toBe('refused')
      expect(await replace({ invoiceId: invoice.id, amount: grin(3) })).toBe('refused')
      expect(await replace({})).toBe('refused')
      expect(await slateOf()).toEqual(slate)
    })

    test('a new price closes the slate of the old one, with or without another', async () => {
      const { store, invoice, shown, slateOf } = await issued({ fiat: FIAT })
      const quote = { amount: grin(3), fiat: FIAT, expiresAt: null, payLink: 'link', qrSvg: '<svg/>' }
      expect(await store.requote(invoice.id, 0, quote)).toBe('requoted')
      expect(await shown()).toBeNull()
      expect(await slateOf()).toMatchObject(closed)
      const next = anInvoiceSlate({ invoiceId: invoice.id, amount: grin(3) })
      expect(await store.requote(invoice.id, 0, quote, { slate: next, armor: 'ARMOR' })).toBe('refused')
      expect(await store.requote(invoice.id, 1, quote, { slate: next, armor: 'ARMOR' })).toBe('requoted')
      expect(await shown()).toBe('ARMOR')
      expect(await slateOf(next.slateId)).toEqual(next)
    })

    test('a first payment by another way closes the slate', async () => {
      const { store, invoice, slate, shown, slateOf } = await issued()
      await store.acceptPayment(aPayment({ invoiceId: invoice.id }), null, NOON, NOON)
      expect(await slateOf()).toEqual({ ...slate, ...closed })
      expect(await shown()).toBeNull()
      expect((await store.invoiceById(invoice.id))?.slateId).toBe(slate.slateId)
    })

    test('what is over is closed: paid by hand, cancelled, or ended by the cutoff', async () => {
      const store = await open()
      const made = [{}, { expiresAt: NOON }, { expiresAt: NOON + 1 }, {}, {}, { expiresAt: NOON + HOUR }].map((over) =>
        aRailInvoice(over),
      )
      for (const { invoice, slate } of made) await store.insertInvoice(invoice, NOON, undefined, slate)
      const [cancelled, , , byHand] = made
      await store.cancelInvoice(cancelled?.invoice.id ?? '')
      const payment = aPayment()
      await store.acceptPayment(payment, null, NOON, NOON)
      await store.assignPayment(payment.id, byHand?.invoice.id ?? '', 'received', [], NOON)
      expect(await store.closeInvoiceSlates(NOON, 2)).toBe(2)
      expect(await store.closeInvoiceSlates(NOON, 10)).toBe(1)
      expect(await store.closeInvoiceSlates(NOON, 10)).toBe(0)
      const states = await Promise.all(made.map(async ({ slate }) => (await store.invoiceSlate(slate.slateId))?.state))
      expect(states).toEqual(['closed', 'closed', 'open', 'closed', 'open', 'open'])
      const shown = await Promise.all(made.map(async ({ invoice }) => (await store.invoiceById(invoice.id))?.slatepack))
      expect(shown.map((armor) => armor !== null)).toEqual([false, false, true, false, true, true])
    })
  })

  describe('a start', () => {
    test('every open slate is closed whatever its invoice, finalized ones stay', async () => {
      const store = await open()
      const made = [{}, { expiresAt: NOON + HOUR }, {}].map((over) => aRailInvoice(over))
      for (const { invoice, slate } of made) await store.insertInvoice(invoice, NOON, undefined, slate)
      const [paid, second, third] = made as [(typeof made)[0], (typeof made)[0], (typeof made)[0]]
      const payment = aPayment({ id: paid.slate.slateId, invoiceId: paid.invoice.id, rail: 'grin1' })
      const finished = { finished: { slateId: paid.slate.slateId, transaction: '{}' } }
      await store.acceptPayment(payment, null, NOON, NOON, finished)
      expect(await store.closeEveryInvoiceSlate()).toBe(2)
      expect(await store.closeEveryInvoiceSlate()).toBe(0)
      expect((await store.invoiceSlate(paid.slate.slateId))?.state).toBe('finalized')
      for (const { slate, invoice } of [second, third]) {
        expect(await store.invoiceSlate(slate.slateId)).toEqual({ ...slate, ...closed })
        expect(await store.invoiceById(invoice.id)).toEqual({ ...invoice, slatepack: null })
      }
      expect(await store.claimPushes(look(NOON, 5))).toHaveLength(1)
    })

    test('a closed slate is dropped a day after it was made; an open and a finalized one stay', async () => {
      const { store, invoice, slate, slateOf } = await issued()
      const next = anInvoiceSlate({ invoiceId: invoice.id })
      await store.replaceInvoiceSlate(next, 'ARMOR')
      const day = 24 * HOUR
      await store.closeInvoiceSlates(NOON + day - 1, 5)
      expect(await slateOf()).toEqual({ ...slate, ...closed })
      await store.closeInvoiceSlates(NOON + day, 5)
      expect(await slateOf()).toBeUndefined()
      expect(await slateOf(next.slateId)).toEqual(next)
      const payment = aPayment({ id: next.slateId, invoiceId: invoice.id, rail: 'grin1' })
      await store.acceptPayment(payment, null, NOON, NOON, { finished: { slateId: next.slateId, transaction: '{}' } })
      await store.closeInvoiceSlates(NOON + 2 * day, 5)
      expect((await slateOf(next.slateId))?.state).toBe('finalized')
      expect(await store.takeKeyIndex()).toBeGreaterThan(slate.keyIndex)
    })

    test('open invoices on the rail with time left and no slate wait for one, newest first', async () => {
      const store = await open()
      const bare = { slateId: null, slatepack: null }
      const made = [
        anInvoice({ offeredRail: 'grin1' }),
        anInvoice({ offeredRail: 'grin1', createdAt: NOON + SECOND, expiresAt: NOON + 1 }),
        anInvoice({ offeredRail: 'grin1', expiresAt: NOON }),
        anInvoice({ offeredRail: 'grin1', status: 'cancelled' }),
        anInvoice(),
        aRailInvoice().invoice,
      ] as const
      for (const invoice of made) await store.insertInvoice(invoice, NOON)
      expect(await store.invoicesWithoutSlate(NOON, 5)).toEqual([made[1], made[0]])
      expect(await store.invoicesWithoutSlate(NOON, 1)).toEqual([made[1]])
      const slate = anInvoiceSlate({ invoiceId: made[1].id })
      await store.replaceInvoiceSlate(slate, 'ARMOR')
      expect(await store.invoicesWithoutSlate(NOON, 5)).toEqual([{ ...made[0], ...bare }])
    })
  })

  describe('finishing an invoice slate', () => {
    const finished = (slateId: string) => ({ finished: { slateId, transaction: '{"tx":1}' } })

    test('payment, invoice, slate and transaction are written together', async () => {
      const { store, invoice, slate, shown, slateOf } = await issued()
      const payment = aPayment({ id: slate.slateId, invoiceId: invoice.id, rail: 'grin1' })
      const answer = await store.acceptPayment(payment, null, NOON, NOON, finished(slate.slateId))
      expect(answer).toEqual({ outcome: 'accepted' })
      expect(await slateOf()).toEqual({ ...slate, state: 'finalized', sealedSecrets: null })
      expect(await shown()).toBeNull()
      expect((await store.invoiceById(invoice.id))?.status).toBe('paid')
      expect(await store.claimPushes(look(NOON, 5))).toEqual([
        { paymentId: payment.id, transaction: '{"tx":1}', attempts: 0 },
      ])
    })

    test('a slate that is closed, unknown or of another invoice finishes nothing', async () => {
      const { store, invoice, slate } = await issued()
      const other = aRailInvoice()
      await store.insertInvoice(other.invoice, NOON, undefined, other.slate)
      await store.replaceInvoiceSlate(anInvoiceSlate({ invoiceId: invoice.id }), 'ARMOR')
      for (const slateId of [slate.slateId, aSlateId(), other.slate.slateId]) {
        const payment = aPayment({ invoiceId: invoice.id })
        const answer = await store.acceptPayment(payment, null, NOON, NOON, finished(slateId))
        expect(answer).toEqual({ outcome: 'slate-closed' })
      }
      expect((await store.listPayments({ limit: 5 })).items).toEqual([])
      expect((await store.invoiceById(invoice.id))?.status).toBe('open')
      expect(await store.claimPushes(look(NOON, 5))).toEqual([])
    })

    test('of several answers to one slate at once exactly one is accepted', async () => {
      const { store, invoice, slate } = await issued()
      const offers = Array.from({ length: 4 }, () => aPayment({ invoiceId: invoice.id }))
      const answers = await Promise.all(
        offers.map((payment) => store.acceptPayment(payment, null, NOON, NOON, finished(slate.slateId))),
      )
      expect(answers.map(({ outcome }) => outcome).sort()).toEqual(['accepted', 'not-open', 'not-open', 'not-open'])
      expect(await store.claimPushes(look(NOON, 5))).toHaveLength(1)
    })

    test('status, expiry and price are looked at before the slate', async () => {
      const { store, invoice, slate, slateOf } = await issued({ expiresAt: NOON })
      const offer = (amount = invoice.amount, cutoff = NOON - 1) =>
        store.acceptPayment(aPayment({ invoiceId: invoice.id, amount }), null, NOON, cutoff, finished(slate.slateId))
      expect(await offer(invoice.amount, NOON)).toEqual({ outcome: 'not-open', status: 'expired' })
      expect(await offer(grin(9))).toEqual({ outcome: 'other-amount', amount: invoice.amount })
      expect((await slateOf())?.state).toBe('open')
      expect(await offer()).toEqual({ outcome: 'accepted' })
    })

    test('the key of a slate is never handed out again', async () => {
      const store = await open()
      const index = await store.takeKeyIndex()
      const { invoice, slate } = aRailInvoice()
      await store.insertInvoice(invoice, NOON, undefined, { ...slate, keyIndex: index + 7 })
      expect(await store.takeKeyIndex()).toBeGreaterThan(index + 7)
    })
  })

  describe('matching on the rail', () => {
    test('payable invoices on the rail of exactly that amount are found in any mode, oldest first', async () => {
      const store = await open()
      const made = [
        aRailInvoice({ matchMode: 'amount', createdAt: NOON + SECOND }),
        aRailInvoice({ matchMode: 'memo' }),
        aRailInvoice({ status: 'expired', expiresAt: NOON - SECOND }),
        aRailInvoice({ amount: grin(3) }),
      ].map(({ invoice }) => invoice)
      const off = anInvoice()
      for (const invoice of [...made, off]) await store.insertInvoice(invoice, NOON)
      expect(await store.payableOnRail(grin(2), NOON, 10)).toEqual([made[1], made[0]])
      expect(await store.payableOnRail(grin(2), NOON, 1)).toEqual([made[1]])
      expect(await store.payableOnRail(grin(2), NOON - MINUTE, 10)).toEqual([made[1], made[2], made[0]])
    })

    test('an earlier open invoice on the rail over the same amount is a twin', async () => {
      const store = await open()
      const [first, second, dearer] = [aRailInvoice(), aRailInvoice(), aRailInvoice({ amount: grin(3) })].map(
        ({ invoice }) => invoice,
      ) as [Invoice, Invoice, Invoice]
      const off = anInvoice({ createdAt: NOON - HOUR })
      for (const invoice of [off, first, dearer, second]) await store.insertInvoice(invoice, NOON)
      expect(await store.hasEarlierTwin(first)).toBe(false)
      expect(await store.hasEarlierTwin(second)).toBe(true)
      expect(await store.hasEarlierTwin(dearer)).toBe(false)
      await store.cancelInvoice(first.id)
      expect(await store.hasEarlierTwin(second)).toBe(false)
    })
  })
}
