// The subscriptions of one connection, by id; what comes for none of them is the relay's fault. Pure but for `send`.
import type { RequestFilter } from './filters.js'
import type { RelayClock } from './ports.js'
import type { Fault } from './strikes.js'

/** For this long after a subscription ends, its events are no fault of the relay: they were under way. */
const GRACE_MS = 30_000
const ENDED_MOST = 64

export interface Listener {
  /** An EVENT, unchecked. False: no room now, it is offered again. */
  event(value: unknown): boolean
  eose(): void
  /** The relay ended the subscription, with these words. */
  closed(text: string): void
}

export interface Subscriptions {
  /** Sends a REQ; the same id again replaces the earlier one. */
  open(sub: string, filters: readonly RequestFilter[], listener: Listener): void
  /** Sends a CLOSE when the subscription stands. */
  close(sub: string): void
  event(sub: string, value: unknown): boolean
  eose(sub: string): void
  closed(sub: string, text: string): void
  count(): number
}

interface SubscriptionParts {
  readonly clock: Pick<RelayClock, 'monotonic'>
  readonly send: (frame: string) => void
  readonly fault: (fault: Fault) => void
}

export function createSubscriptions({ clock, send, fault }: SubscriptionParts): Subscriptions {
  const open = new Map<string, Listener>()
  const ended = new Map<string, number>()

  function end(sub: string): Listener | undefined {
    const listener = open.get(sub)
    if (!listener) return undefined
    open.delete(sub)
    ended.delete(sub)
    ended.set(sub, clock.monotonic())
    for (const [oldest] of ended) {
      if (ended.size <= ENDED_MOST) break
      ended.delete(oldest)
    }
    return listener
  }

  const isStray = (sub: string): boolean => clock.monotonic() - (ended.get(sub) ?? -GRACE_MS) >= GRACE_MS

  return {
    open(sub, filters, listener) {
      open.set(sub, listener)
      send(JSON.stringify(['REQ', sub, ...filters]))
    },
    close(sub) {
      if (end(sub)) send(JSON.stringify(['CLOSE', sub]))
    },
    event(sub, value) {
      const listener = open.get(sub)
      if (listener) return listener.event(value)
      if (isStray(sub)) fault('unasked')
      return true
    },
    eose(sub) {
      const listener = open.get(sub)
      if (listener) listener.eose()
      else if (isStray(sub)) fault('unasked')
    },
    closed(sub, text) {
      const listener = end(sub)
      if (listener) listener.closed(text)
      else if (isStray(sub)) fault('unasked')
    },
    count: () => open.size,
  }
}
