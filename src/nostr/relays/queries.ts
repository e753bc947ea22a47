// Queries of stored events: a filter, matching events, EOSE. A few at a time per connection.
import type { NostrEvent } from '../event/index.js'
import { isGenuine, parseEvent } from '../event/index.js'
import { createMatcher, parseFilter } from '../filter/index.js'
import type { RequestFilter } from './filters.js'
import { asksForAuth } from './frames.js'
import type { RelayClock } from './ports.js'
import type { Fault } from './strikes.js'
import type { Subscriptions } from './subscriptions.js'

const AT_ONCE = 8
const WAITING_MOST = 500
const EVENTS_MOST = 500

interface Question {
  readonly filter: RequestFilter
  readonly asksFor: (event: NostrEvent) => boolean
  readonly most: number
  readonly events: Map<string, NostrEvent>
  /** Whether the query is sent again after authentication. */
  again: boolean
  readonly done: () => void
}

export interface QueriesParts {
  readonly clock: RelayClock
  readonly subs: Subscriptions
  readonly fault: (fault: Fault) => void
  readonly demandAuth: () => boolean
}

export interface Queries {
  /** Genuine matching events; on timeout, those received so far. */
  ask(filter: RequestFilter, timeoutMs: number): Promise<readonly NostrEvent[]>
  authenticated(): void
  end(): void
}

export function createQueries({ clock, subs, fault, demandAuth }: QueriesParts): Queries {
  const running = new Map<string, Question>()
  const waiting = new Set<Question>()
  let serial = 0
  let ended = false

  function finish(sub: string): void {
    const question = running.get(sub)
    if (!question) return
    running.delete(sub)
    subs.close(sub)
    question.done()
    next()
  }

  function take(sub: string, question: Question, value: unknown): void {
    const event = parseEvent(value)
    // A malformed event is the author's fault, not the relay's.
    if (!event || question.events.has(event.id)) return
    const lie = lieIn(event, question)
    if (lie) fault(lie)
    else question.events.set(event.id, event)
    if (question.events.size >= question.most) finish(sub)
  }

  function closed(sub: string, question: Question, text: string): void {
    if (!question.again && asksForAuth(text) && demandAuth()) question.again = true
    else finish(sub)
  }

  function send(sub: string, question: Question): void {
    subs.open(sub, [question.filter], {
      event: (value) => {
        take(sub, question, value)
        return true
      },
      eose: () => finish(sub),
      closed: (text) => closed(sub, question, text),
    })
  }

  function next(): void {
    for (const question of waiting) {
      if (running.size >= AT_ONCE) return
      waiting.delete(question)
      const sub = `ask-${serial++}`
      running.set(sub, question)
      send(sub, question)
    }
  }

  function giveUp(question: Question): void {
    waiting.delete(question)
    for (const [sub, other] of running) if (other === question) finish(sub)
  }

  return {
    async ask(filter, timeoutMs) {
      if (ended || waiting.size >= WAITING_MOST) return []
      const timer = new AbortController()
      const events = new Map<string, NostrEvent>()
      await new Promise<void>((done) => {
        const asksFor = matcherOf(filter)
        const question: Question = { filter, asksFor, most: mostOf(filter), events, again: false, done }
        void clock.sleep(timeoutMs, timer.signal).then(() => {
          giveUp(question)
          done()
        })
        waiting.add(question)
        next()
      })
      timer.abort()
      return [...events.values()]
    },
    authenticated() {
      for (const [sub, question] of running) if (question.again) send(sub, question)
    },
    end() {
      ended = true
      for (const question of waiting) question.done()
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

function lieIn(event: NostrEvent, { asksFor }: Question): Fault | undefined {
  if (!asksFor(event)) return 'unasked'
  return isGenuine(event) ? undefined : 'forgery'
}

const mostOf = ({ limit }: RequestFilter): number =>
  typeof limit === 'number' ? Math.min(limit, EVENTS_MOST) : EVENTS_MOST
