// Keeps the live subscriptions of one connection as the watch plan has them.
import { backoff } from '../../lib/backoff.js'
import { liveFilters } from './filters.js'
import { asksForAuth, isRestricted } from './frames.js'
import type { RelayClock } from './ports.js'
import type { Session } from './session.js'
import type { Group } from './watch-plan.js'

/** REQs of one subscription without an answer: more only make a slow relay slower. */
const UNANSWERED_MOST = 3
const UNANSWERED_MS = 10_000
/** One that takes longer than this to answer holds up everything else on the connection as well: it gets one at a time. */
const SLOW_MS = 1000
/** A relay may drop a REQ without a word: one that was never answered is sent again after this long. */
const SILENT_MS = 60_000
const RETRY_MS = 5000
const RETRY_MOST_MS = 300_000

interface Written {
  version: number
  at: number
  unanswered: number
  isSlow: boolean
  /** On this connection, at least once. */
  answered: boolean
  /** Set when the relay ended it: not before this time again. */
  closedUntil: number | undefined
  refusals: number
}

export interface LiveParts {
  readonly session: Session
  readonly clock: Pick<RelayClock, 'now' | 'monotonic'>
  readonly groups: () => readonly Group[]
  readonly revision: () => number
  readonly onEvent: (value: unknown) => boolean
  readonly onServed: (group: Group) => void
  /** The relay wants another key for this group than the one that we are authenticated with. */
  readonly onRestricted: (group: Group, text: string) => void
  readonly onRefused: (text: string) => void
}

export interface Live {
  /** Writes what changed, unless the relay has not even answered the last ones. */
  flush(): void
  /** Writes everything again. */
  reset(): void
  /** Keys added up to this revision of the plan stand in a REQ that was written. */
  revision(): number
  /** Whether the relay answered every group and ended none. */
  subscribed(): boolean
}

export function createLive(parts: LiveParts): Live {
  const { session, clock, groups } = parts
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
    // Written again when authentication is done.
    if (wantsKey && session.demandAuth()) return
    if (wantsKey && session.isAuthenticated()) parts.onRestricted(group, text)
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
      session.subs.close(group.sub)
    }
  }

  function write(group: Group, entry: Written): void {
    const now = clock.monotonic()
    Object.assign(entry, { version: group.version, at: now, closedUntil: undefined })
    entry.unanswered = entry.unanswered >= mostUnanswered(entry) ? 1 : entry.unanswered + 1
    session.subs.open(group.sub, liveFilters(group.keys, clock.now()), {
      event: parts.onEvent,
      eose: () => served(group, entry),
      closed: (text) => closed(group, entry, text),
    })
  }

  /** Ends what the plan does not have on this connection any more. */
  function closeOthers(subs: ReadonlySet<string>): void {
    for (const sub of written.keys()) {
      if (subs.has(sub)) continue
      written.delete(sub)
      session.subs.close(sub)
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
