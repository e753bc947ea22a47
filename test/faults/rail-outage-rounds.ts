// Relays that die before or after an OK, relays that are away, a node that is away: one till that lives through all of it, on real
// sockets and a clock twenty times as fast, so that what waits for a minute is seen to end. For an hour without relays the clock
// is one that leaps.
import { loadPayConfig, openEnvironment } from '../../src/config/index.js'
import { openPayDaemon, type PayDaemon } from '../../src/daemons/pay.js'
import { messageOf } from '../../src/lib/errors.js'
import { openLog, type SystemClock } from '../../src/system/index.js'
import { findRailFaults, findUnfinished, isAnswered, purseOf } from './rail-checker.js'
import { type Course, type Outage, PLAYS, type Play } from './rail-outages.js'
import { openStage, type Stage } from './rail-stage.js'
import { fastTimer, leapingTimer, type Timer } from './rail-timer.js'
import { findLosses } from './till-checker.js'
import { emptyLedger } from './till-load.js'

/** What a payer may have to wait at most, in the till's own time: the longest pause of a message, and of a connection. */
const PATIENCE_MS = 17 * 60_000
const LOG_LINES = 60

export interface OutageReport {
  readonly rounds: number
  readonly payers: number
  readonly repeated: number
  /** Of the till's own time, from the end of the outage to the last S2 of the round. */
  readonly slowestSeconds: number
  readonly faults: readonly string[]
}

export async function runOutageRounds(outage: Outage, rounds: number): Promise<OutageReport> {
  const stage = await openStage()
  const clock = outage === 'hour' ? leapingTimer() : fastTimer()
  const lines: string[] = []
  const till = await startTill(stage, clock, lines)
  const faults: string[] = []
  const plays = PLAYS[outage]
  const waits: number[] = []
  try {
    for (let round = 0; round < rounds; round += 1) {
      const play = plays[round % plays.length]
      if (!play) break
      const found = await playRound(play, { stage, clock }, till, waits)
      faults.push(...found.map((fault) => `round ${round}: ${fault}\n${lines.slice(-LOG_LINES).join('')}`))
    }
    faults.push(...(await finish({ stage, clock }, till)))
    const purses = stage.world.payers.map((payer) => purseOf(payer, stage.relays))
    return {
      rounds,
      payers: purses.length,
      repeated: purses.filter(({ wraps }) => wraps.size > 1).length,
      slowestSeconds: Math.round(Math.max(...waits) / 1000),
      faults,
    }
  } finally {
    await till.stop().catch(() => undefined)
    clock.stop()
    await stage.close()
  }
}

async function startTill(stage: Stage, clock: SystemClock, lines: string[]): Promise<PayDaemon> {
  const config = loadPayConfig(openEnvironment({ variables: stage.settings }))
  const write = (line: string) => {
    lines.push(line)
    if (lines.length > LOG_LINES * 2) lines.splice(0, LOG_LINES)
  }
  const log = await openLog({ level: 'debug', human: false, write })
  const daemon = await openPayDaemon(config, { version: '0.0.0-test', log, clock })
  await daemon.start()
  return daemon
}

async function playRound(play: Play, course: Course, till: PayDaemon, waits: number[]): Promise<readonly string[]> {
  const { stage, clock } = course
  try {
    const payers = await play(course)
    const since = clock.now()
    const isDone = await inTime(clock, () => payers.every((payer) => isAnswered(payer, stage.relays)))
    waits.push(clock.now() - since)
    const missing = payers.filter((payer) => !isAnswered(payer, stage.relays))
    const late = isDone ? [] : missing.map(({ slateId }) => `${slateId} has no S2`)
    const isQuit = await inTime(clock, () => owesNothing(till))
    return [...late, ...(isQuit ? [] : ['a letter is still owed']), ...findRailFaults(stage.world)]
  } catch (thrown) {
    stage.node.comeBack()
    return [messageOf(thrown)]
  }
}

/** Whether something becomes so before a payer's patience is over. */
async function inTime(clock: Timer, isSo: () => boolean | Promise<boolean>): Promise<boolean> {
  for (const end = clock.now() + PATIENCE_MS; !(await isSo()); await clock.step()) if (clock.now() > end) return false
  return true
}

/** Nothing is owed to any relay. One that is away at every try of a day is given up, so each round ends with this. */
const owesNothing = async ({ till }: PayDaemon): Promise<boolean> => (await till.status()).messages.pending === 0

/** Both relays have every S2 in the end: the till goes on until they took it. */
async function finish({ stage, clock }: Course, till: PayDaemon): Promise<readonly string[]> {
  await inTime(clock, async () => (await till.till.status()).webhooks.pending === 0 && (await owesNothing(till)))
  await till.stop()
  const lacking = stage.world.payers.filter((payer) => purseOf(payer, stage.relays).holders.size < 2)
  return [
    ...findRailFaults(stage.world),
    ...findUnfinished(stage.world),
    ...findLosses(stage.world.path, emptyLedger(), stage.hooks.events),
    ...lacking.map(({ slateId }) => `the S2 of ${slateId} is not on both relays`),
    ...stage.hooks.faults,
  ]
}
