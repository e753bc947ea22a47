// Events that no client brings: imports, and what other relays have. They go the way of all events, the policy included.

import type { Source } from '../ports.js'
import type { Answer, Intake } from './intake.js'
import { Lane, type Origin, type Taken } from './pending-event.js'

/** What became of one of them; the words are those of an OK. */
export interface Ingested {
  readonly id: string
  readonly accepted: boolean
  /** Empty when it is stored now. */
  readonly text: string
}

/** Values of parsed JSON, unchecked. Answers in their order, once all of them are stored or refused. The caller bounds how many there are at once. */
export function ingest(intake: Intake, values: readonly unknown[], source: Source): Promise<readonly Ingested[]> {
  return new Promise((resolve) => {
    const answers: Ingested[] = []
    let left = values.length
    const answer = (place: number, { id, accepted, text }: Answer) => {
      answers[place] = { id, accepted, text }
      if (--left === 0) resolve(answers)
    }
    const lane = new Lane()
    for (const [place, value] of values.entries()) {
      const refusal = intake.offer(
        value,
        originOf(lane, source, (told) => answer(place, told)),
      )
      if (refusal) answer(place, refusal)
    }
    if (values.length === 0) resolve(answers)
  })
}

const originOf = (lane: Lane, source: Source, tell: (told: Answer) => void): Origin => ({
  source,
  keys: [],
  lane,
  answered: ({ text }: Taken, accepted, words) => tell({ id: text.event.id, accepted, text: words }),
  proven() {}, // only clients prove keys
})
