// mix: notes at a fixed rate while others query without a pause; a long query must not hold up the OKs.
import { type Spread, timed } from '../client/figures.js'
import { messageFrame } from '../client/frames.js'
import { dialMany, hangUp, type Line } from '../client/line.js'
import { verbOf } from '../client/messages.js'
import type { PackedEvents } from '../data/fresh.js'
import type { WireFilter } from '../data/matcher.js'
import type { RunningRelay } from '../relays/launch.js'
import { createAnswers, openLoop } from './publish.js'

export interface Mixing {
  readonly relay: RunningRelay
  readonly events: PackedEvents
  /** Events per second. */
  readonly rate: number
  /** Asked in turns, for as long as events are sent. */
  readonly filters: readonly WireFilter[]
}

export interface Mixed {
  /** Milliseconds from when an event was due to its OK. */
  readonly taken: Spread
  readonly queriesPerSecond: number
  /** Processor microseconds per query, writing included. */
  readonly cpuUs: number
  readonly refusals: Readonly<Record<string, number>>
}

const READERS = 4
const WRITERS = 2

export async function mix({ relay, events, rate, filters }: Mixing): Promise<Mixed> {
  const [readers, writers] = [await dialMany(relay.port, READERS), await dialMany(relay.port, WRITERS)]
  const answered = queryOn(readers, filters)
  const answers = createAnswers()
  const { seconds, cpuUs } = await timed(relay.pid, () => openLoop(writers, events, rate, answers))
  const queries = answered()
  hangUp([...readers, ...writers])
  const { taken, refusals } = answers.published(events.length, seconds, cpuUs)
  return { taken, refusals, queriesPerSecond: queries / seconds, cpuUs: cpuUs / queries }
}

/** Keeps one question open on each line; answers how many were answered so far. */
function queryOn(lines: readonly Line[], filters: readonly WireFilter[]): () => number {
  const frames = filters.map((filter) => messageFrame('REQ', 'q', filter))
  let answered = 0
  let next = 0
  for (const line of lines) {
    const ask = (): void => line.send(frames[next++ % frames.length]!)
    line.listen((bytes, start) => {
      if (verbOf(bytes, start) !== 'EOSE') return
      answered += 1
      ask()
    })
    ask()
  }
  return () => answered
}
