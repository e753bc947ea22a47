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

/** What one connection asks, in frames: the question, and the CLOSE of the one before it. */
interface Asked {
  readonly first: Buffer
  readonly next: Buffer
}

const SUBSCRIPTION = 'q'
const CLOSE = messageFrame('CLOSE', SUBSCRIPTION)

function askedOf(shape: ShapeName, { filter }: Query): Asked {
  const first = messageFrame(shape === 'count' ? 'COUNT' : 'REQ', SUBSCRIPTION, filter)
  return { first, next: shape === 'count' ? first : Buffer.concat([CLOSE, first]) }
}

export interface Querying {
  readonly relay: RunningRelay
  readonly shape: ShapeName
  readonly queries: readonly Query[]
  readonly connections: number
}

export async function query({ relay, shape, queries, connections }: Querying): Promise<Queried> {
  const asked = queries.map((one) => askedOf(shape, one))
  const lines = await dialMany(relay.port, connections)
  const { result, seconds, cpuUs } = await timed(relay.pid, () => askAll(lines, asked))
  hangUp(lines)
  return {
    perSecond: queries.length / seconds,
    eventsPerSecond: result.events / seconds,
    taken: spreadOf(result.taken),
    cpuUs: cpuUs / queries.length,
  }
}

function askAll(lines: readonly Line[], asked: readonly Asked[]): Promise<{ events: number; taken: number[] }> {
  const taken: number[] = []
  return withinTime(
    () => `${taken.length} answers`,
    (resolve, reject) => {
      let events = 0
      let next = 0
      for (const line of lines) {
        let sentAt = 0
        const ask = (which: keyof Asked): void => {
          const one = asked[next++]
          if (!one) return
          sentAt = performance.now()
          line.send(one[which])
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
          if (taken.length === asked.length) resolve({ events, taken })
          else ask('next')
        })
        line.ended.then(() => reject(new Error('the relay hung up')))
        ask('first')
      }
    },
  )
}
