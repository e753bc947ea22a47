// What was verified since the last turn of the event loop is written in one transaction, then answered, then passed on to those who listen.
import { classOf, type EventText } from '../../nostr/event/index.js'
import type { EventStore, Kept } from '../ports.js'
import type { RelaySettings } from '../settings.js'
import type { Taken } from './pending-event.js'
import type { Outage } from './write-outage.js'

/** What became of an event; the words of `OUTCOMES`. */
export type Outcome = Kept | 'passed on' | 'failed'

export interface TurnParts {
  readonly store: Pick<EventStore, 'append' | 'synced'>
  readonly durability: RelaySettings['durability']
  /** Tells the origin. Called for every event, in the order of `add`. */
  readonly settled: (taken: Taken, outcome: Outcome) => void
  /** Tells the subscriptions: at the commit, because from then on stored queries show it as well, and nobody is to get it twice. */
  readonly passOn: (text: EventText) => void
  readonly later: (work: () => void) => void
  readonly outage: Outage
}

export interface Turn {
  /** Writes it with the others at the end of this turn. */
  add(taken: Taken): void
}

/** Two events that fail one after the other, each alone: it is the store that fails, not an event. */
const TOO_MANY_FAILURES = 2

export function createTurn({ store, durability, settled, passOn, later, outage }: TurnParts): Turn {
  let batch: Taken[] = []

  function write(): void {
    const taken = batch
    batch = []
    const outcomes = outcomesOf(taken)
    if (durability === 'commit') settle(taken, outcomes)
    else settleWhenSynced(taken, outcomes)
    for (const [index, { text }] of taken.entries()) if (isNews(outcomes[index])) passOn(text)
  }

  function settleWhenSynced(taken: readonly Taken[], outcomes: readonly Outcome[]): void {
    void store.synced().then(
      () => synced(taken, outcomes),
      (cause: unknown) => notSynced(taken, outcomes, cause),
    )
  }

  function synced(taken: readonly Taken[], outcomes: readonly Outcome[]): void {
    if (outcomes.includes('stored') && !outcomes.includes('failed')) outage.succeeded()
    settle(taken, outcomes)
  }

  function notSynced(taken: readonly Taken[], outcomes: readonly Outcome[], cause: unknown): void {
    outage.failed(cause)
    settle(taken, outcomes.map(failedUnlessPassedOn))
  }

  /** Ephemeral events are never written. */
  function outcomesOf(taken: readonly Taken[]): readonly Outcome[] {
    const texts: EventText[] = []
    for (const { text } of taken) if (!isEphemeral(text)) texts.push(text)
    const kept = texts.length === 0 ? [] : appended(texts)
    if (texts.length === taken.length) return kept
    let next = 0
    return taken.map(({ text }) => (isEphemeral(text) ? 'passed on' : (kept[next++] ?? 'failed')))
  }

  function appended(texts: readonly EventText[]): readonly Outcome[] {
    try {
      const kept = store.append(texts)
      if (durability === 'commit' && kept.includes('stored')) outage.succeeded()
      return kept
    } catch (cause) {
      if (texts.length > 1) return appendedSingly(texts)
      outage.failed(cause)
      return ['failed']
    }
  }

  /** One event that the database cannot stand must not cost the others their place. */
  function appendedSingly(texts: readonly EventText[]): readonly Outcome[] {
    let failures = 0
    return texts.map((text) => {
      if (failures >= TOO_MANY_FAILURES) return 'failed'
      const [outcome = 'failed'] = appended([text])
      failures = outcome === 'failed' ? failures + 1 : 0
      return outcome
    })
  }

  function settle(taken: readonly Taken[], outcomes: readonly Outcome[]): void {
    for (const [index, one] of taken.entries()) settled(one, outcomes[index] ?? 'failed')
  }

  return {
    add(taken) {
      if (batch.length === 0) later(write)
      batch.push(taken)
    },
  }
}

const isEphemeral = (text: EventText): boolean => classOf(text.event.kind) === 'ephemeral'
const isNews = (outcome: Outcome | undefined): boolean => outcome === 'stored' || outcome === 'passed on'
const failedUnlessPassedOn = (outcome: Outcome): Outcome => (outcome === 'passed on' ? outcome : 'failed')
