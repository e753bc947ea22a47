// One life of a till after another: what the rounds remember of each other, a start that is owed something, and what a life does.
import { startTillProcess, type TillProcess } from '../support/till-process.js'
import { isAnswered, isOwed } from './rail-checker.js'
import type { RailPayer } from './rail-payers.js'
import { type Stage, waitUntil } from './rail-stage.js'

/** How long the last life's payers may take after a restart. */
const PATIENCE_MS = 40_000

/** What the rounds remember of each other. */
export interface Course {
  readonly stage: Stage
  readonly faults: string[]
  readonly times: number[]
  readonly starts: number[]
  /** Waits for what takes minutes by design: the second relay of a letter, confirmations. */
  readonly isLong: boolean
  /** Payers of rounds before whose answer is still out. */
  waiting: RailPayer[]
  early: number
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

export function forgetWatchers({ stage }: Course): void {
  for (const relay of stage.relays) relay.watcher = {}
}

/** Who waits for an S2 now that the till is dead. */
export function noteWaiting(course: Course): void {
  const { world, relays } = course.stage
  course.waiting = world.payers.filter((one) => isOwed(one) && !isAnswered(one, relays))
  course.early += course.waiting.length
}

/** A fresh life; first of all it owes what the one before left undone. */
export async function start(course: Course, round: number): Promise<TillProcess> {
  const { stage, faults } = course
  for (const relay of stage.relays) await relay.comeBack()
  const begun = Date.now()
  const till = await startTillProcess(stage.settings)
  course.starts.push(Date.now() - begun)
  const isDone = () => course.waiting.every((payer) => isAnswered(payer, stage.relays))
  if (!(await waitUntil(isDone, PATIENCE_MS)))
    faults.push(
      ...course.waiting
        .filter((payer) => !isAnswered(payer, stage.relays))
        .map(({ slateId }) => `round ${round}: ${slateId} not answered after a restart\n${till.output().slice(-2000)}`),
    )
  for (const payer of stage.world.payers) await stage.finish(payer)
  return till
}

export interface Watch {
  /** The S1 of this payer was written to the till. */
  readonly delivered: (payer: RailPayer) => boolean
}

/** Notes when each S1 came to the till and its S2 to a relay. */
export function timesOf({ stage, times }: Course): Watch {
  const at = new Map<string, number>()
  const timed = new Set<string>()
  for (const relay of stage.relays)
    relay.watcher = {
      delivered: ({ id }) => void at.set(id, at.get(id) ?? Date.now()),
      posted(event) {
        const [, to] = event.tags[0] ?? []
        const payer = stage.world.payers.find(({ pubkey }) => pubkey === to)
        const [since] = payer?.wraps.flatMap((id) => at.get(id) ?? []) ?? []
        if (payer && since !== undefined && !timed.has(payer.slateId)) times.push(Date.now() - since)
        if (payer) timed.add(payer.slateId)
        return 'serve'
      },
    }
  return { delivered: (payer) => payer.wraps.some((id) => at.has(id)) }
}
