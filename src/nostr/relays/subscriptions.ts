// The subscriptions of one connection by id. Events without a subscription are faults of the relay. Pure, except for `send`.
import type { Clock } from '../../lib/ports.js'
import type { RequestFilter } from './filters.js'
import type { Fault } from './strikes.js'

/** Events within this time after the end of a subscription are no fault: they were in transit. */
const GRACE_MS = 30_000
const ENDED_MOST = 64

export interface Listener {
  /** An unchecked EVENT. False: no room; it is offered again. */
  event(value: unknown): boolean
  eose(): void
  /** The relay closed the subscription with this text. */
  closed(text: string): void
}

export interface Subscriptions {
  /** Sends a REQ, which replaces an earlier one with the same id. */
  open(sub: string, filters: readonly RequestFilter[], listener: Listener): void
  /** Sends a CLOSE if the subscription is open. */
  close(sub: string): void
  event(sub: string, value: unknown): boolean
  eose(sub: string): void
  /** False: it was not open. */
  closed(sub: string, text: string): boolean
  count(): number
}

interface SubscriptionParts {
  readonly clock: Pick<Clock, 'monotonic'>
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
      return listener !== undefined
    },
    count: () => open.size,
  }
}
