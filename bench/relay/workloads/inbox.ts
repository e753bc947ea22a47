// fanout-inbox: thousands of people listen for their gift wraps, and each wrap is for one of them.
import { type Spread, spreadOf, timed } from '../client/figures.js'
import { dialMany, hangUp, type Line } from '../client/line.js'
import { KEY_LENGTH, verbOf } from '../client/messages.js'
import { withinTime } from '../client/patience.js'
import { type Subscriptions, subscribe } from '../client/subscriptions.js'
import type { Fresh } from '../data/fresh.js'
import type { RunningRelay } from '../relays/launch.js'

export interface Inboxes {
  readonly relay: RunningRelay
  /** Kind 1059, each to one of the recipients. */
  readonly events: readonly Fresh[]
  readonly recipients: readonly string[]
  readonly connections: number
  /** Epoch seconds. */
  readonly since: number
}

export interface InboxFigures {
  readonly perSecond: number
  /** Milliseconds from send to delivery. */
  readonly taken: Spread
  readonly cpuUs: number
}

const PUBLISHERS = 8
const WAITING = 64
const ID_AT = '["EVENT","s",{"id":"'.length

/** Throws when a wrap reaches somebody else, nobody, or one twice. */
export async function inboxes({ relay, events, recipients, connections, since }: Inboxes): Promise<InboxFigures> {
  const perLine = recipients.length / connections
  const lines = await dialMany(relay.port, connections)
  const filterOf = (index: number) => ({ kinds: [1059], '#p': [recipients[index]!], since })
  const subscriptions = await subscribe(lines, perLine, filterOf)
  const publishers = await dialMany(relay.port, PUBLISHERS)
  const { result, seconds, cpuUs } = await timed(relay.pid, () => deliver(publishers, subscriptions, events))
  hangUp([...lines, ...publishers])
  const lineOf = new Map(recipients.map((key, index) => [key, Math.floor(index / perLine)]))
  for (const { key, event } of events)
    if (result.reached.get(key) !== lineOf.get(event.tags[0]?.[1] ?? '')) throw new Error('a wrap went astray')
  return { perSecond: events.length / seconds, taken: spreadOf(result.taken), cpuUs: cpuUs / events.length }
}

interface Delivered {
  readonly taken: number[]
  /** The connection that got the event of a key. */
  readonly reached: Map<string, number>
}

/** Every publisher keeps a number of events without an OK on their way; ends with the last delivery. */
function deliver(
  publishers: readonly Line[],
  subscriptions: Subscriptions,
  events: readonly Fresh[],
): Promise<Delivered> {
  return withinTime(
    () => `${subscriptions.delivered} deliveries`,
    (resolve, reject) => {
      const sentAt = new Map<string, number>()
      const [taken, reached] = [[] as number[], new Map<string, number>()]
      let sent = 0
      const sendNext = (line: Line): void => {
        const event = events[sent++]
        if (!event) return
        sentAt.set(event.key, performance.now())
        line.send(event.frame)
      }
      subscriptions.hear((line, bytes, start) => {
        const key = keyIn(bytes, start)
        if (reached.has(key)) reject(new Error('a wrap came twice'))
        reached.set(key, line)
        taken.push(performance.now() - (sentAt.get(key) ?? Number.NaN))
        if (taken.length === events.length) resolve({ taken, reached })
      })
      for (const line of publishers) line.listen((bytes, start) => verbOf(bytes, start) === 'OK' && sendNext(line))
      for (let round = 0; round < WAITING; round++) for (const line of publishers) sendNext(line)
    },
  )
}

/** Subscriptions are called s0, s1 … s19, so the id begins within two letters of the same place. */
function keyIn(bytes: Buffer, start: number): string {
  const at = bytes.indexOf('"id":"', start + ID_AT - 6) + 6
  return bytes.toString('latin1', at, at + KEY_LENGTH)
}
