// A flood of well-formed events with wrong signatures, and a good client beside it that publishes one event at a time.
import { type Spread, spreadOf } from '../client/figures.js'
import { eventFrame } from '../client/frames.js'
import { dial, type Line } from '../client/line.js'
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

const REDIAL_MS = 5

/** Throws when a bad event is taken, or a good one is not. */
export async function flood(parts: Flooding): Promise<Flooded> {
  const { relay, good, bad } = parts
  const line = await dial(relay.port)
  const half = good.length / 2
  const alone = await oneByOne(line, good.slice(0, half))
  const frames = bad.map(({ event }) => eventFrame(JSON.stringify({ ...event, sig: flipped(event.sig) })))
  const endFlood = startFlood(relay.port, frames, parts)
  const begun = performance.now()
  const beside = await oneByOne(line, good.slice(half))
  const seconds = (performance.now() - begun) / 1000
  const floodPerSecond = endFlood() / seconds
  line.close()
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

/** Each attacker dials again when the relay hangs up on him. Answers how to end it, with how many events were refused. */
function startFlood(port: number, frames: readonly Buffer[], { connections, waiting }: Flooding): () => number {
  let going = true
  let next = 0
  let refused = 0

  async function attack(): Promise<void> {
    while (going) {
      const line = await dial(port).catch(() => undefined)
      if (line) await floodOn(line)
      else await new Promise((resolve) => setTimeout(resolve, REDIAL_MS))
    }
  }

  async function floodOn(line: Line): Promise<void> {
    const send = (): void => {
      if (!going) line.close()
      else if (line.isOpen) line.send(frames[next++ % frames.length]!)
    }
    line.listen((bytes, start, end) => {
      if (verbOf(bytes, start) !== 'OK') return
      if (isAccepted(bytes, start)) throw new Error(`a bad event was taken: ${bytes.toString('utf8', start, end)}`)
      refused += 1
      send()
    })
    for (let count = 0; count < waiting; count++) send()
    await line.ended
  }

  for (let attacker = 0; attacker < connections; attacker++) void attack()
  return () => {
    going = false
    return refused
  }
}
