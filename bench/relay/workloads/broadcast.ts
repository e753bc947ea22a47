// fanout-broadcast and fanout-latency: every subscription gets every event.

import { residentMb } from '../../process.js'
import { type Spread, spreadOf, timed } from '../client/figures.js'
import { messageFrame } from '../client/frames.js'
import { dial, dialMany, hangUp, type Line } from '../client/line.js'
import { verbOf } from '../client/messages.js'
import { withinTime } from '../client/patience.js'
import { subscribe } from '../client/subscriptions.js'
import type { Fresh } from '../data/fresh.js'
import type { RunningRelay } from '../relays/launch.js'

export interface Broadcasting {
  readonly relay: RunningRelay
  /** Kind 1, all by one author. */
  readonly events: readonly Fresh[]
  readonly connections: number
  readonly perConnection: number
  /** Events that may be on their way to their subscriptions. */
  readonly atOnce: number
  /** One more connection with as many subscriptions as a relay allows stops reading. */
  readonly slowReader?: boolean
}

export interface Broadcast {
  readonly deliveriesPerSecond: number
  /** Processor microseconds per delivery. */
  readonly cpuUs: number
  /** Milliseconds from send to each receipt; only told with one event at once. */
  readonly taken: Spread
  /** Whether the relay hung up on the slow reader. */
  readonly slowDropped: boolean
  /** The most that the relay held while it ran, in MB. */
  readonly residentMb: number
}

const SLOW_SUBSCRIPTIONS = 20

const filterOf = (events: readonly Fresh[]) => ({
  authors: [events[0]!.event.pubkey],
  kinds: [1],
  since: events[0]!.event.created_at,
})

/** Throws when a delivery is missing or comes twice. */
export async function broadcast(parts: Broadcasting): Promise<Broadcast> {
  const { relay, events, connections, perConnection } = parts
  const lines = await dialMany(relay.port, connections)
  const subscriptions = await subscribe(lines, perConnection, () => filterOf(events))
  const publisher = await dial(relay.port)
  const slow = await dial(relay.port)
  if (parts.slowReader) {
    await subscribe([slow], SLOW_SUBSCRIPTIONS, () => filterOf(events))
    slow.pause()
  }
  const { result, seconds, cpuUs } = await timed(relay.pid, () => deliver(parts, subscriptions, publisher))
  const slowDropped = await isDropped(slow)
  const memory = residentMb(relay.pid)
  hangUp([...lines, publisher, slow])
  const expected = events.length * perConnection
  if (subscriptions.byLine.some((count) => count !== expected)) throw new Error('deliveries are missing, or came twice')
  const deliveries = expected * connections
  return {
    deliveriesPerSecond: deliveries / seconds,
    cpuUs: cpuUs / deliveries,
    taken: spreadOf(result),
    slowDropped,
    residentMb: memory,
  }
}

/** Somebody who does not read learns of the end when he writes. */
async function isDropped(line: Line): Promise<boolean> {
  for (let tries = 0; tries < 10 && line.isOpen; tries++) {
    line.send(messageFrame('CLOSE', 'nothing'))
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return !line.isOpen
}

/** Sends event after event; answers how long each delivery took when they go one at a time. */
function deliver(
  { events, connections, perConnection, atOnce }: Broadcasting,
  subscriptions: Awaited<ReturnType<typeof subscribe>>,
  publisher: Awaited<ReturnType<typeof dial>>,
): Promise<number[]> {
  return withinTime(
    () => `${subscriptions.delivered} deliveries`,
    (resolve, reject) => {
      const each = connections * perConnection
      const taken: number[] = []
      let sent = 0
      let sentAt = 0
      function sendMore(): void {
        while (sent < events.length && sent - Math.floor(subscriptions.delivered / each) < atOnce) {
          sentAt = performance.now()
          publisher.send(events[sent++]!.frame)
        }
      }
      publisher.listen((bytes, start, end) => {
        if (verbOf(bytes, start) === 'NOTICE') reject(new Error(bytes.toString('utf8', start, end)))
      })
      subscriptions.hear(() => {
        if (atOnce === 1) taken.push(performance.now() - sentAt)
        if (subscriptions.delivered % each !== 0) return
        if (subscriptions.delivered === each * events.length) resolve(taken)
        else sendMore()
      })
      sendMore()
    },
  )
}
