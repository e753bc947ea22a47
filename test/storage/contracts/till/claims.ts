// Work is handed out to one process at a time, and comes back by itself.
import { describe, expect, test } from 'vitest'
import type { TillStore, WorkClaim } from '../../../../src/till/index.js'
import { HELD_NOTICES } from '../../../../src/till/model.js'
import {
  anEvent,
  aPayment,
  aRailInvoice,
  claim,
  DAY,
  MINUTE,
  NOON,
  OTHER_WORKER,
  SECOND,
  WORKER,
} from '../../../support/till-builders.js'
import type { OpenStore } from './index.js'

const INVOICE = 'a'.repeat(32)
const tried = (by: string, error: string | null) => ({
  startedAt: NOON,
  durationMs: 1,
  httpStatus: error === null ? 200 : 500,
  error,
  answerHead: '',
  by,
})

/** One kind of work: `add` makes a row that is due at `at` and answers its id, `done` records a result that puts it off. */
interface Work {
  readonly add: (store: TillStore, at: number) => Promise<string>
  readonly ids: (store: TillStore, claim: WorkClaim) => Promise<readonly string[]>
  readonly done: (store: TillStore, id: string, next: number, by: string) => Promise<void>
}

const KINDS = {
  deliveries: {
    async add(store, at) {
      const event = anEvent({ createdAt: at })
      await store.insertEvent(event)
      return event.eventId
    },
    ids: async (store, asked) => (await store.claimDeliveries(1, asked)).map(({ eventId }) => eventId),
    done: (store, id, next, by) => store.recordAttempt(id, 1, tried(by, 'HTTP 500'), next),
  },
  messages: {
    async add(store, at) {
      const payment = aPayment({ nextCheckAt: null })
      await store.acceptPayment(payment, null, at, at, { messages: [{ kind: 'reply', layout: 'plain' }] })
      return payment.id
    },
    ids: async (store, asked) => (await store.claimMessages(asked)).map(({ paymentId }) => paymentId),
    done: (store, id, next, by) =>
      store.recordPosting(id, 'reply', { acceptedBy: [], error: 'no relay', nextAttemptAt: next, by }),
  },
  pushes: {
    async add(store, at) {
      const { invoice, slate } = aRailInvoice()
      await store.insertInvoice(invoice, at, undefined, slate)
      const payment = aPayment({ id: slate.slateId, invoiceId: invoice.id, rail: 'grin1' })
      await store.acceptPayment(payment, null, at, at, { finished: { slateId: slate.slateId, transaction: '{}' } })
      return payment.id
    },
    ids: async (store, asked) => (await store.claimPushes(asked)).map(({ paymentId }) => paymentId),
    done: (store, id, next, by) => store.recordPush(id, next, 'no node', by),
  },
  checks: {
    async add(store, at) {
      const payment = aPayment({ nextCheckAt: at })
      await store.acceptPayment(payment, null, at, at)
      return payment.id
    },
    ids: async (store, asked) => (await store.claimChecks(asked)).map(({ id }) => id),
    done: (store, id, next) => store.postponeCheck(id, next),
  },
} satisfies Readonly<Record<string, Work>>

