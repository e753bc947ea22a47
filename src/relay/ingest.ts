// Events that no client brings: imports, and what other relays have. They go the way of all events, the policy included.
import { parseJsonBytes } from '../lib/parse-json.js'
import type { Intake, Refusal } from './intake.js'
import { Lane } from './lanes.js'
import type { Source } from './ports.js'
import type { Origin, Taken } from './taken.js'

/** What became of one text; the words are those of an OK. */
export interface Ingested {
  readonly id: string
  readonly accepted: boolean
  /** Empty when it is stored now. */
  readonly text: string
}

/** Answers in the order of `texts`, once all of them are stored or refused. The caller bounds how many there are at once. */
export function ingest(intake: Intake, texts: readonly Uint8Array[], source: Source): Promise<readonly Ingested[]> {
  return new Promise((resolve) => {
    const answers: Ingested[] = []
    let left = texts.length
    const answer = (place: number, { id, accepted, text }: Refusal) => {
      answers[place] = { id, accepted, text }
      if (--left === 0) resolve(answers)
    }
    const lane = new Lane()
    for (const [place, bytes] of texts.entries()) {
      const refusal = intake.offer(
        parseJsonBytes(bytes),
        originOf(lane, source, (told) => answer(place, told)),
      )
      if (refusal) answer(place, refusal)
    }
    if (texts.length === 0) resolve(answers)
  })
}

const originOf = (lane: Lane, source: Source, tell: (told: Refusal) => void): Origin => ({
  source,
  keys: [],
  lane,
  answered: ({ text }: Taken, accepted, words) => tell({ id: text.event.id, accepted, text: words }),
  proven() {}, // only clients prove keys
})
