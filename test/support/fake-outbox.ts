import { HOLDING_ATTEMPTS, LONGEST_WAIT_MS } from '../../src/lib/due-times.js'
import type { Delivery, QueuedEvent, WebhookEvent, WebhookOutbox } from '../../src/till/index.js'
import { isDue, pageOf, type Row, type Tables } from './fake-tables.js'

const keyOf = (eventId: string, receiver: number): string => `${receiver}:${eventId}`

const byDueTime = (a: Row<Delivery>, b: Row<Delivery>): number =>
  (a.value.nextAttemptAt ?? 0) - (b.value.nextAttemptAt ?? 0) || a.seq - b.seq

export function fakeOutbox({
  deliveries,
  attempts,
  leases: { delivery: leases },
}: Tables): WebhookOutbox & { insertNow(event: QueuedEvent, intendedInvoiceId?: string | null): void } {
  const intended = new Map<string, string | null>()
  /** Events of one line are delivered one after the other. */
  const lineOf = ({ invoiceId, paymentId, eventId }: WebhookEvent): string =>
    invoiceId ?? intended.get(eventId) ?? paymentId ?? eventId
  const removed = new Set<string>()
  const failures = new Map<number, number>()
  const pending = () => deliveries.rows().filter(({ value }) => value.state === 'pending')
  function insertNow({ receivers, ...event }: QueuedEvent, intendedInvoiceId: string | null = null) {
    intended.set(event.eventId, intendedInvoiceId)
    const fresh = { state: 'pending', attempts: 0, nextAttemptAt: event.createdAt, lastError: null } as const
    for (const receiver of receivers)
      deliveries.insert(keyOf(event.eventId, receiver), { ...event, receiver, ...fresh })
  }
  const deliveriesOf = (eventId: string) =>
    deliveries
      .all()
      .filter((delivery) => delivery.eventId === eventId)
      .sort((a, b) => a.receiver - b.receiver)
  const hasFailed = (key: string) => removed.has(key) || (attempts.get(key) ?? []).some(({ error }) => error !== null)

  return {
    insertNow,
    async insertEvent(event, lease) {
      insertNow(event)
      if (lease) for (const receiver of event.receivers) leases.hand(keyOf(event.eventId, receiver), lease)
    },
    async claimDeliveries(receiver, claim) {
      const { now } = claim
      const waiting = pending().filter(({ value }) => value.receiver === receiver)
      const isFirst = (row: Row<Delivery>) =>
        !waiting.some(
          (other) =>
            other.seq < row.seq && lineOf(other.value) === lineOf(row.value) && other.value.attempts < HOLDING_ATTEMPTS,
        )
      const due = waiting.filter((row) => isDue(row.value.nextAttemptAt, now, LONGEST_WAIT_MS.webhook) && isFirst(row))
      return leases
        .claim(claim, due.sort(byDueTime), ({ value }) => keyOf(value.eventId, receiver))
        .map(({ value }) => value)
    },
    async recordAttempt(eventId, receiver, { by, ...attempt }, retryAt) {
      const key = keyOf(eventId, receiver)
      const delivery = deliveries.get(key)
      if (!delivery) return
      const tries = attempts.get(key) ?? []
      attempts.set(key, [...tries, { ...attempt, number: tries.length + 1 }])
      if (attempt.error === null) failures.delete(receiver)
      else failures.set(receiver, failures.get(receiver) ?? attempt.startedAt)
      const isLate = leases.isOthers(key, by)
      if (!isLate) leases.held.delete(key)
      if (isLate || delivery.state !== 'pending') return
      const state = retryAt !== undefined ? 'pending' : attempt.error === null ? 'delivered' : 'abandoned'
      deliveries.update(key, {
        state,
        attempts: delivery.attempts + 1,
        nextAttemptAt: retryAt ?? null,
        lastError: attempt.error,
      })
    },
    async deliveryById(eventId, receiver) {
      const delivery = deliveriesOf(eventId).find((one) => receiver === undefined || one.receiver === receiver)
      return delivery && { delivery, attempts: attempts.get(keyOf(eventId, delivery.receiver)) ?? [] }
    },
    deliveriesOf: async (eventId) => deliveriesOf(eventId),
    async listDeliveries({ state, invoiceId, receiver, failed, since, limit, cursor }) {
      const rows = deliveries
        .rows()
        .filter(
          ({ value }) =>
            (state === undefined || value.state === state) &&
            (invoiceId === undefined || value.invoiceId === invoiceId) &&
            (receiver === undefined || value.receiver === receiver) &&
            (failed === undefined || hasFailed(keyOf(value.eventId, value.receiver)) === failed) &&
            (since === undefined || value.createdAt >= since),
        )
      return pageOf(rows, limit, cursor)
    },
    async replay(eventId, receivers, now) {
      const known = receivers.map((receiver) => keyOf(eventId, receiver)).filter((key) => deliveries.get(key))
      if (known.some((key) => (leases.held.get(key)?.until ?? now) > now)) return 'in-flight'
      for (const key of known) deliveries.update(key, { state: 'pending', attempts: 0, nextAttemptAt: now })
      return known.length
    },
    async abandonPending(receiver, reason) {
      failures.delete(receiver)
      const ended = pending().filter(({ value }) => value.receiver === receiver)
      for (const { value } of ended) {
        const key = keyOf(value.eventId, receiver)
        removed.add(key)
        deliveries.update(key, { state: 'abandoned', nextAttemptAt: null, lastError: reason })
      }
      return ended.length
    },
    async backlog() {
      const abandoned = deliveries.all().filter(({ state, type }) => state === 'abandoned' && type !== 'test.ping')
      const waiting = pending().map(({ value }) => value)
      const receivers = [...new Set([...waiting, ...abandoned].map(({ receiver }) => receiver))].sort((a, b) => a - b)
      return receivers.map((receiver) => {
        const times = waiting.filter((one) => one.receiver === receiver).map(({ createdAt }) => createdAt)
        return {
          receiver,
          pending: times.length,
          oldestCreatedAt: times.length === 0 ? null : Math.min(...times),
          abandoned: abandoned.filter((one) => one.receiver === receiver).length,
          failingSince: failures.get(receiver) ?? null,
        }
      })
    },
  }
}