export function describeClaims(open: OpenStore): void {
  describe.each(Object.entries<Work>(KINDS))('claims of %s', (_, { add, ids, done }) => {
    async function filled(count: number) {
      const store = await open()
      const made: string[] = []
      for (let at = 0; at < count; at += 1) made.push(await add(store, NOON + at))
      return { store, made, one: made[0] ?? '' }
    }
    const later = NOON + SECOND

    test('each row is handed out once, to whoever asks first, and no more than are asked for', async () => {
      const { store, made } = await filled(5)
      const [mine, others] = [await ids(store, claim(later, 2)), await ids(store, claim(later, 10, OTHER_WORKER))]
      expect([mine, others]).toEqual([made.slice(0, 2), made.slice(2)])
      expect(await ids(store, claim(later))).toEqual([])
      expect(await ids(store, claim(later, 10, OTHER_WORKER))).toEqual([])
    })

    test('claims at once share the rows between them', async () => {
      const { store, made } = await filled(12)
      const asked = Array.from({ length: 8 }, (_none, at) => claim(later, 3, at % 2 === 0 ? WORKER : OTHER_WORKER))
      const all = (await Promise.all(asked.map((one) => ids(store, one)))).flat()
      expect(new Set(all).size).toBe(all.length)
      const rest = await ids(store, claim(later, 12))
      expect([...all, ...rest].sort()).toEqual([...made].sort())
    })

    test('a row comes back when its lease has ended, to anybody, and not before', async () => {
      const { store, one } = await filled(1)
      await ids(store, claim(later))
      expect(await ids(store, claim(later + MINUTE - 1, 10, OTHER_WORKER))).toEqual([])
      expect(await ids(store, claim(later + MINUTE, 10, OTHER_WORKER))).toEqual([one])
      expect(await ids(store, claim(later + MINUTE))).toEqual([])
    })

    test('a lease that only a wrong clock can have written has ended', async () => {
      const { store, one } = await filled(1)
      await ids(store, claim(NOON + DAY))
      expect(await ids(store, claim(later))).toEqual([one])
    })

    test('the result ends the lease: the row is due again when it says', async () => {
      const { store, one } = await filled(1)
      await ids(store, claim(later))
      await done(store, one, later + SECOND, WORKER)
      expect(await ids(store, claim(later))).toEqual([])
      expect(await ids(store, claim(later + SECOND, 10, OTHER_WORKER))).toEqual([one])
    })
  })

  describe('claims and results that come late', () => {
    async function takenOver() {
      const store = await open()
      const event = anEvent()
      await store.insertEvent(event)
      await store.claimDeliveries(1, claim(NOON))
      await store.claimDeliveries(1, claim(NOON + MINUTE, 10, OTHER_WORKER))
      const record = (by: string, error: string | null, retryAt?: number) =>
        store.recordAttempt(event.eventId, 1, tried(by, error), retryAt)
      const now = async () => {
        const found = await store.deliveryById(event.eventId)
        return [found?.delivery.state, found?.delivery.attempts, found?.attempts.map(({ number }) => number)]
      }
      return { store, event, record, now }
    }

    test('of a delivery: the try is on record, and the holder alone decides', async () => {
      const { store, event, record, now } = await takenOver()
      await record(WORKER, 'HTTP 500')
      expect(await now()).toEqual(['pending', 0, [1]])
      const failed = await store.listDeliveries({ failed: true, limit: 5 })
      expect(failed.items.map(({ eventId }) => eventId)).toEqual([event.eventId])
      expect(await store.claimDeliveries(1, claim(NOON + MINUTE + SECOND))).toEqual([])
      await record(OTHER_WORKER, null)
      expect(await now()).toEqual(['delivered', 1, [1, 2]])
    })

    test('of a delivery that has ended: it does not begin again', async () => {
      const { record, now } = await takenOver()
      await record(OTHER_WORKER, null)
      await record(WORKER, 'HTTP 500', NOON + 2 * MINUTE)
      expect(await now()).toEqual(['delivered', 1, [1, 2]])
    })

    test('of one whose lease ended and that nobody else took: it counts', async () => {
      const store = await open()
      const event = anEvent()
      await store.insertEvent(event)
      await store.claimDeliveries(1, claim(NOON))
      await store.recordAttempt(event.eventId, 1, tried(WORKER, null))
      expect(await store.claimDeliveries(1, claim(NOON + DAY))).toEqual([])
      expect((await store.deliveryById(event.eventId))?.delivery).toMatchObject({ state: 'delivered', attempts: 1 })
    })

    test('of a letter: it stays as it is, but what a relay took the payer has', async () => {
      const store = await open()
      const payment = aPayment({ rail: 'nostr' })
      await store.acceptPayment(payment, null, NOON, NOON, { messages: [{ kind: 'reply', layout: 'plain' }] })
      await store.claimMessages(claim(NOON))
      await store.claimMessages(claim(NOON + MINUTE, 10, OTHER_WORKER))
      const before = await store.messageOfPayment(payment.id, 'reply')
      const posting = { acceptedBy: ['wss://a.example'], error: null, nextAttemptAt: null, by: WORKER }
      await store.recordPosting(payment.id, 'reply', posting)
      expect(await store.messageOfPayment(payment.id, 'reply')).toEqual(before)
      expect((await store.paymentById(payment.id))?.settlement).toBe('replied')
      await store.recordPosting(payment.id, 'reply', { ...posting, by: OTHER_WORKER })
      expect(await store.messageOfPayment(payment.id, 'reply')).toMatchObject({ state: 'sent', attempts: 1 })
    })

    test('of a push: it is not counted', async () => {
      const store = await open()
      const id = await KINDS.pushes.add(store, NOON)
      await store.claimPushes(claim(NOON))
      await store.claimPushes(claim(NOON + MINUTE, 10, OTHER_WORKER))
      await store.recordPush(id, null, null, WORKER)
      await store.recordPush(id, NOON + 2 * MINUTE, 'no node', OTHER_WORKER)
      expect(await store.claimPushes(claim(NOON + 2 * MINUTE))).toMatchObject([{ paymentId: id, attempts: 1 }])
    })
  })

  describe('claims and the order of work', () => {
    test('a later event of one invoice waits for the earlier one, however often that one is handed out', async () => {
      const store = await open()
      const [first, second] = [anEvent({ invoiceId: INVOICE }), anEvent({ invoiceId: INVOICE })]
      for (const event of [first, second]) await store.insertEvent(event)
      const claimed = async (now: number, by: string) =>
        (await store.claimDeliveries(1, claim(now, 10, by))).map(({ eventId }) => eventId)
      expect(await claimed(NOON, WORKER)).toEqual([first.eventId])
      expect(await claimed(NOON, OTHER_WORKER)).toEqual([])
      expect(await claimed(NOON + MINUTE, OTHER_WORKER)).toEqual([first.eventId])
      await store.recordAttempt(first.eventId, 1, tried(OTHER_WORKER, null))
      expect(await claimed(NOON + MINUTE, WORKER)).toEqual([second.eventId])
    })

    test('a delivery for two receivers is handed out for each by itself', async () => {
      const store = await open()
      await store.insertEvent(anEvent({ receivers: [1, 2] }))
      expect(await store.claimDeliveries(1, claim(NOON))).toHaveLength(1)
      expect(await store.claimDeliveries(2, claim(NOON))).toHaveLength(1)
    })

    test('an event that is stored with a lease is not handed out before that ended', async () => {
      const store = await open()
      const event = anEvent()
      const { limit: _, ...lease } = claim(NOON)
      await store.insertEvent(event, lease)
      expect(await store.claimDeliveries(1, claim(NOON, 10, OTHER_WORKER))).toEqual([])
      expect(await store.claimDeliveries(1, claim(NOON + MINUTE))).toHaveLength(1)
    })

    test('nothing is replayed while a try is under way', async () => {
      const store = await open()
      const event = anEvent({ receivers: [1, 2] })
      await store.insertEvent(event)
      await store.claimDeliveries(2, claim(NOON))
      expect(await store.replay(event.eventId, [1, 2], NOON + SECOND)).toBe('in-flight')
      expect(await store.replay(event.eventId, [1], NOON + SECOND)).toBe(1)
      expect(await store.replay(event.eventId, [1, 2], NOON + MINUTE)).toBe(2)
    })

    test('a letter that is queued anew is handed out at once, and what another process still tries says nothing', async () => {
      const store = await open()
      const payment = aPayment()
      const draft = { kind: 'reply', layout: 'plain' } as const
      await store.acceptPayment(payment, null, NOON, NOON, { messages: [draft] })
      await store.claimMessages(claim(NOON, 10, OTHER_WORKER))
      await store.requeueMessage(payment.id, draft, NOON + SECOND, WORKER)
      const posting = { acceptedBy: ['wss://a.example'], error: null, nextAttemptAt: null, by: OTHER_WORKER }
      await store.recordPosting(payment.id, 'reply', posting)
      expect(await store.messageOfPayment(payment.id, 'reply')).toMatchObject({ state: 'pending', acceptedBy: [] })
      expect(await store.claimMessages(claim(NOON + SECOND))).toHaveLength(1)
    })

    test.each(HELD_NOTICES)('%s waits for the reply over Nostr, for a minute', async (kind) => {
      const store = await open()
      const payment = aPayment({ rail: 'nostr' })
      await store.acceptPayment(payment, null, NOON, NOON, { messages: [{ kind, layout: 'plain' }] })
      expect(await store.claimMessages(claim(NOON + MINUTE - 1))).toEqual([])
      expect(await store.claimMessages(claim(NOON + MINUTE))).toHaveLength(1)
      const next = aPayment({ rail: 'nostr' })
      await store.acceptPayment(next, null, NOON, NOON, { messages: [{ kind, layout: 'plain' }] })
      await store.markReplied(next.id)
      expect(await store.claimMessages(claim(NOON))).toHaveLength(1)
      const pasted = aPayment({ rail: 'slatepack' })
      await store.acceptPayment(pasted, null, NOON, NOON, { messages: [{ kind, layout: 'plain' }] })
      expect(await store.claimMessages(claim(NOON))).toHaveLength(1)
    })

    test('checks that are given back are due again at once; those of another process stay with it', async () => {
      const store = await open()
      const [mine, others] = [NOON, NOON + 1].map((nextCheckAt) => aPayment({ nextCheckAt }))
      for (const payment of [mine, others]) if (payment) await store.acceptPayment(payment, null, NOON, NOON)
      const ids = [mine?.id ?? '', others?.id ?? '']
      await store.claimChecks(claim(NOON))
      await store.claimChecks(claim(NOON + 1, 10, OTHER_WORKER))
      await store.releaseChecks(ids, WORKER)
      expect((await store.claimChecks(claim(NOON + 1))).map(({ id }) => id)).toEqual([mine?.id])
    })
  })
}
