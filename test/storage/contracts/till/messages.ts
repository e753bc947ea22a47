import { describe, expect, test } from 'vitest'
import type { MessageDraft, OutgoingMessage, Sighting, TillStore } from '../../../../src/till/index.js'
import { aPayment, aSlateId, DAY, look, MINUTE, NOON, SECOND, WORKER } from '../../../support/till-builders.js'
import type { OpenStore } from './index.js'

const REPLY: MessageDraft = { kind: 'reply', layout: 'plain' }
const THANKS: MessageDraft = { kind: 'thanks', layout: 'plain' }
const CONFIRMED: MessageDraft = { kind: 'merchant-confirmed', layout: 'plain' }
const taken = (nextAttemptAt: number | null, ...acceptedBy: string[]) => ({
  acceptedBy,
  error: null,
  nextAttemptAt,
  by: WORKER,
})
const refused = (nextAttemptAt: number | null) => ({
  acceptedBy: [],
  error: 'no relay answers',
  nextAttemptAt,
  by: WORKER,
})

const fresh = (paymentId: string, draft: MessageDraft, at: number): OutgoingMessage => ({
  ...draft,
  paymentId,
  state: 'pending',
  createdAt: at,
  attempts: 0,
  nextAttemptAt: at,
  wrap: null,
  acceptedBy: [],
  lastError: null,
})

