// Ingests events without a client: imports and events of other relays. They pass all checks, the policy included.

import type { EventSource } from '../ports.js'
import type { EventAnswer, EventIntake } from './intake.js'
import { Backlog, type EventOrigin, type PendingEvent } from './verify-queue.js'

/** The outcome of one event, in the words of an OK. */
export interface Ingested {
  readonly id: string
  readonly accepted: boolean
  /** Empty when the event was stored. */
  readonly text: string
}

/**
 * Ingests parsed JSON values, unchecked. Resolves with answers in their order once all are stored or refused. The caller bounds the number of
 * values.
 */
export function ingest(
  intake: EventIntake,
  values: readonly unknown[],
  source: EventSource,
): Promise<readonly Ingested[]> {
  return new Promise((resolve) => {
    const answers: Ingested[] = []
    let left = values.length
    const answer = (place: number, { id, accepted, text }: EventAnswer) => {
      answers[place] = { id, accepted, text }
      if (--left === 0) resolve(answers)
    }
    const backlog = new Backlog()
    for (const [place, value] of values.entries()) {
      const refusal = intake.offer(
        value,
        originOf(backlog, source, (outcome) => answer(place, outcome)),
      )
      if (refusal) answer(place, refusal)
    }
    if (values.length === 0) resolve(answers)
  })
}

const originOf = (backlog: Backlog, source: EventSource, report: (outcome: EventAnswer) => void): EventOrigin => ({
  source,
  keys: [],
  backlog,
  answered: ({ text }: PendingEvent, accepted, words) => report({ id: text.event.id, accepted, text: words }),
  proven() {}, // only clients prove keys
})
