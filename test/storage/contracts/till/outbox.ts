import { describe, expect, test } from 'vitest'
import {
  anEvent,
  anInvoice,
  aSlateId,
  HOUR,
  look,
  MINUTE,
  NOON,
  SECOND,
  WORKER,
} from '../../../support/till-builders.js'
import type { OpenStore } from './index.js'

const answered = (error: string | null) => ({
  startedAt: NOON,
  durationMs: 12,
  httpStatus: error === null ? 200 : 500,
  error,
  answerHead: 'answer',
  by: WORKER,
})
const [A, B, C] = ['a', 'b', 'c'].map((letter) => letter.repeat(32)) as [string, string, string]
const [P, Q] = [aSlateId(), aSlateId()]
const [OK, BAD] = [answered(null), answered('HTTP 500')]
/** As it is on record. */
const numbered = ({ by: _, ...attempt }: ReturnType<typeof answered>, number: number) => ({ ...attempt, number })

export function describeOutbox(open: OpenStore): void {
  describe('outbox', () => {
    test('an event is due at once and keeps its exact body', async () => {
      const store = await open()
      const event = anEvent({ body: '{"π":"é"}', paymentId: P, invoiceId: null })
      await store.insertEvent(event)
      const { receivers: _, ...sent } = event
      const due = { ...sent, receiver: 1, state: 'pending', attempts: 0, nextAttemptAt: NOON, lastError: null }
      expect(await store.claimDeliveries(1, look(NOON - 1, 10))).toEqual([])
      expect(await store.claimDeliveries(1, look(NOON, 10))).toEqual([due])
      expect(await store.deliveryById(event.eventId)).toEqual({ delivery: due, attempts: [] })
      expect(await store.deliveryById('f'.repeat(32))).toBeUndefined()
    })

    test('ids of one kind are found by how they begin, in order, as many as asked for', async () => {
      const store = await open()
      const events = ['b7', 'a2', 'a1', 'a3'].map((head) => anEvent({ eventId: head.padEnd(32, '0') }))
      for (const event of events) await store.insertEvent(event)
      const invoice = anInvoice({ id: 'a1'.padEnd(32, 'f') })
      await store.insertInvoice(invoice, NOON)
      const [b7, a2, a1, a3] = events.map(({ eventId }) => eventId)
      expect(await store.idsLike('event', 'a', 10)).toEqual([a1, a2, a3])
      expect(await store.idsLike('event', 'a', 2)).toEqual([a1, a2])
      expect(await store.idsLike('event', b7 ?? '', 2)).toEqual([b7])
      expect(await store.idsLike('event', 'a10', 2)).toEqual([a1])
      expect(await store.idsLike('event', 'c', 2)).toEqual([])
      expect(await store.idsLike('invoice', 'a1', 2)).toEqual([invoice.id])
      expect(await store.idsLike('payment', 'a1', 2)).toEqual([])
    })

    test('a later event of one invoice waits until the earlier is delivered, other invoices do not', async () => {
      const store = await open()
      const [first, second, other] = [anEvent({ invoiceId: A }), anEvent({ invoiceId: A }), anEvent({ invoiceId: B })]
      for (const event of [first, second, other]) await store.insertEvent(event)
      const due = async (now: number) => (await store.claimDeliveries(1, look(now, 10))).map(({ eventId }) => eventId)
      expect(await due(NOON)).toEqual([first.eventId, other.eventId])
      await store.recordAttempt(first.eventId, 1, BAD, NOON + MINUTE)
      expect(await due(NOON)).toEqual([other.eventId])
      expect(await due(NOON + MINUTE)).toEqual([other.eventId, first.eventId])
      await store.recordAttempt(first.eventId, 1, OK)
      expect(await due(NOON)).toEqual([second.eventId, other.eventId])
    })

    test('an event that was refused twice holds back no later event of its invoice', async () => {
      const store = await open()
      const [first, second] = [anEvent({ invoiceId: A }), anEvent({ invoiceId: A })]
      for (const event of [first, second]) await store.insertEvent(event)
      const due = async (now: number) => (await store.claimDeliveries(1, look(now, 10))).map(({ eventId }) => eventId)
      await store.recordAttempt(first.eventId, 1, BAD, NOON + 30 * SECOND)
      expect(await due(NOON)).toEqual([])
      await store.recordAttempt(first.eventId, 1, BAD, NOON + 90 * SECOND)
      expect(await due(NOON + 30 * SECOND)).toEqual([second.eventId])
    })

    test('an abandoned event lets the next one of its invoice go', async () => {
      const store = await open()
      const [first, second] = [anEvent({ invoiceId: A }), anEvent({ invoiceId: A })]
      for (const event of [first, second]) await store.insertEvent(event)
      await store.recordAttempt(first.eventId, 1, BAD)
      expect((await store.claimDeliveries(1, look(NOON, 10))).map(({ eventId }) => eventId)).toEqual([second.eventId])
    })

    test('events without an invoice keep the order of their payment', async () => {
      const store = await open()
      const [first, second, other] = [anEvent({ paymentId: P }), anEvent({ paymentId: P }), anEvent({ paymentId: Q })]
      for (const event of [first, second, other]) await store.insertEvent(event)
      const due = (await store.claimDeliveries(1, look(NOON, 10))).map(({ eventId }) => eventId)
      expect(due).toEqual([first.eventId, other.eventId])
    })

    test('the longest overdue comes first, at most the limit', async () => {
      const store = await open()
      const made = [3, 1, 2].map((s) => anEvent({ createdAt: NOON + s * SECOND }))
      for (const event of made) await store.insertEvent(event)
      const due = await store.claimDeliveries(1, look(NOON + MINUTE, 2))
      expect(due.map(({ eventId }) => eventId)).toEqual([made[1]?.eventId, made[2]?.eventId])
    })

    test('an event put off further than any schedule goes is due: a clock ran ahead', async () => {
      const store = await open()
      const event = anEvent()
      await store.insertEvent(event)
      const due = async () => (await store.claimDeliveries(1, look(NOON, 10))).map(({ eventId }) => eventId)
      await store.recordAttempt(event.eventId, 1, BAD, NOON + HOUR)
      expect(await due()).toEqual([])
      await store.recordAttempt(event.eventId, 1, BAD, NOON + HOUR + 1)
      expect(await due()).toEqual([event.eventId])
    })

    test('every try is a row; the state follows the last one', async () => {
      const store = await open()
      const event = anEvent()
      await store.insertEvent(event)
      await store.recordAttempt(event.eventId, 1, BAD, NOON + 30 * SECOND)
      expect((await store.deliveryById(event.eventId))?.delivery).toMatchObject({
        state: 'pending',
        attempts: 1,
        nextAttemptAt: NOON + 30 * SECOND,
        lastError: 'HTTP 500',
      })
      await store.recordAttempt(event.eventId, 1, OK)
      const after = await store.deliveryById(event.eventId)
      expect(after?.delivery).toMatchObject({ state: 'delivered', attempts: 2, nextAttemptAt: null, lastError: null })
      expect(after?.attempts).toEqual([numbered(BAD, 1), numbered(OK, 2)])
    })

    test('a replay starts over with the same body and keeps the old tries', async () => {
      const store = await open()
      const event = anEvent()
      await store.insertEvent(event)
      await store.recordAttempt(event.eventId, 1, BAD)
      expect((await store.deliveryById(event.eventId))?.delivery.state).toBe('abandoned')
      expect(await store.replay(event.eventId, [1], NOON + MINUTE)).toBe(1)
      expect(await store.replay('f'.repeat(32), [1], NOON)).toBe(0)
      const [due] = await store.claimDeliveries(1, look(NOON + MINUTE, 10))
      expect(due).toMatchObject({ eventId: event.eventId, body: event.body, attempts: 0, state: 'pending' })
      await store.recordAttempt(event.eventId, 1, OK)
      expect((await store.deliveryById(event.eventId))?.attempts.map(({ number }) => number)).toEqual([1, 2])
    })

    test('lists filter by state, invoice, failure and time, newest first, in pages', async () => {
      const store = await open()
      const made = [
        anEvent({ invoiceId: A }),
        anEvent({ invoiceId: B, createdAt: NOON + SECOND }),
        anEvent({ invoiceId: C, createdAt: NOON + 2 * SECOND }),
      ]
      for (const event of made) await store.insertEvent(event)
      await store.recordAttempt(made[0]?.eventId ?? '', 1, BAD, NOON + MINUTE)
      await store.recordAttempt(made[1]?.eventId ?? '', 1, OK)
      const list = async (filter: Parameters<typeof store.listDeliveries>[0]) =>
        (await store.listDeliveries(filter)).items.map(({ eventId }) => made.findIndex((e) => e.eventId === eventId))
      expect(await list({ limit: 10 })).toEqual([2, 1, 0])
      expect(await list({ limit: 10, state: 'delivered' })).toEqual([1])
      expect(await list({ limit: 10, invoiceId: C })).toEqual([2])
      expect(await list({ limit: 10, failed: true })).toEqual([0])
      expect(await list({ limit: 10, since: NOON + SECOND })).toEqual([2, 1])
      const first = await store.listDeliveries({ limit: 2 })
      expect(await list({ limit: 2, cursor: first.next ?? 'none' })).toEqual([0])
    })

    test('an event for two receivers has a delivery for each, with one id and body', async () => {
      const store = await open()
      const event = anEvent({ receivers: [1, 3] })
      await store.insertEvent(event)
      for (const receiver of [1, 3])
        expect(await store.claimDeliveries(receiver, look(NOON, 10))).toMatchObject([
          { eventId: event.eventId, body: event.body, receiver, attempts: 0 },
        ])
      expect(await store.claimDeliveries(2, look(NOON, 10))).toEqual([])
      expect((await store.deliveriesOf(event.eventId)).map(({ receiver }) => receiver)).toEqual([1, 3])
      expect(await store.deliveriesOf('f'.repeat(32))).toEqual([])
      expect((await store.deliveryById(event.eventId))?.delivery.receiver).toBe(1)
      expect((await store.deliveryById(event.eventId, 3))?.delivery.receiver).toBe(3)
      expect(await store.deliveryById(event.eventId, 2)).toBeUndefined()
    })

    test('an event for no receiver is not kept', async () => {
      const store = await open()
      const event = anEvent({ receivers: [] })
      await store.insertEvent(event)
      expect(await store.deliveryById(event.eventId)).toBeUndefined()
    })

    test('each receiver has its own attempts and state, and is held back by its own events alone', async () => {
      const store = await open()
      const [first, second] = [
        anEvent({ invoiceId: A, receivers: [1, 2] }),
        anEvent({ invoiceId: A, receivers: [1, 2] }),
      ]
      for (const event of [first, second]) await store.insertEvent(event)
      const due = async (receiver: number) =>
        (await store.claimDeliveries(receiver, look(NOON, 10))).map(({ eventId }) => eventId)
      await store.recordAttempt(first.eventId, 1, OK)
      await store.recordAttempt(first.eventId, 2, BAD, NOON + MINUTE)
      expect([await due(1), await due(2)]).toEqual([[second.eventId], []])
      expect(await store.deliveryById(first.eventId, 1)).toMatchObject({
        delivery: { state: 'delivered', attempts: 1, lastError: null },
        attempts: [numbered(OK, 1)],
      })
      expect(await store.deliveryById(first.eventId, 2)).toMatchObject({
        delivery: { state: 'pending', attempts: 1, nextAttemptAt: NOON + MINUTE, lastError: 'HTTP 500' },
        attempts: [numbered(BAD, 1)],
      })
      const failed = await store.listDeliveries({ failed: true, limit: 10 })
      expect(failed.items.map(({ eventId, receiver }) => [eventId, receiver])).toEqual([[first.eventId, 2]])
      const ofTwo = await store.listDeliveries({ receiver: 2, limit: 10 })
      expect(ofTwo.items.map(({ eventId }) => eventId)).toEqual([second.eventId, first.eventId])
      expect(await store.backlog()).toEqual([
        { receiver: 1, pending: 1, oldestCreatedAt: NOON, abandoned: 0, failingSince: null },
        { receiver: 2, pending: 2, oldestCreatedAt: NOON, abandoned: 0, failingSince: BAD.startedAt },
      ])
    })

    test('a replay names its receivers; those without the event are left out', async () => {
      const store = await open()
      const event = anEvent({ receivers: [1, 2] })
      await store.insertEvent(event)
      for (const receiver of [1, 2]) await store.recordAttempt(event.eventId, receiver, BAD)
      expect(await store.replay(event.eventId, [2, 4], NOON + MINUTE)).toBe(1)
      expect((await store.deliveriesOf(event.eventId)).map(({ state }) => state)).toEqual(['abandoned', 'pending'])
      expect(await store.replay(event.eventId, [1, 2], NOON + MINUTE)).toBe(2)
      expect((await store.deliveriesOf(event.eventId)).map(({ attempts }) => attempts)).toEqual([0, 0])
    })

    test('what waits for a removed receiver ends with the reason and counts as failed; nothing else changes', async () => {
      const store = await open()
      const [delivered, waiting] = [anEvent({ receivers: [1, 2] }), anEvent({ receivers: [1, 2] })]
      for (const event of [delivered, waiting]) await store.insertEvent(event)
      await store.recordAttempt(delivered.eventId, 2, OK)
      expect(await store.abandonPending(2, 'receiver 2 is gone')).toBe(1)
      expect(await store.abandonPending(2, 'receiver 2 is gone')).toBe(0)
      expect(await store.deliveriesOf(waiting.eventId)).toMatchObject([
        { receiver: 1, state: 'pending', lastError: null },
        { receiver: 2, state: 'abandoned', nextAttemptAt: null, lastError: 'receiver 2 is gone' },
      ])
      expect((await store.deliveryById(delivered.eventId, 2))?.delivery.state).toBe('delivered')
      const failed = await store.listDeliveries({ failed: true, limit: 10 })
      expect(failed.items.map(({ eventId }) => eventId)).toEqual([waiting.eventId])
    })

    test('the backlog tells for each receiver how many wait, since when, and how many were given up', async () => {
      const store = await open()
      expect(await store.backlog()).toEqual([])
      const made = [1, 0, 2].map((s) => anEvent({ createdAt: NOON + s * SECOND }))
      const other = anEvent({ createdAt: NOON + 3 * SECOND, receivers: [1, 4] })
      for (const event of [...made, other]) await store.insertEvent(event)
      await store.recordAttempt(made[2]?.eventId ?? '', 1, BAD)
      await store.recordAttempt(other.eventId, 1, OK)
      expect(await store.backlog()).toEqual([
        { receiver: 1, pending: 2, oldestCreatedAt: NOON, abandoned: 1, failingSince: null },
        { receiver: 4, pending: 1, oldestCreatedAt: NOON + 3 * SECOND, abandoned: 0, failingSince: null },
      ])
    })

    test('a receiver fails since its first failed try after the last that succeeded, and is forgotten with its deliveries', async () => {
      const store = await open()
      const [first, second] = [anEvent({ receivers: [1, 2] }), anEvent({ receivers: [1, 2] })]
      for (const event of [first, second]) await store.insertEvent(event)
      const since = async () => (await store.backlog()).map(({ receiver, failingSince }) => [receiver, failingSince])
      const tryAt = (event: typeof first, receiver: number, startedAt: number, outcome: typeof BAD | typeof OK) =>
        store.recordAttempt(event.eventId, receiver, { ...outcome, startedAt }, startedAt + MINUTE)
      await tryAt(first, 1, NOON + 1, BAD)
      await tryAt(first, 2, NOON + 2, BAD)
      await tryAt(second, 1, NOON + 3, BAD)
      expect(await since()).toEqual([
        [1, NOON + 1],
        [2, NOON + 2],
      ])
      await store.recordAttempt(second.eventId, 1, { ...OK, startedAt: NOON + 4 })
      expect(await since()).toEqual([
        [1, null],
        [2, NOON + 2],
      ])
      await tryAt(first, 1, NOON + 5, BAD)
      await store.abandonPending(2, 'receiver 2 is gone')
      expect(await since()).toEqual([
        [1, NOON + 5],
        [2, null],
      ])
    })

    test('a test.ping that was given up is no backlog', async () => {
      const store = await open()
      const ping = anEvent({ type: 'test.ping' })
      await store.insertEvent(ping)
      expect(await store.backlog()).toMatchObject([{ pending: 1, abandoned: 0 }])
      await store.recordAttempt(ping.eventId, 1, BAD)
      expect(await store.backlog()).toEqual([])
    })
  })
}
