// publish, publish-1x1, publish-rate: events in, OKs out.
import { collectGarbage } from '../../../src/lib/heap.js'
import { type Spread, spreadOf, timed } from '../client/figures.js'
import { dialMany, hangUp, type Line } from '../client/line.js'
import { isAccepted, keyOfOk, verbOf } from '../client/messages.js'
import { withinTime } from '../client/patience.js'
import type { Fresh, PackedEvents } from '../data/fresh.js'
import type { RunningRelay } from '../relays/launch.js'

export interface Published {
  readonly perSecond: number
  /** Milliseconds from send (or from when it was due) to OK. */
  readonly taken: Spread
  /** Milliseconds from when an event was due until it was sent: what the load generator itself was late. */
  readonly late: Spread
  readonly cpuUs: number
  /** How often each refusal came; replaced ones are to be expected in mixed sets. */
  readonly refusals: Readonly<Record<string, number>>
}

export interface Publishing {
  readonly relay: RunningRelay
  readonly events: readonly Fresh[]
  readonly connections: number
  /** Events of one connection that may wait for their OK. */
  readonly waiting: number
}

/** Resolves when every event has its OK. */
export async function publish({ relay, events, connections, waiting }: Publishing): Promise<Published> {
  const lines = await dialMany(relay.port, connections)
  const answers = createAnswers()
  const { seconds, cpuUs } = await timed(relay.pid, () => closedLoop(lines, events, waiting, answers))
  hangUp(lines)
  return answers.published(events.length, seconds, cpuUs)
}

function closedLoop(
  lines: readonly Line[],
  events: readonly Fresh[],
  waiting: number,
  answers: Answers,
): Promise<void> {
  let answered = 0
  return withinTime(
    () => `${answered} answers`,
    (resolve, reject) => {
      let sent = 0
      const sendNext = (line: Line): void => {
        const event = events[sent++]
        if (!event) return
        answers.sent(event.key, performance.now())
        line.send(event.frame)
      }
      for (const line of lines) {
        line.listen((bytes, start, end) => {
          if (!answers.heard(bytes, start, end)) return
          answered += 1
          if (answered === events.length) resolve()
          else sendNext(line)
        })
        line.ended.then(() => reject(new Error('the relay hung up')))
      }
      for (let round = 0; round < waiting; round++) for (const line of lines) sendNext(line)
    },
  )
}

/** Seconds at the beginning that do not count: what they show is how the client's own code gets compiled. */
export const UNCOUNTED = 2

export interface Paced extends Pick<Publishing, 'relay' | 'connections'> {
  readonly events: PackedEvents
}

/** Events are due at even distances, whatever became of those before; those of the first `UNCOUNTED` seconds do not count. */
export async function publishAtRate({ relay, events, connections }: Paced, rate: number): Promise<Published> {
  const lines = await dialMany(relay.port, connections)
  const warmUp = events.slice(0, rate * UNCOUNTED)
  const counted = events.slice(warmUp.length)
  collectGarbage()
  await openLoop(lines, warmUp, rate, createAnswers())
  const answers = createAnswers()
  const { seconds, cpuUs } = await timed(relay.pid, () => openLoop(lines, counted, rate, answers))
  hangUp(lines)
  return answers.published(counted.length, seconds, cpuUs)
}

export async function openLoop(
  lines: readonly Line[],
  events: PackedEvents,
  rate: number,
  answers: Answers,
): Promise<void> {
  let answered = 0
  let resolveAll: () => void = () => undefined
  const all = new Promise<void>((resolve) => {
    resolveAll = resolve
  })
  for (const line of lines)
    line.listen((bytes, start, end) => {
      if (answers.heard(bytes, start, end) && ++answered === events.length) resolveAll()
    })
  const begun = performance.now()
  for (let sent = 0; sent < events.length; await pause()) {
    for (const now = performance.now(); sent < events.length; sent++) {
      const due = begun + (sent / rate) * 1000
      if (due > now) break
      answers.sent(events.key(sent), due, performance.now() - due)
      lines[sent % lines.length]!.send(events.frame(sent))
    }
  }
  await all
}

/** A timer is late by up to a millisecond, but leaves the processor to the relay. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))

export type Answers = ReturnType<typeof createAnswers>

/** Remembers when what was sent, and what came back. */
export function createAnswers() {
  const times = new Map<string, number>()
  const taken: number[] = []
  const late: number[] = []
  const refusals: Record<string, number> = {}

  function refused(text: string): void {
    const [, , , words = ''] = JSON.parse(text) as [string, string, boolean, string?]
    const reason = words.replace(/[0-9a-f]{16,}/g, '…').slice(0, 60)
    refusals[reason] = (refusals[reason] ?? 0) + 1
  }

  return {
    /** `at`: when it was sent, or due. */
    sent(key: string, at: number, lateBy = 0): void {
      times.set(key, at)
      late.push(lateBy)
    },
    /** True when the message was an OK. */
    heard(bytes: Buffer, start: number, end: number): boolean {
      if (verbOf(bytes, start) !== 'OK') {
        if (verbOf(bytes, start) === 'NOTICE') refusals[bytes.toString('utf8', start, Math.min(end, start + 60))] = 1
        return false
      }
      const key = keyOfOk(bytes, start)
      taken.push(performance.now() - (times.get(key) ?? Number.NaN))
      times.delete(key)
      if (!isAccepted(bytes, start)) refused(bytes.toString('utf8', start, end))
      return true
    },
    published: (events: number, seconds: number, cpuUs: number): Published => ({
      perSecond: events / seconds,
      taken: spreadOf(taken),
      late: spreadOf(late),
      cpuUs: cpuUs / events,
      refusals,
    }),
  }
}
