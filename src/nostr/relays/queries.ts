// Queries of stored events: a filter, matching events, EOSE. A few at a time per connection.
import type { Clock } from '../../lib/ports.js'
import type { NostrEvent } from '../event/index.js'
import { isGenuine, parseEvent } from '../event/index.js'
import { createMatcher, parseFilter } from '../filter/index.js'
import type { RequestFilter } from './filters.js'
import { asksForAuth } from './frames.js'
import type { Fault } from './strikes.js'
import type { Subscriptions } from './subscriptions.js'

const AT_ONCE = 8
const WAITING_MOST = 500
const EVENTS_MOST = 500

interface PendingQuery {
  readonly filter: RequestFilter
  readonly asksFor: (event: NostrEvent) => boolean
  readonly most: number
  readonly events: Map<string, NostrEvent>
  /** Whether the query is sent again after authentication. */
  again: boolean
  readonly done: () => void
}

export interface RelayQueriesParts {
  readonly clock: Clock
  readonly subs: Subscriptions
  readonly fault: (fault: Fault) => void
  readonly demandAuth: () => boolean
}

export interface RelayQueries {
  /** Genuine matching events; on timeout, those received so far. */
  ask(filter: RequestFilter, timeoutMs: number): Promise<readonly NostrEvent[]>
  authenticated(): void
  end(): void
}

export function createQueries({ clock, subs, fault, demandAuth }: RelayQueriesParts): RelayQueries {
  const running = new Map<string, PendingQuery>()
  const waiting = new Set<PendingQuery>()
  let serial = 0
  let ended = false

  function finish(sub: string): void {
    const query = running.get(sub)
    if (!query) return
    running.delete(sub)
    subs.close(sub)
    query.done()
    next()
  }

  function take(sub: string, query: PendingQuery, value: unknown): void {
    const event = parseEvent(value)
    // A malformed event is the author's fault, not the relay's.
    if (!event || query.events.has(event.id)) return
    const lie = lieIn(event, query)
    if (lie) fault(lie)
    else query.events.set(event.id, event)
    if (query.events.size >= query.most) finish(sub)
  }

  function closed(sub: string, query: PendingQuery, text: string): void {
    if (!query.again && asksForAuth(text) && demandAuth()) query.again = true
    else finish(sub)
  }

  function send(sub: string, query: PendingQuery): void {
    subs.open(sub, [query.filter], {
      event: (value) => {
        take(sub, query, value)
        return true
      },
      eose: () => finish(sub),
      closed: (text) => closed(sub, query, text),
    })
  }

  function next(): void {
    for (const query of waiting) {
      if (running.size >= AT_ONCE) return
      waiting.delete(query)
      const sub = `ask-${serial++}`
      running.set(sub, query)
      send(sub, query)
    }
  }

  function giveUp(query: PendingQuery): void {
    waiting.delete(query)
    for (const [sub, other] of running) if (other === query) finish(sub)
  }

  return {
    async ask(filter, timeoutMs) {
      if (ended || waiting.size >= WAITING_MOST) return []
      const timer = new AbortController()
      const events = new Map<string, NostrEvent>()
      await new Promise<void>((done) => {
        const asksFor = matcherOf(filter)
        const query: PendingQuery = { filter, asksFor, most: mostOf(filter), events, again: false, done }
        void clock.sleep(timeoutMs, timer.signal).then(() => {
          giveUp(query)
          done()
        })
        waiting.add(query)
        next()
      })
      timer.abort()
      return [...events.values()]
    },
    authenticated() {
      for (const [sub, query] of running) if (query.again) send(sub, query)
    },
    end() {
      ended = true
      for (const query of waiting) query.done()
      waiting.clear()
      for (const sub of [...running.keys()]) finish(sub)
    },
  }
}

/** A filter in a wrong form matches nothing. */
function matcherOf(filter: RequestFilter): (event: NostrEvent) => boolean {
  const asked = parseFilter(filter, { maxValues: Number.POSITIVE_INFINITY })
  return createMatcher('problem' in asked ? [] : [asked])
}

function lieIn(event: NostrEvent, { asksFor }: PendingQuery): Fault | undefined {
  if (!asksFor(event)) return 'unasked'
  return isGenuine(event) ? undefined : 'forgery'
}

const mostOf = ({ limit }: RequestFilter): number =>
  typeof limit === 'number' ? Math.min(limit, EVENTS_MOST) : EVENTS_MOST
