import { describe, expect, test } from 'vitest'
import type { Sighting } from '../../../../src/till/index.js'
import { aPayment, aRailInvoice, DAY, look, MINUTE, NOON, SECOND, WORKER } from '../../../support/till-builders.js'
import type { OpenStore } from './index.js'

export function describePushes(open: OpenStore): void {
  async function pushing() {
    const store = await open()
    const finish = async (at: number) => {
      const { invoice, slate } = aRailInvoice()
      await store.insertInvoice(invoice, at, undefined, slate)
      const payment = aPayment({ id: slate.slateId, invoiceId: invoice.id, rail: 'grin1' })
      await store.acceptPayment(payment, null, at, at, { finished: { slateId: slate.slateId, transaction: '{}' } })
      return payment
    }
    const due = async (now: number, limit = 10) =>
      (await store.claimPushes(look(now, limit))).map(({ paymentId }) => paymentId)
    return { store, finish, due }
  }
  const sighted = (paymentId: string, settlement: Sighting['settlement'], minedHeight: number | null): Sighting => ({
    paymentId,
    settlement,
    minedHeight,
    confirmations: minedHeight === null ? 0 : 1,
    nextCheckAt: NOON,
  })

  describe('pushes', () => {
    test('the longest overdue comes first, at most the limit', async () => {
      const { finish, due } = await pushing()
      const [late, early] = [await finish(NOON + SECOND), await finish(NOON)]
      expect(await due(NOON - 1)).toEqual([])
      expect(await due(NOON)).toEqual([early.id])
      expect(await due(NOON + MINUTE)).toEqual([early.id, late.id])
      expect(await due(NOON + MINUTE, 1)).toEqual([early.id])
    })

    test('one put off further than any schedule goes is due: a clock ran ahead', async () => {
      const { store, finish, due } = await pushing()
      const { id } = await finish(NOON)
      await store.recordPush(id, NOON + 10 * MINUTE, 'no node', WORKER)
      expect(await due(NOON)).toEqual([])
      await store.recordPush(id, NOON + 10 * MINUTE + 1, 'no node', WORKER)
      expect(await due(NOON)).toEqual([id])
    })

    test('a push is counted and comes again when it says, or never', async () => {
      const { store, finish, due } = await pushing()
      const { id } = await finish(NOON)
      await store.recordPush(id, NOON + MINUTE, 'no node', WORKER)
      expect(await due(NOON + MINUTE - 1)).toEqual([])
      expect(await store.claimPushes(look(NOON + MINUTE, 5))).toEqual([
        { paymentId: id, transaction: '{}', attempts: 1 },
      ])
      await store.recordPush(id, null, null, WORKER)
      expect(await due(NOON + DAY)).toEqual([])
    })

    test('a kernel in the pool is pushed on, one in a block is not; one that vanished is due at once', async () => {
      const { store, finish, due } = await pushing()
      const { id } = await finish(NOON)
      await store.markReplied(id)
      await store.recordSighting(sighted(id, 'seen', null), NOON)
      expect(await due(NOON)).toEqual([id])
      await store.recordSighting(sighted(id, 'mined', 7), NOON)
      expect(await due(NOON + DAY)).toEqual([])
      await store.recordSighting(sighted(id, 'replied', null), NOON + MINUTE)
      expect(await due(NOON + MINUTE - 1)).toEqual([])
      expect(await due(NOON + MINUTE)).toEqual([id])
    })

    test('a sighting that changes nothing leaves the next push where it is', async () => {
      const { store, finish, due } = await pushing()
      const { id } = await finish(NOON)
      await store.recordPush(id, NOON + MINUTE, null, WORKER)
      await store.recordSighting(sighted(id, 'replied', null), NOON)
      await store.recordSighting(sighted(id, 'seen', null), NOON)
      expect(await due(NOON + MINUTE - 1)).toEqual([])
      expect(await due(NOON + MINUTE)).toEqual([id])
    })

    test('a confirmed payment is pushed no more', async () => {
      const { store, finish, due } = await pushing()
      const { id } = await finish(NOON)
      await store.confirmPayment(sighted(id, 'confirmed', 7), null, NOON)
      expect(await due(NOON + DAY)).toEqual([])
    })

    test('nor is an abandoned one, until its kernel is in the pool after all', async () => {
      const { store, finish, due } = await pushing()
      const { id } = await finish(NOON)
      await store.abandonPayment(id, NOON)
      expect(await due(NOON + DAY)).toEqual([])
      await store.recordSighting(sighted(id, 'replied', null), NOON + DAY)
      expect((await store.paymentById(id))?.settlement).toBe('abandoned')
      expect(await due(NOON + DAY)).toEqual([])
      await store.recordSighting(sighted(id, 'seen', null), NOON + DAY)
      expect(await due(NOON + DAY)).toEqual([id])
    })
  })
}
