// Connections that fill the relay with subscriptions of many filters, over and over: what they open stays open until the next round replaces it.
import { setTimeout as pause } from 'node:timers/promises'
import { messageFrame } from '../client/frames.js'
import { dial, type Line } from '../client/line.js'
import { verbOf } from '../client/messages.js'

export interface StrangersParts {
  readonly port: number
  readonly connections: number
  readonly subscriptions: number
  readonly filters: number
  /** What they send. */
  readonly verb: 'REQ' | 'NEG-OPEN'
  /** What every filter asks for; `values` adds so many `#t` values. */
  readonly filter: Readonly<Record<string, unknown>>
  /** Between two rounds of one connection. */
  readonly pauseMs: number
  readonly values: number
  readonly stop: AbortSignal
}

/** Counted over all connections. */
export interface StrangersTally {
  /** Rounds of all subscriptions that were answered to the last one. */
  rounds: number
  eose: number
  closed: number
  /** Answers to NEG-OPEN, refusals among them. */
  negotiated: number
  /** Connections that the relay ended. */
  dropped: number
  /** Connections that did not come to be. */
  refused: number
  bytes: number
}

const REDIAL_MS = 250
/** The first message of a side that has no events (NIP-77). */
const NOTHING = '6100000200'

/** Runs until `stop`. */
export async function floodFilters(parts: StrangersParts, tally: StrangersTally): Promise<void> {
  const { subscriptions, filters, values, verb } = parts
  const tags = values > 0 ? { '#t': Array.from({ length: values }, (_, at) => `value ${at}`) } : {}
  const list = Array.from({ length: filters }, () => ({ ...parts.filter, ...tags }))
  const asked = verb === 'REQ' ? list : [list, NOTHING]
  const frames = Array.from({ length: subscriptions }, (_, at) => messageFrame(verb, `s${at}`, ...asked))
  await Promise.all(Array.from({ length: parts.connections }, () => oneStranger(parts, frames, tally)))
}

export const emptyTally = (): StrangersTally => ({
  rounds: 0,
  eose: 0,
  closed: 0,
  negotiated: 0,
  dropped: 0,
  refused: 0,
  bytes: 0,
})

async function oneStranger(parts: StrangersParts, frames: readonly Buffer[], tally: StrangersTally): Promise<void> {
  const { port, stop, pauseMs } = parts
  while (!stop.aborted) {
    const line = await dial(port).catch(() => undefined)
    if (!line) {
      tally.refused += 1
      await pause(REDIAL_MS)
      continue
    }
    while (!stop.aborted && line.isOpen) {
      await oneRound(line, frames, tally, stop)
      await pause(pauseMs)
    }
    if (!stop.aborted) tally.dropped += 1
    line.close()
    await pause(REDIAL_MS)
  }
}

async function oneRound(
  line: Line,
  frames: readonly Buffer[],
  tally: StrangersTally,
  stop: AbortSignal,
): Promise<void> {
  let left = frames.length
  const answered = new Promise<void>((resolve) => {
    line.listen((bytes, start) => {
      const verb = verbOf(bytes, start)
      if (verb === 'EOSE') tally.eose += 1
      else if (verb === 'CLOSED') tally.closed += 1
      else if (verb === 'NEG') tally.negotiated += 1
      else return
      left -= 1
      if (left === 0) resolve()
    })
  })
  line.sendAll(frames)
  for (const frame of frames) tally.bytes += frame.length
  let abort: () => void = () => undefined
  const aborted = new Promise<void>((resolve) => {
    abort = resolve
  })
  stop.addEventListener('abort', abort, { once: true })
  await Promise.race([answered, line.ended, aborted])
  stop.removeEventListener('abort', abort)
  if (left === 0) tally.rounds += 1
}
