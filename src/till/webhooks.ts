// Delivers what is due, in order per invoice, a few at a time. Safe to call again at any moment: the state is in the outbox.
import { messageOf } from '../lib/errors.js'
import type { Till, WebhookTarget } from './api.js'
import { createDispatcher } from './dispatcher.js'
import { deliveryInFlight, deliveryNotFound, webhookNotConfigured } from './errors.js'
import { testEvent } from './events.js'
import type { Attempt, Delivery, WebhookEvent } from './model.js'
import type { TillParts } from './parts.js'
import { webhookHeaders } from './webhook-headers.js'
import { causeOf, needsOperator, retryDelay } from './webhook-schedule.js'

const TIMEOUT_MS = 20_000
const BATCH = 20
const PARALLEL = 4
const ANSWER_HEAD = 512

type Try = Omit<Attempt, 'number'>

/** `kick` starts a pass, `drain` also waits for it. Throws DELIVERY_NOT_FOUND, DELIVERY_IN_FLIGHT, WEBHOOK_NOT_CONFIGURED. */
export function createWebhooks(parts: TillParts) {
  const { store, send, clock, random, settings, log } = parts
  const inFlight = new Set<string>()
  let closing = false

  async function request(target: WebhookTarget, event: WebhookEvent): Promise<Try> {
    const { secrets, compat, version } = { ...target, secrets: [...parts.webhookSecrets], version: parts.version }
    const startedAt = clock.now()
    const headers = webhookHeaders(event, { secrets, compat, version }, startedAt)
    const answer = await send({ url: target.url, headers, body: event.body, timeoutMs: TIMEOUT_MS }).catch(
      (cause: unknown) => ({ httpStatus: null, error: messageOf(cause), answerHead: '' }),
    )
    return {
      startedAt,
      durationMs: Math.max(0, clock.now() - startedAt),
      httpStatus: answer.httpStatus,
      error: causeOf(answer.httpStatus, answer.error),
      answerHead: answer.answerHead.slice(0, ANSWER_HEAD),
    }
  }

  function tell(target: WebhookTarget, { eventId, type }: WebhookEvent, done: Try, retryAt: number | undefined): void {
    const { error, httpStatus } = done
    const fields = { event: eventId, type, host: new URL(target.url).host, error }
    if (error === null) log.info(fields, 'webhook delivered')
    else if (retryAt === undefined) log.warn(fields, 'webhook given up: look at it, then replay it')
    else if (needsOperator(httpStatus, error)) log.warn(fields, 'webhook failed and will not heal by itself')
    else log.info(fields, 'webhook failed, will be tried again')
  }

  async function deliver(delivery: Delivery): Promise<void> {
    const target = settings.webhook
    if (!target) return
    inFlight.add(delivery.eventId)
    try {
      const done = await request(target, delivery)
      const delay = done.error === null ? undefined : retryDelay(delivery.attempts + 1)
      const retryAt = delay === undefined ? undefined : clock.now() + delay * 1000
      await store.recordAttempt(delivery.eventId, done, retryAt)
      tell(target, delivery, done, retryAt)
    } finally {
      inFlight.delete(delivery.eventId)
    }
  }

  const dispatch = createDispatcher<Delivery>({
    width: PARALLEL,
    due: async (limit) => {
      if (closing) return []
      // Taken before the question: an answer may still show as due what ended while it was on its way.
      const busy = new Set(inFlight)
      const due = await store.dueDeliveries(clock.now(), BATCH)
      return due.filter(({ eventId }) => !busy.has(eventId)).slice(0, limit)
    },
    run: (delivery) => deliver(delivery),
  })

  const drain = async (): Promise<void> => (settings.webhook ? dispatch() : undefined)

  async function replay(eventId: string): Promise<Delivery> {
    if (inFlight.has(eventId)) throw deliveryInFlight()
    if ((await store.replay(eventId, clock.now())) === 'unknown') throw deliveryNotFound(eventId)
    const found = await store.deliveryById(eventId)
    if (!found) throw deliveryNotFound(eventId)
    kick()
    return found.delivery
  }

  async function test(): ReturnType<Till['testWebhook']> {
    const target = settings.webhook
    if (!target) throw webhookNotConfigured()
    const event = testEvent(random, clock.now())
    inFlight.add(event.eventId)
    try {
      await store.insertEvent(event)
      const done = await request(target, event)
      await store.recordAttempt(event.eventId, done)
      return { eventId: event.eventId, attempt: { ...done, number: 1 } }
    } finally {
      inFlight.delete(event.eventId)
    }
  }

  /** Starts a pass without waiting for it; after a commit that wrote an event. */
  function kick(): void {
    drain().catch((cause: unknown) => log.error({ cause: messageOf(cause) }, 'webhook pass failed'))
  }

  /** Starts nothing more and waits for what runs. */
  async function close(): Promise<void> {
    closing = true
    await dispatch()
  }

  return { drain, kick, replay, test, close }
}
