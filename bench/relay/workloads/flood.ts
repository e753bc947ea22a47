// A flood of well-formed events with wrong signatures, and a good client beside it that publishes one event at a time.
import { type Spread, spreadOf } from '../client/figures.js'
import { eventFrame } from '../client/frames.js'
import { dial, dialMany, hangUp, type Line } from '../client/line.js'
import { isAccepted, verbOf } from '../client/messages.js'
import type { Fresh } from '../data/fresh.js'
import type { RunningRelay } from '../relays/launch.js'

export interface Flooded {
  /** Of the good client, in milliseconds. */
  readonly alone: Spread
  readonly beside: Spread
  /** Bad events that were answered per second. */
  readonly floodPerSecond: number
}

export interface Flooding {
  readonly relay: RunningRelay
  /** Of the good client: half of them without the flood, half beside it. */
  readonly good: readonly Fresh[]
  readonly bad: readonly Fresh[]
  readonly connections: number
  /** Events of one bad connection that wait for their answer. */
  readonly waiting: number
}

/** Throws when a bad event is taken, or a good one is not. */
export async function flood({ relay, good, bad, connections, waiting }: Flooding): Promise<Flooded> {
  const line = await dial(relay.port)
  const half = good.length / 2
  const alone = await oneByOne(line, good.slice(0, half))
  const frames = bad.map(({ event }) => eventFrame(JSON.stringify({ ...event, sig: flipped(event.sig) })))
  const floods = await dialMany(relay.port, connections)
  const refused = startFlood(floods, frames, waiting)
  const begun = performance.now()
  const beside = await oneByOne(line, good.slice(half))
  const seconds = (performance.now() - begun) / 1000
  const floodPerSecond = refused() / seconds
  hangUp([...floods, line])
  return { alone, beside, floodPerSecond }
}

/** Another last digit: the number is still in range, the signature wrong. */
const flipped = (sig: string): string => sig.slice(0, -1) + (sig.endsWith('0') ? '1' : '0')

async function oneByOne(line: Line, events: readonly Fresh[]): Promise<Spread> {
  const taken: number[] = []
  for (const { frame } of events) {
    const sentAt = performance.now()
    await new Promise<void>((resolve, reject) => {
      line.listen((bytes, start, end) => {
        if (verbOf(bytes, start) !== 'OK') return
        if (isAccepted(bytes, start)) resolve()
        else reject(new Error(bytes.toString('utf8', start, end)))
      })
      line.send(frame)
    })
    taken.push(performance.now() - sentAt)
  }
  return spreadOf(taken)
}

/** Sends bad events for as long as the lines live; answers how many were refused so far. */
function startFlood(lines: readonly Line[], frames: readonly Buffer[], waiting: number): () => number {
  let next = 0
  let refused = 0
  for (const line of lines) {
    const send = (): void => {
      if (line.isOpen) line.send(frames[next++ % frames.length]!)
    }
    line.listen((bytes, start, end) => {
      if (verbOf(bytes, start) !== 'OK') return
      if (isAccepted(bytes, start)) throw new Error(`a bad event was taken: ${bytes.toString('utf8', start, end)}`)
      refused += 1
      send()
    })
    for (let count = 0; count < waiting; count++) send()
  }
  return () => refused
}
