// REQ, COUNT and CLOSE of one client, with their limits (specification: relay, 4 and 9).

import { messageOf } from '../../lib/errors.js'
import { type MessageBudget, openMessageBudget } from '../../lib/rate-limiter.js'
import { type EventText, idsIn } from '../../nostr/event/index.js'
import type { Filter } from '../../nostr/filter/index.js'
import { textsFor, wantsOnlyWraps } from '../auth/authenticated-keys.js'
import { ChurnMap } from '../collections/churn-map.js'
import { type ClientMessage, isSubscriptionId } from '../connection/connection.js'
import type { Engine } from '../engine.js'
import { eventPrefix } from '../output/frame-writer.js'
import type { Outbox } from '../output/outbox.js'
import type { Count, EventPage, FindOptions } from '../ports.js'
import { begunLater, type PageSink, readTask, type SlicedTask, workTask } from '../queries/query-scheduler.js'
import { filtersOf, hasSearch, openBytes, readingBytes, readingMs, refusalForMore } from '../queries/request-filters.js'

export interface Client extends Subscriber {
  /** Proven keys; 64 hex. */
  readonly keys: readonly string[]
  /** Filters of its subscriptions, of unanswered counts, and of reconciliations whose set is not listed. */
  readonly openFilters: number
  notice(text: string): void
  /** Sends the challenge (NIP-42). */
  challenge(): void
}

/** A valid REQ or COUNT. */
interface Question {
  readonly id: string
  readonly filters: readonly Filter[]
}

/** Longer subscription ids are not repeated in an answer. */
const MOST_REPEATED = 256
const UNREADABLE = 'error: could not read the stored events'

export class ReadRequests {
  private readonly engine: Engine
  private readonly client: Client
  private readonly subscriptions = new ChurnMap<string, Subscription>()
  /** Filters of unanswered counts, by id. */
  private readonly counts = new Map<string, readonly Filter[]>()
  private readonly rateLimit: MessageBudget

  constructor(engine: Engine, client: Client) {
    this.engine = engine
    this.client = client
    this.rateLimit = openMessageBudget(engine.settings.limits.subscriptionsPerMinute, engine.clock)
  }

  get ids(): Iterable<string> {
    return this.subscriptions.keys()
  }

  /** About the memory of its subscriptions and counts. */
  footprint(): number {
    let bytes = 0
    for (const subscription of this.subscriptions.values()) bytes += subscription.footprint
    for (const filters of this.counts.values()) bytes += openBytes(filters) + readingBytes(filters)
    return bytes
  }

  /** Filters of its subscriptions and unanswered counts. */
  get filters(): number {
    let filters = 0
    for (const subscription of this.subscriptions.values()) filters += subscription.filters
    for (const counted of this.counts.values()) filters += counted.length
    return filters
  }

  /** REQ. The subscription goes live before stored events are read, so that no event is missed in between. */
  subscribe(message: ClientMessage): void {
    const question = this.questionOf(message)
    if (!question) return
    const { id, filters } = question
    this.end(id)
    if (this.subscriptions.size >= this.engine.settings.limits.maxSubscriptions)
      return void this.client.closed(id, 'rate-limited: too many subscriptions')
    const subscription = new Subscription(this.client, id, filters)
    this.subscriptions.set(id, subscription)
    this.engine.live.add(subscription, filters)
    this.engine.memoryLimit.grew(subscription.footprint)
    this.start(question, id, () =>
      readTask(this.engine.store.find(this.bounded(filters), this.options()), subscription),
    )
  }

  /** COUNT (NIP-45). */
  count(message: ClientMessage): void {
    const { engine, client } = this
    const question = this.questionOf(message)
    if (!question) return
    const { id, filters } = question
    if (engine.settings.countMax === 0) return void client.closed(id, 'unsupported: COUNT is switched off')
    if (hasSearch(filters)) return void client.closed(id, 'unsupported: COUNT of a search')
    if (engine.queries.waiting(client.outbox) > engine.settings.limits.maxSubscriptions)
      return void client.closed(id, 'rate-limited: too many questions at once')
    this.counts.set(id, filters)
    const isOver = (): void => {
      if (this.counts.get(id) === filters) this.counts.delete(id)
    }
    const sink = {
      done: ({ count, limited }: Count) => {
        isOver()
        client.outbox.json(['COUNT', id, limited ? { count, limited } : { count }])
      },
      failed: () => {
        isOver()
        client.closed(id, UNREADABLE)
      },
    }
    engine.memoryLimit.grew(openBytes(filters) + readingBytes(filters))
    this.start(question, countKey(id), () =>
      workTask(engine.store.count(filters, engine.settings.countMax, this.options()), sink),
    )
  }

  /** Ends a subscription, on CLOSE or before CLOSED. */
  end(id: string): void {
    const subscription = this.subscriptions.get(id)
    if (!subscription) return
    this.subscriptions.delete(id)
    this.engine.live.remove(subscription)
    this.engine.queries.stop(this.client.outbox, id)
  }

  /** Called when the connection is closed. */
  endAll(): void {
    for (const subscription of this.subscriptions.values()) this.engine.live.remove(subscription)
    this.subscriptions.clear()
    this.counts.clear()
    this.engine.queries.leave(this.client.outbox)
  }

