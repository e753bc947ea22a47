// Delivers what is due to each receiver, in order per invoice, a few at a time. Receivers do not wait for each other. Safe to call again
// and again: the state is in the outbox.
import { LEASE_MS } from '../../lib/due-times.js'
import { messageOf } from '../../lib/errors.js'
import type { FoundDelivery, Till, WebhookTarget } from '../api.js'
import { createDispatcher } from '../dispatcher.js'
import { deliveryInFlight, deliveryNotFound, webhookNotConfigured } from '../errors.js'
import type { Attempt, Delivery, WebhookEvent } from '../model.js'
import type { TillParts } from '../parts.js'
import type { Lease } from '../ports.js'
import { testEvent, webhookHeaders } from './events.js'
import { causeOf, needsOperator, noSecretCause, webhookRetryDelay } from './schedule.js'

const TIMEOUT_MS = 20_000
/** At a time to one receiver. */
const PARALLEL = 4
const ANSWER_HEAD = 512

type Try = Omit<Attempt, 'number'>

const keyOf = ({ eventId, receiver }: Pick<Delivery, 'eventId' | 'receiver'>): string => `${receiver} ${eventId}`

/** `kick` starts a pass, `drain` also waits for it. Throws DELIVERY_NOT_FOUND, DELIVERY_IN_FLIGHT, WEBHOOK_NOT_CONFIGURED. */
export function createWebhooks(parts: TillParts) {
  const { store, send, clock, random, settings, log, workerId: by } = parts
  /** What this process sends now: a clock that jumps ends leases, and nothing may go out twice for that. */
  const inFlight = new Set<string>()
  const lease = (): Lease => ({ now: clock.now(), leaseMs: LEASE_MS, by })
  let closing = false

  async function request(target: WebhookTarget, event: WebhookEvent): Promise<Try> {
    const startedAt = clock.now()
    const secrets = [...parts.webhookSecrets(target.receiver)]
    if (secrets.length === 0)
      return { startedAt, durationMs: 0, httpStatus: null, error: noSecretCause(target.receiver), answerHead: '' }
    const headers = webhookHeaders(event, { secrets, compat: target.compat, version: parts.version }, startedAt)
    const answer = await send({ url: target.url, headers, body: event.body, timeoutMs: TIMEOUT_MS }).catch(
      (cause: unknown) => ({ httpStatus: null, error: messageOf(cause), answerHead: '' }),
    )
    return {
      startedAt,
      durationMs: Math.max(0, clock.now() - startedAt),
      httpStatus: answer.httpStatus,
      error: causeOf(answer.httpStatus, answer.error, target.receiver),
      answerHead: answer.answerHead.slice(0, ANSWER_HEAD),
    }
  }

  function tell(target: WebhookTarget, { eventId, type }: WebhookEvent, done: Try, retryAt: number | undefined): void {
    const { error, httpStatus } = done
    const { receiver, url } = target
    const fields = { event: eventId, type, receiver, host: new URL(url).host, error }
    if (error === null) log.info(fields, 'webhook delivered')
    else if (retryAt === undefined) log.warn(fields, 'webhook given up: look at it, then replay it')
    else if (needsOperator(httpStatus, error)) log.warn(fields, 'webhook failed and will not heal by itself')
    else log.info(fields, 'webhook failed, will be tried again')
  }

  async function deliver(target: WebhookTarget, delivery: Delivery): Promise<void> {
    const key = keyOf(delivery)
    inFlight.add(key)
    try {
      const done = await request(target, delivery)
      const delay = done.error === null ? undefined : webhookRetryDelay(delivery.attempts + 1)
      const retryAt = delay === undefined ? undefined : clock.now() + delay * 1000
      await store.recordAttempt(delivery.eventId, delivery.receiver, { ...done, by }, retryAt)
      tell(target, delivery, done, retryAt)
    } finally {
      inFlight.delete(key)
    }
  }

  /** Each receiver has its own places: one that hangs takes none from the others. */
  const passes = settings.webhooks.map((target) => ({
    receiver: target.receiver,
    dispatch: createDispatcher<Delivery>({
      width: PARALLEL,
      due: async (limit) => {
        if (closing) return []
        // Taken before the question: an answer may still name what ended while it was on its way.
        const busy = new Set(inFlight)
        const claimed = await store.claimDeliveries(target.receiver, { ...lease(), limit })
        return claimed.filter((delivery) => !busy.has(keyOf(delivery)))
      },
      run: (delivery) => deliver(target, delivery),
    }),
  }))

  async function drain(receiver?: number): Promise<void> {
    const chosen = passes.filter((one) => receiver === undefined || one.receiver === receiver)
    const running = chosen.map(({ dispatch }) => dispatch())
    await Promise.allSettled(running) // the failure of one must not leave another running behind
    await Promise.all(running)
  }

  /** The receiver of this number, without a number the lowest. */
  function targetOf(receiver: number | undefined): WebhookTarget {
    const target = settings.webhooks.find((one) => receiver === undefined || one.receiver === receiver)
    if (!target) throw webhookNotConfigured(receiver)
    return target
  }

  async function find(eventId: string, receiver?: number): Promise<FoundDelivery | undefined> {
    const found = await store.deliveryById(eventId, receiver)
    return found && { ...found, all: await store.deliveriesOf(eventId) }
  }

  async function replay(eventId: string, receiver?: number): Promise<Delivery> {
    const here = (await store.deliveriesOf(eventId)).filter(
      (one) => receiver === undefined || one.receiver === receiver,
    )
    const [first] = here
    if (!first) throw deliveryNotFound(eventId, receiver)
    const chosen = here.filter((one) => settings.webhooks.some((target) => target.receiver === one.receiver))
    const [lowest] = chosen
    if (!lowest) throw webhookNotConfigured(first.receiver)
    const receivers = chosen.map((one) => one.receiver)
    if ((await store.replay(eventId, receivers, clock.now())) === 'in-flight') throw deliveryInFlight()
    const queued = await store.deliveryById(eventId, lowest.receiver)
    if (!queued) throw deliveryNotFound(eventId, receiver)
    kick()
    return queued.delivery
  }

  async function test(receiver?: number): ReturnType<Till['testWebhook']> {
    const target = targetOf(receiver)
    const event = testEvent(target.receiver, random, clock.now())
    const key = keyOf({ ...event, ...target })
    inFlight.add(key)
    try {
      await store.insertEvent(event, lease())
      const done = await request(target, event)
      await store.recordAttempt(event.eventId, target.receiver, { ...done, by })
      return { eventId: event.eventId, receiver: target.receiver, attempt: { ...done, number: 1 } }
    } finally {
      inFlight.delete(key)
    }
  }

  /** Starts a pass without waiting for it; after a commit that wrote an event. */
  function kick(): void {
    drain().catch((cause: unknown) => log.error({ cause: messageOf(cause) }, 'webhook pass failed'))
  }

  /** Starts nothing more and waits for what runs. */
  async function close(): Promise<void> {
    closing = true
    await drain()
  }

  return { drain, kick, find, replay, test, close }
}
