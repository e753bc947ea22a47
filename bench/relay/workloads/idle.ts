// idle: thousands of connections that listen for their gift wraps, and nothing comes.

import { residentMb } from '../../process.js'
import { processorUs } from '../client/figures.js'
import { messageFrame } from '../client/frames.js'
import { dialMany, hangUp, type Line } from '../client/line.js'
import { verbOf } from '../client/messages.js'
import type { RunningRelay } from '../relays/launch.js'

export interface Idle {
  readonly kbPerConnection: number
  readonly connectionsPerSecond: number
  /** Share of one core while nothing happens, 0 to 1. */
  readonly processorShare: number
}

const WATCHED_MS = 20_000
const SETTLING_MS = 3000
const FIRST = 500
const KB_PER_MB = 1024

/** The first 500 also pay for compiled code and pools, so memory is counted after them. `recipients`: one for each connection. */
export async function idle(relay: RunningRelay, recipients: readonly string[]): Promise<Idle> {
  const first = await open(relay, recipients.slice(0, FIRST))
  await pause(SETTLING_MS)
  const before = residentMb(relay.pid)
  const begun = performance.now()
  const rest = await open(relay, recipients.slice(FIRST))
  const seconds = (performance.now() - begun) / 1000
  await pause(SETTLING_MS)
  const kb = (residentMb(relay.pid) - before) * KB_PER_MB
  const processor = processorUs(relay.pid)
  await pause(WATCHED_MS)
  const spent = processorUs(relay.pid) - processor
  const alive = [...first, ...rest].filter(({ isOpen }) => isOpen).length
  hangUp([...first, ...rest])
  if (alive !== recipients.length) throw new Error(`only ${alive} of ${recipients.length} connections are left`)
  return {
    kbPerConnection: kb / rest.length,
    connectionsPerSecond: rest.length / seconds,
    processorShare: spent / 1000 / WATCHED_MS,
  }
}

const AT_ONCE = 100

/** `since` lies ahead: nothing stored is answered. */
async function open(relay: RunningRelay, recipients: readonly string[]): Promise<Line[]> {
  const since = Math.floor(Date.now() / 1000)
  const lines: Line[] = []
  for (let at = 0; at < recipients.length; at += AT_ONCE) {
    const some = recipients.slice(at, at + AT_ONCE)
    const opened = await dialMany(relay.port, some.length)
    await Promise.all(opened.map((line, index) => subscribed(line, { kinds: [1059], '#p': [some[index]], since })))
    lines.push(...opened)
  }
  return lines
}

const subscribed = (line: Line, filter: object): Promise<void> =>
  new Promise((resolve, reject) => {
    line.listen((bytes, start, end) => {
      const verb = verbOf(bytes, start)
      if (verb === 'EOSE') resolve()
      else if (verb === 'CLOSED' || verb === 'NOTICE') reject(new Error(bytes.toString('utf8', start, end)))
    })
    line.ended.then(() => reject(new Error('the relay hung up')))
    line.send(messageFrame('REQ', 'inbox', filter))
  })

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
