// Stored queries: one REQ open at a time on each connection, CLOSE after EOSE.
import { type Spread, spreadOf, timed } from '../client/figures.js'
import { messageFrame } from '../client/frames.js'
import { dialMany, hangUp, type Line } from '../client/line.js'
import { verbOf } from '../client/messages.js'
import { withinTime } from '../client/patience.js'
import type { Query, ShapeName } from '../data/queries.js'
import type { RunningRelay } from '../relays/launch.js'

export interface Queried {
  readonly perSecond: number
  readonly eventsPerSecond: number
  /** Milliseconds from send to EOSE. */
  readonly taken: Spread
  readonly cpuUs: number
}

/** What one connection sends, one after the other: the question, and with it the CLOSE of the one before. */
function framesOf(shape: ShapeName, queries: readonly Query[]): readonly Buffer[] {
  const verb = shape === 'count' ? 'COUNT' : 'REQ'
  return queries.map(({ filter }, index) => {
    const question = messageFrame(verb, `q${index}`, filter)
    return verb === 'COUNT' || index === 0
      ? question
      : Buffer.concat([messageFrame('CLOSE', `q${index - 1}`), question])
  })
}

export interface Querying {
  readonly relay: RunningRelay
  readonly shape: ShapeName
  readonly queries: readonly Query[]
  readonly connections: number
}

export async function query({ relay, shape, queries, connections }: Querying): Promise<Queried> {
  const lines = await dialMany(relay.port, connections)
  const asked = lines.map((_, which) =>
    framesOf(
      shape,
      queries.filter((_, index) => index % connections === which),
    ),
  )
  const { result, seconds, cpuUs } = await timed(relay.pid, () => askAll(lines, asked))
  hangUp(lines)
  return {
    perSecond: queries.length / seconds,
    eventsPerSecond: result.events / seconds,
    taken: spreadOf(result.taken),
    cpuUs: cpuUs / queries.length,
  }
}

function askAll(
  lines: readonly Line[],
  asked: readonly (readonly Buffer[])[],
): Promise<{ events: number; taken: number[] }> {
  const total = asked.reduce((sum, { length }) => sum + length, 0)
  const taken: number[] = []
  return withinTime(
    () => `${taken.length} of ${total} answers`,
    (resolve, reject) => {
      let events = 0
      for (const [which, line] of lines.entries()) {
        const questions = asked[which]!.values()
        let sentAt = 0
        const ask = (): void => {
          const { value, done } = questions.next()
          if (done) return
          sentAt = performance.now()
          line.send(value)
        }
        line.listen((bytes, start, end) => {
          const verb = verbOf(bytes, start)
          if (verb === 'EVENT') {
            events += 1
            return
          }
          if (verb === 'CLOSED' || verb === 'NOTICE') return reject(new Error(bytes.toString('utf8', start, end)))
          if (verb !== 'EOSE' && verb !== 'COUNT') return
          taken.push(performance.now() - sentAt)
          if (taken.length === total) resolve({ events, taken })
          else ask()
        })
        line.ended.then(() => reject(new Error('the relay hung up')))
        ask()
      }
    },
  )
}
