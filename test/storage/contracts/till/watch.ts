import { describe, expect, test } from 'vitest'
import type { Invoice, Page, Sighting, TillStore } from '../../../../src/till/index.js'
import { anInvoice, aPayment, aUser, DAY, freshHex, HOUR, NOON, SECOND } from '../../../support/till-builders.js'
import type { OpenStore } from './index.js'

/** Every page one after the other. */
async function gather<T>(page: (cursor?: string) => Promise<Page<T>>, between?: () => Promise<unknown>): Promise<T[]> {
  const items: T[] = []
  let cursor: string | undefined
  do {
    const { items: more, next } = await page(cursor)
    items.push(...more)
    cursor = next ?? undefined
    await between?.()
  } while (cursor !== undefined)
  return items
}

const deep = (paymentId: string): Sighting => ({
  paymentId,
  settlement: 'confirmed',
  minedHeight: 7,
  confirmations: 10,
  nextCheckAt: null,
})

export function describeWatch(open: OpenStore): void {
  const SINCE = NOON - 7 * DAY
  const idsOf = async (store: TillStore, limit: number, between?: () => Promise<unknown>) =>
    (await gather((cursor) => store.invoiceKeysToWatch(SINCE, limit, cursor), between)).map(
      ({ invoiceId }) => invoiceId,
    )
  async function storeOf(...invoices: Invoice[]) {
    const store = await open()
    for (const invoice of invoices) await store.insertInvoice(invoice, NOON)
    return store
  }

  describe('keys of invoices', () => {
    test('open and paid invoices are watched however old, oldest first; confirmed ones are not', async () => {
      const [open, paid, confirmed] = [
        anInvoice({ createdAt: NOON - HOUR }),
        anInvoice({ createdAt: NOON - 900 * DAY }),
        anInvoice(),
      ]
      const store = await storeOf(open, paid, confirmed)
      await store.acceptPayment(aPayment({ invoiceId: paid.id }), null, NOON, NOON)
      const payment = aPayment({ invoiceId: confirmed.id })
      await store.acceptPayment(payment, null, NOON, NOON)
      await store.confirmPayment(deep(payment.id), null, NOON)
      expect(await store.invoiceKeysToWatch(SINCE, 10)).toEqual({
        items: [
          { pubkey: paid.recipientPubkey, invoiceId: paid.id },
          { pubkey: open.recipientPubkey, invoiceId: open.id },
        ],
        next: null,
      })
    })

    test('expired and cancelled invoices are watched until their end is too long ago', async () => {
      const made = (over: Partial<Invoice>) => anInvoice({ createdAt: SINCE - DAY, ...over })
      const lately = made({ status: 'expired', expiresAt: SINCE })
      const longAgo = made({ status: 'expired', expiresAt: SINCE - 1 })
      const cancelled = made({ status: 'cancelled', expiresAt: NOON + DAY })
      const withoutEnd = made({ status: 'cancelled', createdAt: SINCE })
      const oldWithoutEnd = made({ status: 'cancelled', createdAt: SINCE - 1 })
      const store = await storeOf(lately, longAgo, cancelled, withoutEnd, oldWithoutEnd)
      expect(await idsOf(store, 10)).toEqual([lately.id, cancelled.id, withoutEnd.id])
    })

    test('modes without a key of their own are not watched', async () => {
      const main = freshHex(64)
      const store = await storeOf(
        anInvoice({ matchMode: 'memo', recipientPubkey: main }),
        anInvoice({ matchMode: 'amount', recipientPubkey: main }),
        anInvoice({ matchMode: 'amount', recipientPubkey: main, status: 'expired', expiresAt: NOON }),
      )
      expect(await idsOf(store, 10)).toEqual([])
      expect(await store.invoiceByRecipient(main)).toBeUndefined()
    })

    test('pages mix all states by age and neither repeat nor miss what moves or arrives meanwhile', async () => {
      const made = Array.from({ length: 11 }, (_, at) =>
        anInvoice({ createdAt: NOON + Math.floor(at / 3), status: at % 4 === 1 ? 'expired' : 'open', expiresAt: NOON }),
      )
      const store = await storeOf(...made)
      let turn = 0
      const found = await idsOf(store, 3, async () => {
        turn += 1
        await store.expireInvoice(made[4 * turn - 1]?.id ?? '', NOON)
        if (turn < 3) await store.insertInvoice(anInvoice({ createdAt: NOON + SECOND }), NOON)
      })
      expect(found.slice(0, 11)).toEqual(made.map(({ id }) => id))
      expect(new Set(found).size).toBe(13)
    })

    test('the invoice of a key is found whatever became of it', async () => {
      const invoices = (['open', 'expired', 'cancelled', 'paid', 'confirmed'] as const).map((status) =>
        anInvoice({ status, expiresAt: NOON - 999 * DAY }),
      )
      const store = await storeOf(...invoices)
      for (const invoice of invoices) expect(await store.invoiceByRecipient(invoice.recipientPubkey)).toEqual(invoice)
      expect(await store.invoiceByRecipient(freshHex(64))).toBeUndefined()
      expect(await store.invoiceByRecipient('no key')).toBeUndefined()
    })
  })

  describe('keys of users', () => {
    test('the current key and those of the overlap are watched, in pages', async () => {
      const store = await open()
      const [alice, bob] = [aUser({ id: 'alice' }), aUser({ id: 'bob' })]
      for (const user of [alice, bob]) await store.insertUser(user)
      const keys = [alice.pubkey, freshHex(64), freshHex(64), freshHex(64)]
      for (const [epoch, pubkey] of keys.slice(1).entries()) await store.rotateUser('alice', epoch, pubkey, NOON)
      const watched = (overlap: number) => gather((cursor) => store.endpubsToWatch(overlap, 2, cursor))
      const [first, second] = [
        { pubkey: keys[2], userId: 'alice', epoch: 2 },
        { pubkey: keys[3], userId: 'alice', epoch: 3 },
      ]
      const bobs = { pubkey: bob.pubkey, userId: 'bob', epoch: 0 }
      const byKey = <T extends { pubkey: string | undefined }>(rows: readonly T[]) =>
        [...rows].sort((a, b) => String(a.pubkey).localeCompare(String(b.pubkey)))
      expect(byKey(await watched(1))).toEqual(byKey([first, second, bobs]))
      expect(byKey(await watched(0))).toEqual(byKey([second, bobs]))
      expect(await watched(99)).toHaveLength(5)
    })

    test('a key of any epoch leads to its user and epoch', async () => {
      const store = await open()
      const user = aUser({ id: 'alice' })
      await store.insertUser(user)
      const next = freshHex(64)
      await store.rotateUser('alice', 0, next, NOON)
      expect(await store.endpubOf(user.pubkey)).toEqual({ userId: 'alice', epoch: 0 })
      expect(await store.endpubOf(next)).toEqual({ userId: 'alice', epoch: 1 })
      expect(await store.endpubOf(freshHex(64))).toBeUndefined()
    })
  })
}
