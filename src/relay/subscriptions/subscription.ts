// One REQ: stored events, EOSE, then new events. New events that arrive before EOSE are held back until it.
import { type EventText, idOfText } from '../../nostr/event/index.js'
import type { Filter } from '../../nostr/filter/index.js'
import { openBytes, readingBytes } from '../memory/filter-cost.js'
import { eventPrefix, type Outbox } from '../output/index.js'
import type { EventPage } from '../ports.js'
import type { PageSink } from '../queries/index.js'

/** The client of a subscription. */
export interface Subscriber {
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
    if (this.held) this.forgetThoseOf(page, this.held)
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

  /** Stored pages may contain events that are held back: those are not sent twice. */
  private forgetThoseOf({ bytes, ends }: EventPage, held: Map<string, EventText>): void {
    let start = 0
    for (const end of ends) {
      held.delete(idOfText(bytes.subarray(start, end)))
      start = end + 1
    }
  }
}
