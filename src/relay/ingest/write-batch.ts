// Collects verified events and gives them to the log at the end of the turn. When their entry comes back, it is written in one transaction, then
// answered, then delivered to subscriptions.

import { messageOf } from '../../lib/errors.js'
import type { Clock, Log } from '../../lib/ports.js'
import { classOf, type EventText } from '../../nostr/event/index.js'
import type { EventLog, LogEvent, LogFollower, NotApplied } from '../event-log.js'
import type { EventStore, LogMark, StoreOutcome } from '../ports.js'
import type { RelaySettings } from '../settings.js'
import type { PendingEvent } from './verify-queue.js'

/** The outcome of an event; the keys of `OUTCOMES`. */
export type WriteOutcome = StoreOutcome | 'ephemeral' | 'failed'

interface WriteBatchParts {
  readonly log: Pick<EventLog<PendingEvent>, 'append'>
  readonly store: Pick<EventStore, 'append' | 'synced'>
  readonly durability: RelaySettings['durability']
  /** Called with the outcome of every event of this process, in the order of the log. */
  readonly onOutcome: (pending: PendingEvent, outcome: WriteOutcome) => void
  /** Delivers to subscriptions right after the commit: from then on stored queries return the event too, and no subscription may get it twice. */
  readonly deliver: (text: EventText) => void
  readonly defer: (work: () => void) => void
  readonly writeOutage: WriteOutage
}

export interface WriteBatch extends Pick<LogFollower<PendingEvent>, 'applyEvents' | 'failed'> {
  /** Adds an event to the batch that goes to the log at the end of this turn. */
  add(pending: PendingEvent): void
}

export function createWriteBatch({
  log,
  store,
  durability,
  onOutcome,
  deliver,
  defer,
  writeOutage,
}: WriteBatchParts): WriteBatch {
  let batch: PendingEvent[] = []

  function handOver(): void {
    const pending = batch
    batch = []
    log.append(pending)
  }

  function answerWhenSynced(pending: readonly PendingEvent[], outcomes: readonly WriteOutcome[]): void {
    void store.synced().then(
      () => onSynced(pending, outcomes),
      (cause: unknown) => onSyncFailed(pending, outcomes, cause),
    )
  }

  function onSynced(pending: readonly PendingEvent[], outcomes: readonly WriteOutcome[]): void {
    if (outcomes.includes('stored')) writeOutage.succeeded()
    answer(pending, outcomes)
  }

  function onSyncFailed(pending: readonly PendingEvent[], outcomes: readonly WriteOutcome[], cause: unknown): void {
    writeOutage.failed(cause)
    answer(pending, outcomes.map(failedUnlessEphemeral))
  }

  /** Ephemeral events are delivered but never written. */
  function outcomesOf(events: readonly LogEvent[], mark: LogMark): readonly WriteOutcome[] {
    const texts: EventText[] = []
    for (const { text } of events) if (!isEphemeral(text)) texts.push(text)
    const stored = texts.length === 0 && mark.pos === 0 ? [] : store.append(texts, mark)
    if (durability === 'commit' && stored.includes('stored')) writeOutage.succeeded()
    if (texts.length === events.length) return stored
    let next = 0
    return events.map(({ text }) => (isEphemeral(text) ? 'ephemeral' : (stored[next++] ?? 'failed')))
  }

  function answer(pending: readonly PendingEvent[], outcomes: readonly WriteOutcome[]): void {
    for (const [index, one] of pending.entries()) onOutcome(one, outcomes[index] ?? 'failed')
  }

  return {
    add(pending) {
      if (batch.length === 0) defer(handOver)
      batch.push(pending)
    },
    applyEvents(entry) {
      let outcomes: readonly WriteOutcome[]
      try {
        outcomes = outcomesOf(entry.events, entry)
      } catch (cause) {
        return { cause }
      }
      if (entry.isOwn && durability === 'commit') answer(entry.events, outcomes)
      else if (entry.isOwn) answerWhenSynced(entry.events, outcomes)
      for (const [index, { text }] of entry.events.entries()) if (isNew(outcomes[index])) deliver(text)
      return undefined
    },
    failed(pending, cause) {
      writeOutage.failed(cause)
      for (const one of pending) onOutcome(one, 'failed')
    },
  }
}

const isEphemeral = (text: EventText): boolean => classOf(text.event.kind) === 'ephemeral'
const isNew = (outcome: WriteOutcome | undefined): boolean => outcome === 'stored' || outcome === 'ephemeral'
const failedUnlessEphemeral = (outcome: WriteOutcome): WriteOutcome => (outcome === 'ephemeral' ? outcome : 'failed')

// Whether events can be stored. The log hears when that changes, not of every event: a full disk would fill the log too.

export interface WriteOutage {
  /** Called after a failed write. */
  failed(cause: unknown): void
  /** Called after a successful write. */
  succeeded(): void
  /**
   * True when writes failed lately. Becomes false after half a minute without an attempt: a relay that reports an outage gets no events, and would
   * never learn that the store works again.
   */
  isOn(): boolean
}

const KNOWN_MS = 30_000

export function createWriteOutage({
  clock,
  log,
}: {
  readonly clock: Pick<Clock, 'monotonic'>
  readonly log: Log
}): WriteOutage {
  let failedAt: number | undefined

  return {
    failed(cause) {
      if (failedAt === undefined) log.error({ cause: messageOf(cause) }, 'events cannot be stored')
      failedAt = clock.monotonic()
    },
    succeeded() {
      if (failedAt !== undefined) log.info({}, 'events are stored again')
      failedAt = undefined
    },
    isOn: () => failedAt !== undefined && clock.monotonic() - failedAt < KNOWN_MS,
  }
}

// The log of a relay that runs alone: its entries come back within the call, without a position. What the store cannot write has failed.

/** After so many single failures in a row the store is at fault, not an event. */
const TOO_MANY_FAILURES = 2

const NONE: LogFollower = { applyEvents: () => undefined, applyChange: async () => {}, failed: () => {} }

export function createEmbeddedLog<Own extends LogEvent>({ now }: Pick<Clock, 'now'>): EventLog<Own> {
  let follower: LogFollower<Own> = NONE

  const apply = (events: readonly Own[]): NotApplied | undefined =>
    follower.applyEvents({ pos: 0, at: now(), isOwn: true, events })

  /** One event that the database rejects must not affect the others. Ephemeral ones do not need it. */
  function applySingly(events: readonly Own[], first: NotApplied): void {
    let [failures, last] = [0, first]
    apply(events.filter(({ text }) => isEphemeral(text)))
    for (const event of events) {
      if (isEphemeral(event.text)) continue
      const problem = failures < TOO_MANY_FAILURES ? apply([event]) : last
      if (problem) follower.failed([event], problem.cause)
      failures = problem ? failures + 1 : 0
      last = problem ?? last
    }
  }

  return {
    append(events) {
      const problem = apply(events)
      if (!problem) return
      if (events.length === 1) follower.failed(events, problem.cause)
      else applySingly(events, problem)
    },
    appendChange: async (change) => follower.applyChange({ pos: 0, at: now(), change }),
    follow(_after, next) {
      follower = next
    },
    report() {},
  }
}
