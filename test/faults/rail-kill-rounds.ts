// kill -9 of a whole till between any two steps of the Nostr pipeline. The harness is the relays, so it knows when an S1 is with the
// till and when the S2 arrives, and kills in between. Each restart has to answer what the last life left undone.
import { messageOf } from '../../src/lib/errors.js'
import { findRailFaults, findUnfinished, purseOf } from './rail-checker.js'
import { act, MOMENTS, type Moment, startAndKill } from './rail-deaths.js'
import { type Course, forgetWatchers, median, noteWaiting, start, timesOf } from './rail-life.js'
import { openStage, pause } from './rail-stage.js'
import { findLosses } from './till-checker.js'
import { emptyLedger } from './till-load.js'

const COINS = 6
/** A letter that one relay has is off the list for a minute. */
const LETTERS_MS = 150_000

export interface KillReport {
  readonly rounds: number
  readonly payers: number
  readonly answered: number
  /** S2 that were sent in more than one wrap. */
  readonly repeated: number
  readonly pushed: number
  readonly killsBeforeReply: number
  /** Milliseconds from the delivery of an S1 to its S2 at a relay, of those that no kill came between. */
  readonly medianMs: number
  /** Of the starts, until the till answers `/health`. */
  readonly startMs: number
  readonly moments: Readonly<Record<string, number>>
  readonly faults: readonly string[]
}

export async function runKillRounds(rounds: number, isLong = true): Promise<KillReport> {
  const stage = await openStage({ coins: isLong ? COINS : 0 })
  const course: Course = { stage, faults: [], times: [], starts: [], isLong, waiting: [], early: 0 }
  const moments: Record<string, number> = {}
  try {
    for (let round = 0; round < rounds; round += 1) {
      const moment = MOMENTS[round % MOMENTS.length] ?? 'after delivery'
      moments[moment] = (moments[moment] ?? 0) + 1
      await playRound(course, moment, round)
      const found = findRailFaults(stage.world).map((fault) => `round ${round} (${moment}): ${fault}`)
      course.faults.push(...found)
    }
    await recover(course)
    const { payers } = stage.world
    const purses = payers.map((payer) => purseOf(payer, stage.relays))
    return {
      rounds,
      payers: payers.length,
      answered: purses.filter(({ replies }) => replies.size > 0).length,
      repeated: purses.filter(({ wraps }) => wraps.size > 1).length,
      pushed: stage.pushed.size,
      killsBeforeReply: course.early,
      medianMs: Math.round(median(course.times)),
      startMs: Math.round(median(course.starts)),
      moments,
      faults: [...new Set([...course.faults, ...stage.hooks.faults])],
    }
  } finally {
    await stage.close()
  }
}

async function playRound(course: Course, moment: Moment, round: number): Promise<void> {
  const till = moment === 'at catch-up' ? await startAndKill(course) : await start(course, round)
  if (!till) return
  const watch = timesOf(course)
  try {
    await act(course, moment, { till, round, watch })
  } catch (thrown) {
    course.faults.push(`round ${round} (${moment}): ${messageOf(thrown)}`)
  } finally {
    await till.kill()
    forgetWatchers(course)
    noteWaiting(course)
  }
}

/** All that is owed is done, in a long run also what waits: letters ended, events delivered, pushed payments confirmed. Then a clean end and the last look. */
async function recover(course: Course): Promise<void> {
  const { stage, faults } = course
  const till = await start(course, -1)
  const isSettled = async () => {
    const { webhooks, letters } = (await stage.status()) as Record<'webhooks' | 'letters', { pending: number }>
    const confirmed = stage.hooks.events.filter(({ json }) => json.event_type === 'payment.confirmed')
    const ids = new Set(confirmed.map(({ json }) => String(json.payment.slate_id)))
    return webhooks.pending === 0 && letters.pending === 0 && [...stage.pushed].every((id) => ids.has(id))
  }
  const areTold = async () => ((await stage.status()) as Record<'webhooks', { pending: number }>).webhooks.pending === 0
  const isOver = course.isLong ? isSettled : areTold
  for (const end = Date.now() + LETTERS_MS; Date.now() < end && !(await isOver()); ) await pause(500)
  await till.stop()
  faults.push(...findRailFaults(stage.world), ...findUnfinished(stage.world, course.isLong))
  faults.push(...findLosses(stage.world.path, emptyLedger(), stage.hooks.events))
}