  private start({ id, filters }: Question, key: string, begin: () => SlicedTask): void {
    const failedToBegin = (cause: unknown): void => {
      this.engine.log.error({ cause: messageOf(cause) }, 'stored events cannot be read')
      if (key !== id) this.counts.delete(id)
      this.client.closed(id, UNREADABLE)
    }
    this.engine.queries.start(
      this.client.outbox,
      key,
      begunLater({ begin, failedToBegin, expectedMs: readingMs(filters) }),
    )
  }

  /** Parses and checks a request. Undefined: it was refused and answered. */
  private questionOf(message: ClientMessage): Question | undefined {
    const { client, engine } = this
    const id = message[1]
    const asked = message.slice(2)
    if (!isSubscriptionId(id, engine.settings.limits.maxSubscriptionIdLength)) return this.refuseName(id)
    if (!this.rateLimit.take()) return void client.closed(id, 'rate-limited: too many subscriptions a minute')
    const busy = this.refusalFor(id, asked.length)
    if (busy !== undefined) return void client.closed(id, busy)
    const filters = filtersOf(asked, engine.settings)
    if (typeof filters === 'string') return void client.closed(id, `invalid: ${filters}`)
    if (!engine.settings.auth.giftWrapsToRecipient || client.keys.length > 0 || !wantsOnlyWraps(filters))
      return { id, filters }
    client.challenge()
    return void client.closed(id, 'auth-required: gift wraps are shown to their recipients')
  }

  private refusalFor(id: string, asked: number): string | undefined {
    const { heap, settings } = this.engine
    const replaced = (this.subscriptions.get(id)?.filters ?? 0) + (this.counts.get(id)?.length ?? 0)
    return refusalForMore({ heap, limits: settings.limits, open: this.client.openFilters - replaced, asked })
  }

  private refuseName(id: unknown): undefined {
    const text = `invalid: a subscription id is a text of 1 to ${this.engine.settings.limits.maxSubscriptionIdLength} characters`
    if (typeof id === 'string' && id.length <= MOST_REPEATED) this.client.closed(id, text)
    else this.client.notice(text)
  }

  private bounded(filters: readonly Filter[]): readonly Filter[] {
    const { maxLimit, defaultLimit } = this.engine.settings.limits
    return filters.map((filter) => withLimit(filter, Math.min(filter.limit ?? defaultLimit, maxLimit)))
  }

  private options(): FindOptions {
    return this.engine.settings.auth.giftWrapsToRecipient ? { visible: textsFor(this.client) } : {}
  }
}

/** A copy member by member: a spread costs a microsecond more. */
const withLimit = ({ ids, authors, kinds, tags, since, until, search }: Filter, limit: number): Filter => ({
  ids,
  authors,
  kinds,
  tags,
  since,
  until,
  search,
  limit,
})

/** Task keys of counts. Longer than every subscription id, so the two never collide. */
const countKey = (id: string): string => `COUNT ${id}`.padEnd(MOST_REPEATED)

// One REQ: stored events, EOSE, then new events. New events that arrive before EOSE are held back until it.

/** The client of a subscription. */
interface Subscriber {
  readonly outbox: Outbox
  /** True when the client may see this event. */
  maySee(text: EventText): boolean
  /** Ends the subscription with a CLOSED. */
  closed(id: string, text: string): void
}

/** Limit of events held back until EOSE. */
const MOST_HELD = 2000
const MOST_HELD_BYTES = 4_194_304

export class Subscription implements PageSink {
  readonly id: string
  /** Number of filters. */
  readonly filters: number
  private readonly subscriber: Subscriber
  private readonly prefix: string
  /** Events held back until EOSE, by id. */
  private held: Map<string, EventText> | undefined = undefined
  private heldBytes = 0
  private readonly openBytes: number
  private readingBytes: number
  private isReading = true

  constructor(subscriber: Subscriber, id: string, filters: readonly Filter[]) {
    this.subscriber = subscriber
    this.id = id
    this.filters = filters.length
    this.openBytes = openBytes(filters)
    this.readingBytes = readingBytes(filters)
    this.prefix = eventPrefix(id)
  }

  /** About its memory: filters, and until EOSE its query and the events held back. */
  get footprint(): number {
    return this.openBytes + this.readingBytes + this.heldBytes
  }

  /** Called with each new event that matches. */
  offer(text: EventText): void {
    if (!this.subscriber.maySee(text)) return
    if (this.isReading) this.hold(text)
    else this.subscriber.outbox.event(this.prefix, text.bytes)
  }

  page(page: EventPage): void {
    // Stored pages may contain events that are held back: those are not sent twice.
    if (this.held) for (const id of idsIn(page)) this.held.delete(id)
    this.subscriber.outbox.events(this.prefix, page)
  }

  done(): void {
    const { outbox } = this.subscriber
    outbox.json(['EOSE', this.id])
    for (const { bytes } of this.held?.values() ?? []) outbox.event(this.prefix, bytes)
    this.held = undefined
    this.heldBytes = 0
    this.readingBytes = 0
    this.isReading = false
  }

  failed(): void {
    this.subscriber.closed(this.id, 'error: could not read the stored events')
  }

  private hold(text: EventText): void {
    this.held ??= new Map()
    this.held.set(text.event.id, text)
    this.heldBytes += text.bytes.length
    if (this.held.size > MOST_HELD || this.heldBytes > MOST_HELD_BYTES)
      this.subscriber.closed(this.id, 'error: more new events than you read stored ones')
  }
}
