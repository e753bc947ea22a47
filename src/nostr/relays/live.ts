// Keeps the live subscriptions of one connection in step with the watch plan.
import { backoff } from '../../lib/backoff.js'
import type { Clock } from '../../lib/ports.js'
import type { RelayClient } from './client.js'
import { liveFilters } from './filters.js'
import { asksForAuth, isRestricted } from './frames.js'
import type { Group } from './watch-plan.js'

/** Maximum unanswered REQs of one subscription: more would slow down a slow relay. */
const UNANSWERED_MOST = 3
const UNANSWERED_MS = 10_000
/** A relay with slower answers gets one REQ at a time: a slow REQ blocks the whole connection. */
const SLOW_MS = 1000
/** A relay may drop a REQ silently: an unanswered REQ is sent again after this time. */
const SILENT_MS = 60_000
const RETRY_MS = 5000
const RETRY_MOST_MS = 300_000

interface Written {
  version: number
  at: number
  unanswered: number
  isSlow: boolean
  /** Answered at least once on this connection. */
  answered: boolean
  /** Set after a CLOSED: the earliest time of the next REQ. */
  closedUntil: number | undefined
  refusals: number
}

export interface LiveParts {
  readonly client: RelayClient
  readonly clock: Pick<Clock, 'now' | 'monotonic'>
  readonly groups: () => readonly Group[]
  readonly revision: () => number
  readonly onEvent: (value: unknown) => boolean
  readonly onServed: (group: Group) => void
  /** The relay refuses this group to the authenticated key. */
  readonly onRestricted: (group: Group, text: string) => void
  readonly onRefused: (text: string) => void
}

export interface Live {
  /** Sends changed subscriptions, unless the relay has too many unanswered ones. */
  flush(): void
  /** Sends all subscriptions again. */
  reset(): void
  /** Sent REQs contain all keys up to this revision of the plan. */
  revision(): number
  /** Whether the relay answered every group and closed none. */
  subscribed(): boolean
}

export function createLive(parts: LiveParts): Live {
  const { client, clock, groups } = parts
  const written = new Map<string, Written>()
  let revision = 0

  function mayWrite(entry: Written, group: Group): boolean {
    const now = clock.monotonic()
    if (entry.closedUntil !== undefined) return now >= entry.closedUntil
    const isLost = !entry.answered && group.keys.size > 0 && now - entry.at > SILENT_MS
    if (entry.version === group.version) return isLost
    return entry.unanswered < mostUnanswered(entry) || now - entry.at > UNANSWERED_MS
  }

  function closed(group: Group, entry: Written, text: string): void {
    entry.refusals++
    entry.unanswered = 0
    entry.closedUntil = clock.monotonic() + backoff(entry.refusals, RETRY_MS, RETRY_MOST_MS)
    const wantsKey = asksForAuth(text) || isRestricted(text)
    // Sent again after authentication.
    if (wantsKey && client.demandAuth()) return
    if (wantsKey && client.isAuthenticated()) parts.onRestricted(group, text)
    else parts.onRefused(text)
  }

  function served(group: Group, entry: Written): void {
    entry.unanswered = Math.max(0, entry.unanswered - 1)
    entry.isSlow = clock.monotonic() - entry.at > SLOW_MS
    entry.refusals = 0
    entry.answered = true
    parts.onServed(group)
    if (entry.version !== group.version) flush()
  }

  function bringUp(group: Group, entry: Written): void {
    if (group.keys.size > 0) write(group, entry)
    else {
      Object.assign(entry, { ...blank(), version: group.version })
      client.subs.close(group.sub)
    }
  }

  function write(group: Group, entry: Written): void {
    const now = clock.monotonic()
    Object.assign(entry, { version: group.version, at: now, closedUntil: undefined })
    entry.unanswered = entry.unanswered >= mostUnanswered(entry) ? 1 : entry.unanswered + 1
    client.subs.open(group.sub, liveFilters(group.keys, clock.now()), {
      event: parts.onEvent,
      eose: () => served(group, entry),
      closed: (text) => closed(group, entry, text),
    })
  }

  /** Closes subscriptions that the plan no longer has on this connection. */
  function closeOthers(subs: ReadonlySet<string>): void {
    for (const sub of written.keys()) {
      if (subs.has(sub)) continue
      written.delete(sub)
      client.subs.close(sub)
    }
  }

  function flush(): void {
    let complete = true
    const current = groups()
    closeOthers(new Set(current.map(({ sub }) => sub)))
    for (const group of current) {
      const entry = written.get(group.sub) ?? blank()
      written.set(group.sub, entry)
      if (mayWrite(entry, group)) bringUp(group, entry)
      else if (entry.version !== group.version) complete = false
    }
    if (complete) revision = parts.revision()
  }

  return {
    flush,
    reset() {
      for (const [sub, entry] of written)
        written.set(sub, { ...blank(), refusals: entry.refusals, answered: entry.answered })
      flush()
    },
    revision: () => revision,
    subscribed: () =>
      groups().every((group) => {
        const entry = written.get(group.sub)
        return group.keys.size === 0 || (entry?.answered === true && entry.closedUntil === undefined)
      }),
  }
}

const blank = (): Written => ({
  version: -1,
  at: 0,
  unanswered: 0,
  isSlow: false,
  answered: false,
  closedUntil: undefined,
  refusals: 0,
})

const mostUnanswered = ({ isSlow }: Written): number => (isSlow ? 1 : UNANSWERED_MOST)
