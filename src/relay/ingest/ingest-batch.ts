// Events that no client brings: imports, and what other relays have. They go the way of all events, the policy included.

import type { EventSource } from '../ports.js'
import type { EventAnswer, EventIntake } from './intake.js'
import { Backlog, type EventOrigin, type PendingEvent } from './pending-event.js'

/** What became of one of them; the words are those of an OK. */
export interface Ingested {
  readonly id: string
  readonly accepted: boolean
  /** Empty when it is stored now. */
  readonly text: string
}

/** Values of parsed JSON, unchecked. Answers in their order, once all of them are stored or refused. The caller bounds how many there are at once. */
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
        originOf(backlog, source, (told) => answer(place, told)),
      )
      if (refusal) answer(place, refusal)
    }
    if (values.length === 0) resolve(answers)
  })
}

const originOf = (backlog: Backlog, source: EventSource, tell: (told: EventAnswer) => void): EventOrigin => ({
  source,
  keys: [],
  backlog,
  answered: ({ text }: PendingEvent, accepted, words) => tell({ id: text.event.id, accepted, text: words }),
  proven() {}, // only clients prove keys
})
