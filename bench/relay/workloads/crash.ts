// crash: kill -9 in the middle of publishing, a restart, and every acknowledged event has to be there.
import { messageFrame } from '../client/frames.js'
import { dial, dialMany, type Line } from '../client/line.js'
import { isAccepted, KEY_LENGTH, verbOf } from '../client/messages.js'
import type { Fresh } from '../data/fresh.js'
import { addressOf } from '../data/latest.js'
import type { RunningRelay } from '../relays/launch.js'

export interface Crash {
  readonly acknowledged: number
  /** Acknowledged, never replaced, and gone. */
  readonly lost: number
}

const CONNECTIONS = 4
const WAITING = 64
const ASKED_AT_ONCE = 100
const ID_AT = '["OK","'.length

/** Publishes until `killAfter` OKs came, kills, starts again. */
export async function crash(
  start: () => Promise<RunningRelay>,
  events: readonly Fresh[],
  killAfter: number,
): Promise<Crash> {
  const relay = await start()
  const lines = await dialMany(relay.port, CONNECTIONS)
  const acknowledged = await publishUntil(lines, events, killAfter, () => relay.kill())
  const again = await start()
  const line = await dial(again.port)
  const replaceable = new Set(events.filter(({ event }) => addressOf(event) !== undefined).map(({ id }) => id))
  const wanted = [...acknowledged].filter((id) => !replaceable.has(id))
  let found = 0
  for (let at = 0; at < wanted.length; at += ASKED_AT_ONCE)
    found += await countOf(line, wanted.slice(at, at + ASKED_AT_ONCE))
  line.close()
  await again.stop()
  return { acknowledged: acknowledged.size, lost: wanted.length - found }
}

/** The ids that were acknowledged until the connections broke. */
async function publishUntil(
  lines: readonly Line[],
  events: readonly Fresh[],
  killAfter: number,
  kill: () => Promise<void>,
): Promise<ReadonlySet<string>> {
  const acknowledged = new Set<string>()
  let sent = 0
  const sendNext = (line: Line): void => {
    const event = events[sent++]
    if (event && line.isOpen) line.send(event.frame)
  }
  await new Promise<void>((resolve) => {
    for (const line of lines)
      line.listen((bytes, start) => {
        if (verbOf(bytes, start) !== 'OK') return
        if (isAccepted(bytes, start))
          acknowledged.add(bytes.toString('latin1', start + ID_AT, start + ID_AT + 4 * KEY_LENGTH))
        if (acknowledged.size >= killAfter) resolve()
        sendNext(line)
      })
    for (let round = 0; round < WAITING; round++) for (const line of lines) sendNext(line)
  })
  await kill()
  await Promise.all(lines.map(({ ended }) => ended))
  return acknowledged
}

const countOf = (line: Line, ids: readonly string[]): Promise<number> =>
  new Promise((resolve) => {
    let count = 0
    line.listen((bytes, start) => {
      const verb = verbOf(bytes, start)
      if (verb === 'EVENT') count += 1
      else if (verb === 'EOSE') resolve(count)
    })
    line.send(messageFrame('REQ', 'ask', { ids }))
  })
