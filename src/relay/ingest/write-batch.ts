// Collects verified events, writes them in one transaction at the end of the turn, then answers and delivers them to subscriptions.
import { classOf, type EventText } from '../../nostr/event/index.js'
import type { EventStore, StoreOutcome } from '../ports.js'
import type { RelaySettings } from '../settings.js'
import type { PendingEvent } from './pending-event.js'
import type { WriteOutage } from './write-outage.js'

/** The outcome of an event; the keys of `OUTCOMES`. */
export type WriteOutcome = StoreOutcome | 'ephemeral' | 'failed'

export interface WriteBatchParts {
  readonly store: Pick<EventStore, 'append' | 'synced'>
  readonly durability: RelaySettings['durability']
  /** Called with the outcome of every event, in the order of `add`. */
  readonly onOutcome: (pending: PendingEvent, outcome: WriteOutcome) => void
  /** Delivers to subscriptions right after the commit: from then on stored queries return the event too, and no subscription may get it twice. */
  readonly deliver: (text: EventText) => void
  readonly defer: (work: () => void) => void
  readonly writeOutage: WriteOutage
}

export interface WriteBatch {
  /** Adds an event to the batch that is written at the end of this turn. */
  add(pending: PendingEvent): void
}

/** After so many single failures in a row the store is at fault, not an event. */
const TOO_MANY_FAILURES = 2

export function createWriteBatch({
  store,
  durability,
  onOutcome,
  deliver,
  defer,
  writeOutage,
}: WriteBatchParts): WriteBatch {
  let batch: PendingEvent[] = []

  function write(): void {
    const pending = batch
    batch = []
    const outcomes = outcomesOf(pending)
    if (durability === 'commit') answer(pending, outcomes)
    else answerWhenSynced(pending, outcomes)
    for (const [index, { text }] of pending.entries()) if (isNew(outcomes[index])) deliver(text)
  }

  function answerWhenSynced(pending: readonly PendingEvent[], outcomes: readonly WriteOutcome[]): void {
    void store.synced().then(
      () => onSynced(pending, outcomes),
      (cause: unknown) => onSyncFailed(pending, outcomes, cause),
    )
  }

  function onSynced(pending: readonly PendingEvent[], outcomes: readonly WriteOutcome[]): void {
    if (outcomes.includes('stored') && !outcomes.includes('failed')) writeOutage.succeeded()
    answer(pending, outcomes)
  }

  function onSyncFailed(pending: readonly PendingEvent[], outcomes: readonly WriteOutcome[], cause: unknown): void {
    writeOutage.failed(cause)
    answer(pending, outcomes.map(failedUnlessEphemeral))
  }

  /** Ephemeral events are delivered but never written. */
  function outcomesOf(pending: readonly PendingEvent[]): readonly WriteOutcome[] {
    const texts: EventText[] = []
    for (const { text } of pending) if (!isEphemeral(text)) texts.push(text)
    const stored = texts.length === 0 ? [] : append(texts)
    if (texts.length === pending.length) return stored
    let next = 0
    return pending.map(({ text }) => (isEphemeral(text) ? 'ephemeral' : (stored[next++] ?? 'failed')))
  }

  function append(texts: readonly EventText[]): readonly WriteOutcome[] {
    try {
      const stored = store.append(texts)
      if (durability === 'commit' && stored.includes('stored')) writeOutage.succeeded()
      return stored
    } catch (cause) {
      if (texts.length > 1) return appendSingly(texts)
      writeOutage.failed(cause)
      return ['failed']
    }
  }

  /** One event that the database rejects must not affect the others. */
  function appendSingly(texts: readonly EventText[]): readonly WriteOutcome[] {
    let failures = 0
    return texts.map((text) => {
      if (failures >= TOO_MANY_FAILURES) return 'failed'
      const [outcome = 'failed'] = append([text])
      failures = outcome === 'failed' ? failures + 1 : 0
      return outcome
    })
  }

  function answer(pending: readonly PendingEvent[], outcomes: readonly WriteOutcome[]): void {
    for (const [index, one] of pending.entries()) onOutcome(one, outcomes[index] ?? 'failed')
  }

  return {
    add(pending) {
      if (batch.length === 0) defer(write)
      batch.push(pending)
    },
  }
}

const isEphemeral = (text: EventText): boolean => classOf(text.event.kind) === 'ephemeral'
const isNew = (outcome: WriteOutcome | undefined): boolean => outcome === 'stored' || outcome === 'ephemeral'
const failedUnlessEphemeral = (outcome: WriteOutcome): WriteOutcome => (outcome === 'ephemeral' ? outcome : 'failed')