export function describeMessages(open: OpenStore): void {
  async function owing(...messages: MessageDraft[]) {
    const store = await open()
    const payment = aPayment({ rail: 'nostr', payer: 'aa'.repeat(32), recipientPubkey: 'bb'.repeat(32) })
    await store.acceptPayment(payment, null, NOON, NOON, { messages })
    const reply = () => store.messageOfPayment(payment.id, 'reply')
    const settlement = async () => (await store.paymentById(payment.id))?.settlement
    return { store, payment, reply, settlement }
  }
  const kindsDue = async (store: TillStore, now: number) =>
    (await store.claimMessages(look(now, 10))).map(({ kind }) => kind)
  const sighted = (paymentId: string, settlement: Sighting['settlement']): Sighting => ({
    paymentId,
    settlement,
    minedHeight: settlement === 'seen' || settlement === 'replied' ? null : 7,
    confirmations: 1,
    nextCheckAt: NOON,
  })

  describe('letters', () => {
    test('the letters of a payment are due with it, in their order, each with the payment', async () => {
      const { store, payment } = await owing({ kind: 'reply', layout: 'json' }, CONFIRMED)
      expect(await store.claimMessages(look(NOON - 1, 10))).toEqual([])
      expect(await store.claimMessages(look(NOON, 10))).toEqual([
        { ...fresh(payment.id, { kind: 'reply', layout: 'json' }, NOON), payment },
        { ...fresh(payment.id, CONFIRMED, NOON), payment },
      ])
      expect(await store.messageOfPayment(payment.id, 'merchant-received')).toBeUndefined()
      expect(await store.messageOfPayment(aSlateId(), 'reply')).toBeUndefined()
    })

    test('a payment that is refused or known owes nothing', async () => {
      const { store, payment } = await owing()
      await store.acceptPayment(payment, null, NOON, NOON, { messages: [REPLY] })
      expect(await store.claimMessages(look(NOON, 10))).toEqual([])
    })

    test('a try put off further than any schedule goes is due: a clock ran ahead', async () => {
      const { store, payment } = await owing(REPLY)
      const postpone = (nextAttemptAt: number) =>
        store.recordPosting(payment.id, 'reply', { acceptedBy: [], error: 'no relay', nextAttemptAt, by: WORKER })
      await postpone(NOON + 15 * MINUTE)
      expect(await kindsDue(store, NOON)).toEqual([])
      await postpone(NOON + 15 * MINUTE + 1)
      expect(await kindsDue(store, NOON)).toEqual(['reply'])
    })

    test('the longest overdue comes first, at most the limit', async () => {
      const store = await open()
      const made = [3, 1, 2].map((second) => ({ at: NOON + second * SECOND, payment: aPayment() }))
      for (const { at, payment } of made) await store.acceptPayment(payment, null, at, at, { messages: [REPLY] })
      const order = async (now: number, limit: number) =>
        (await store.claimMessages(look(now, limit))).map(({ paymentId }) =>
          made.findIndex((m) => m.payment.id === paymentId),
        )
      expect(await order(NOON + MINUTE, 10)).toEqual([1, 2, 0])
      expect(await order(NOON + MINUTE, 2)).toEqual([1, 2])
      expect(await order(NOON + 2 * SECOND, 10)).toEqual([1, 2])
    })

    test('the first wrap that is kept stays in force', async () => {
      const { store, payment, reply } = await owing(REPLY)
      const both = await Promise.all([
        store.keepWrap(payment.id, 'reply', '{"first":"π"}'),
        store.keepWrap(payment.id, 'reply', '{"second":1}'),
      ])
      expect(both).toEqual(['{"first":"π"}', '{"first":"π"}'])
      expect((await reply())?.wrap).toBe('{"first":"π"}')
      expect(await store.keepWrap(payment.id, 'thanks', '{}')).toBeUndefined()
    })

    test('a try that no relay took is counted and comes again; the wrap stays', async () => {
      const { store, payment, reply, settlement } = await owing(REPLY)
      await store.keepWrap(payment.id, 'reply', '{}')
      await store.recordPosting(payment.id, 'reply', refused(NOON + 15 * SECOND))
      await store.recordPosting(payment.id, 'reply', refused(NOON + 45 * SECOND))
      expect(await reply()).toEqual({
        ...fresh(payment.id, REPLY, NOON),
        attempts: 2,
        nextAttemptAt: NOON + 45 * SECOND,
        lastError: 'no relay answers',
        wrap: '{}',
      })
      expect(await kindsDue(store, NOON + 44 * SECOND)).toEqual([])
      expect(await kindsDue(store, NOON + 45 * SECOND)).toEqual(['reply'])
      expect(await settlement()).toBe('received')
    })

    test('a reply that one relay took is replied, and is still tried on the others', async () => {
      const { store, payment, reply, settlement } = await owing(REPLY)
      await store.recordPosting(payment.id, 'reply', taken(NOON + MINUTE, 'wss://a.example'))
      expect(await settlement()).toBe('replied')
      expect(await reply()).toMatchObject({ state: 'pending', acceptedBy: ['wss://a.example'], lastError: null })
      await store.recordPosting(payment.id, 'reply', taken(null, 'wss://a.example', 'wss://b.example'))
      expect(await reply()).toMatchObject({
        state: 'sent',
        attempts: 2,
        nextAttemptAt: null,
        acceptedBy: ['wss://a.example', 'wss://b.example'],
      })
      expect(await kindsDue(store, NOON + DAY)).toEqual([])
    })

    test('the first OK of a try that goes on is on record and counts no try', async () => {
      const { store, payment, reply, settlement } = await owing(REPLY)
      await store.keepWrap(payment.id, 'reply', '{}')
      const first = { ...taken(NOON + MINUTE, 'wss://a.example'), partial: true }
      await store.recordPosting(payment.id, 'reply', first)
      expect(await settlement()).toBe('replied')
      expect(await reply()).toMatchObject({
        state: 'pending',
        attempts: 0,
        acceptedBy: ['wss://a.example'],
        wrap: '{}',
      })
      await store.recordPosting(payment.id, 'reply', taken(null, 'wss://a.example', 'wss://b.example'))
      expect(await reply()).toMatchObject({ state: 'sent', attempts: 1 })
    })

    test('thanks that a relay took say nothing about the reply', async () => {
      const { store, payment, settlement } = await owing(REPLY, THANKS)
      await store.recordPosting(payment.id, 'thanks', taken(null, 'wss://a.example'))
      expect(await settlement()).toBe('received')
      expect(await kindsDue(store, NOON)).toEqual(['reply'])
    })

    test('a letter that no relay took in time is given up and drops its wrap', async () => {
      const { store, payment, reply } = await owing(REPLY)
      await store.keepWrap(payment.id, 'reply', '{}')
      await store.recordPosting(payment.id, 'reply', refused(null))
      expect(await reply()).toMatchObject({ state: 'given-up', nextAttemptAt: null, wrap: null, attempts: 1 })
      expect(await store.keepWrap(payment.id, 'reply', '{}')).toBeUndefined()
    })

    test('a try that ends after its letter did changes nothing but that the payer has the reply', async () => {
      const { store, payment, reply, settlement } = await owing(REPLY)
      await store.recordPosting(payment.id, 'reply', refused(null))
      const before = await reply()
      await store.recordPosting(payment.id, 'reply', taken(NOON + MINUTE, 'wss://late.example'))
      expect(await reply()).toEqual(before)
      expect(await settlement()).toBe('replied')
    })

    test('a queued letter starts anew, and the wrap it still has is sent again', async () => {
      const { store, payment, reply } = await owing(REPLY)
      await store.keepWrap(payment.id, 'reply', '{}')
      await store.recordPosting(payment.id, 'reply', taken(NOON + MINUTE, 'wss://a.example'))
      expect(await store.requeueMessage(payment.id, REPLY, NOON + DAY, WORKER)).toBe('queued')
      expect(await reply()).toEqual({ ...fresh(payment.id, REPLY, NOON + DAY), wrap: '{}' })
      await store.recordPosting(payment.id, 'reply', taken(null, 'wss://a.example'))
      await store.requeueMessage(payment.id, REPLY, NOON + 2 * DAY, WORKER)
      expect(await reply()).toEqual(fresh(payment.id, REPLY, NOON + 2 * DAY))
    })

    test('a payer who asks again in another layout gets another wrap', async () => {
      const { store, payment, reply } = await owing(REPLY)
      await store.keepWrap(payment.id, 'reply', '{}')
      const other = { kind: 'reply', layout: 'json' } as const
      await store.requeueMessage(payment.id, other, NOON + MINUTE, WORKER)
      expect(await reply()).toEqual(fresh(payment.id, other, NOON + MINUTE))
    })

    test('queueing makes the letter a payment never had, and none for an unknown payment', async () => {
      const { store, payment } = await owing()
      expect(await store.requeueMessage(payment.id, THANKS, NOON, WORKER)).toBe('queued')
      expect(await store.messageOfPayment(payment.id, 'thanks')).toEqual(fresh(payment.id, THANKS, NOON))
      expect(await store.requeueMessage(aSlateId(), THANKS, NOON, WORKER)).toBe('unknown-payment')
    })

    test.each(['seen', 'mined', 'confirmed'] as const)('a %s kernel ends a reply that some relay took', async (how) => {
      const { store, payment, reply } = await owing(REPLY, THANKS)
      await store.keepWrap(payment.id, 'reply', '{}')
      await store.recordPosting(payment.id, 'reply', taken(NOON + MINUTE, 'wss://a.example'))
      await store.recordSighting(sighted(payment.id, 'replied'), NOON)
      expect((await reply())?.state).toBe('pending')
      if (how === 'confirmed') await store.confirmPayment(sighted(payment.id, how), null, NOON)
      else await store.recordSighting(sighted(payment.id, how), NOON)
      expect(await reply()).toMatchObject({ state: 'sent', nextAttemptAt: null, wrap: null })
      expect(await kindsDue(store, NOON + DAY)).toEqual(['thanks'])
    })

    test('a kernel does not end a reply that no relay took', async () => {
      const { store, payment, reply } = await owing(REPLY)
      await store.recordSighting(sighted(payment.id, 'seen'), NOON)
      expect(await reply()).toMatchObject({ state: 'pending', nextAttemptAt: NOON })
    })

    test('confirming owes its letters once', async () => {
      const { store, payment } = await owing()
      const messages = [{ kind: 'merchant-confirmed', layout: 'plain' }] as const
      const now = NOON + DAY
      const confirm = () => store.confirmPayment(sighted(payment.id, 'confirmed'), null, now, messages)
      expect([await confirm(), await confirm()]).toEqual([{ settled: null }, false])
      expect(await store.messageOfPayment(payment.id, 'merchant-confirmed')).toEqual(
        fresh(payment.id, messages[0], now),
      )
      expect(await kindsDue(store, now)).toEqual(['merchant-confirmed'])
    })

    test('the backlog counts what is pending and knows the oldest', async () => {
      const { store, payment } = await owing(REPLY, THANKS)
      await store.acceptPayment(aPayment(), null, NOON - MINUTE, NOON, { messages: [REPLY] })
      expect(await store.messageBacklog()).toEqual({ pending: 3, oldestCreatedAt: NOON - MINUTE })
      await store.recordPosting(payment.id, 'thanks', refused(null))
      expect((await store.messageBacklog()).pending).toBe(2)
      expect(await (await open()).messageBacklog()).toEqual({ pending: 0, oldestCreatedAt: null })
    })
  })
}
