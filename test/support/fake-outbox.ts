import { HOLDING_ATTEMPTS, LONGEST_WAIT_MS } from '../../src/lib/due-times.js'
import type { Delivery, Outbox, WebhookEvent } from '../../src/till/index.js'
import { isDue, pageOf, type Row, type Tables } from './fake-tables.js'

/** Events of one line are delivered one after the other. */
const lineOf = ({ invoiceId, paymentId, eventId }: WebhookEvent): string => invoiceId ?? paymentId ?? eventId

const byDueTime = (a: Row<Delivery>, b: Row<Delivery>): number =>
  (a.value.nextAttemptAt ?? 0) - (b.value.nextAttemptAt ?? 0) || a.seq - b.seq

export function fakeOutbox({ deliveries, attempts }: Tables): Outbox & { insertNow(event: WebhookEvent): void } {
  const pending = () => deliveries.rows().filter(({ value }) => value.state === 'pending')
  function insertNow(event: WebhookEvent) {
    const fresh = { state: 'pending', attempts: 0, nextAttemptAt: event.createdAt, lastError: null } as const
    deliveries.insert(event.eventId, { ...event, ...fresh })
  }

  return {
    insertNow,
    insertEvent: async (event) => insertNow(event),
    async dueDeliveries(now, limit) {
      const waiting = pending()
      const isFirst = (row: Row<Delivery>) =>
        !waiting.some(
          (other) =>
            other.seq < row.seq && lineOf(other.value) === lineOf(row.value) && other.value.attempts < HOLDING_ATTEMPTS,
        )
      const due = waiting.filter((row) => isDue(row.value.nextAttemptAt, now, LONGEST_WAIT_MS.webhook) && isFirst(row))
      return due
        .sort(byDueTime)
        .slice(0, limit)
        .map(({ value }) => value)
    },
    async recordAttempt(eventId, attempt, retryAt) {
      const delivery = deliveries.get(eventId)
      if (!delivery) return
      const tries = attempts.get(eventId) ?? []
      attempts.set(eventId, [...tries, { ...attempt, number: tries.length + 1 }])
      const state = retryAt !== undefined ? 'pending' : attempt.error === null ? 'delivered' : 'abandoned'
      deliveries.update(eventId, {
        state,
        attempts: delivery.attempts + 1,
        nextAttemptAt: retryAt ?? null,
        lastError: attempt.error,
      })
    },
    async deliveryById(eventId) {
      const delivery = deliveries.get(eventId)
      return delivery && { delivery, attempts: attempts.get(eventId) ?? [] }
    },
    async listDeliveries({ state, invoiceId, failed, since, limit, cursor }) {
      const hasFailed = (id: string) => (attempts.get(id) ?? []).some(({ error }) => error !== null)
      const rows = deliveries
        .rows()
        .filter(
          ({ value }) =>
            (state === undefined || value.state === state) &&
            (invoiceId === undefined || value.invoiceId === invoiceId) &&
            (failed === undefined || hasFailed(value.eventId) === failed) &&
            (since === undefined || value.createdAt >= since),
        )
      return pageOf(rows, limit, cursor)
    },
    async replay(eventId, now) {
      if (!deliveries.get(eventId)) return 'unknown'
      deliveries.update(eventId, { state: 'pending', attempts: 0, nextAttemptAt: now })
      return 'queued'
    },
    async backlog() {
      const waiting = pending().map(({ value }) => value.createdAt)
      return {
        pending: waiting.length,
        oldestCreatedAt: waiting.length === 0 ? null : Math.min(...waiting),
        abandoned: deliveries.all().filter(({ state }) => state === 'abandoned').length,
      }
    },
  }
}
