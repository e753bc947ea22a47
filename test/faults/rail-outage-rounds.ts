// Relays that die before or after an OK, relays that are away, a node that is away: one till that lives through all of it, on real
// sockets and a clock twenty times as fast, so that what waits for a minute is seen to end. For an hour without relays the clock
// is one that leaps.
import { loadPayConfig, openEnvironment } from '../../src/config/index.js'
import { openPayDaemon, type PayDaemon } from '../../src/daemons/pay.js'
import { messageOf } from '../../src/lib/errors.js'
import { type Clock, openLog, systemClock } from '../../src/system/index.js'
import { createFakeClock } from '../support/fake-clock.js'
import { fastClock } from '../support/relay-pool.js'
import type { Fate, FaultRelay } from './fault-relay.js'
import { findRailFaults, findUnfinished, isAnswered, purseOf } from './rail-checker.js'
import type { RailPayer } from './rail-payers.js'
import { openStage, pause, type Stage, waitUntil } from './rail-stage.js'
import { findLosses } from './till-checker.js'
import { emptyLedger } from './till-load.js'

export type Outage = 'relays' | 'node' | 'hour'

const SPEED = 20
/** What a payer may have to wait at most, in the till's own time: the longest pause of a letter, and of a connection. */
const PATIENCE_MS = 16 * 60_000
/** How the clock of the hour leaps, and how often it ticks in between. */
const LEAP_MS = 20_000
const TICK_MS = 20
const HOUR_MS = 3_600_000
const LOG_LINES = 60

export interface OutageReport {
  readonly rounds: number
  readonly payers: number
  readonly repeated: number
  /** Of the till's own time, from the end of the outage to the last S2 of the round. */
  readonly slowestSeconds: number
  readonly faults: readonly string[]
}

/** The till's time. */
interface Timer extends Clock {
  /** A short real moment in which some of the till's time goes by. */
  step(): Promise<void>
  /** Lets so much of the till's time go by, as fast as may be. */
  spend(ms: number): Promise<void>
  stop(): void
}

interface Course {
  readonly stage: Stage
  readonly clock: Timer
}

function fastTimer(): Timer {
  const clock = fastClock(SPEED)
  return { ...clock, step: () => pause(10), spend: (ms) => pause(ms / SPEED), stop: () => undefined }
}

/** Ticks as other clocks do, and leaps when it is told to. */
function leapingTimer(): Timer {
  const clock = createFakeClock(systemClock.now())
  const ticking = setInterval(() => void clock.advance(TICK_MS), TICK_MS)
  async function leap(ms: number): Promise<void> {
    await clock.advance(ms)
    await pause(2)
  }
  return {
    ...clock,
    step: () => leap(1000),
    async spend(ms) {
      for (let gone = 0; gone < ms; gone += LEAP_MS) await leap(LEAP_MS)
    },
    stop: () => clearInterval(ticking),
  }
}

/** Plays one outage to its end and answers who must have an S2 soon. */
type Play = (course: Course) => Promise<readonly RailPayer[]>

const random = (ms: number): number => Math.random() * ms
const one = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)] as T

async function payersOf({ stage }: Course, count: number, ttl?: bigint): Promise<readonly RailPayer[]> {
  const invoices = await Promise.all(Array.from({ length: count }, () => stage.invoice()))
  return invoices.map((invoice) => stage.payer(invoice, ttl === undefined ? {} : { ttl }))
}

function send({ stage, clock }: Course, payers: readonly RailPayer[]): void {
  const [a, b] = stage.relays
  for (const [at, payer] of payers.entries())
    stage.send(payer, at % 3 === 0 ? [a] : at % 3 === 1 ? [b] : [a, b], clock.now(), Math.random() < 0.5)
}

/** The relay ends all connections when the first S2 for one of these comes in. */
function dieAt(relay: FaultRelay, payers: readonly RailPayer[], fate: Fate): Promise<void> {
  const keys = new Set(payers.map(({ pubkey }) => pubkey))
  return new Promise((resolve) => {
    relay.watcher = {
      posted({ tags }) {
        if (!keys.has(tags[0]?.[1] ?? '')) return 'serve'
        relay.watcher = {}
        resolve()
        return fate
      },
    }
  })
}

const dies =
  (fate: Fate, isBoth: boolean): Play =>
  async (course) => {
    const { relays } = course.stage
    const payers = await payersOf(course, 3)
    const dying = isBoth ? relays : [one(relays)]
    const deaths = dying.map((relay) => dieAt(relay, payers, fate))
    send(course, payers)
    await Promise.race([Promise.all(deaths), pause(10_000)])
    await pause(random(1500))
    for (const relay of dying) await relay.comeBack()
    return payers
  }

const bothAway: Play = async (course) => {
  const { relays } = course.stage
  const payers = await payersOf(course, 3)
  send(course, payers)
  await pause(random(400))
  for (const relay of relays) relay.goAway()
  await pause(500 + random(4000))
  for (const relay of relays) {
    await relay.comeBack()
    await pause(random(300))
  }
  return payers
}

/** Some S1 are answered before the relays go, some are being answered, some come with the relays. */
const anHourAway: Play = async (course) => {
  const { relays } = course.stage
  const [early, late] = [await payersOf(course, 2), await payersOf(course, 1)]
  send(course, early)
  await pause(random(500))
  for (const relay of relays) relay.goAway()
  await course.clock.spend(HOUR_MS)
  for (const relay of relays) await relay.comeBack()
  send(course, late)
  return [...early, ...late]
}

/** Payers are back before the till is. */
const s1WhileAway: Play = async (course) => {
  const { relays } = course.stage
  const payers = await payersOf(course, 3)
  for (const relay of relays) relay.goAway()
  await pause(random(1500))
  for (const relay of relays) await relay.comeBack()
  send(course, payers)
  return payers
}

const RELAY_PLAYS: readonly Play[] = [
  dies('die-unstored', false),
  dies('die-before-ok', false),
  dies('die-after-ok', false),
  dies('die-unstored', true),
  dies('die-before-ok', true),
  dies('die-after-ok', true),
  bothAway,
  s1WhileAway,
]

/** An S1 that is good until some block has to wait for the node; others do not even notice. */
const nodeAway =
  (absence: 'reset' | 'silent'): Play =>
  async (course) => {
    const { node, relays } = course.stage
    const waiting = await payersOf(course, 2, BigInt(node.height() + 1000))
    const [plain] = await payersOf(course, 1)
    node.goAway(absence)
    await pause(random(300))
    send(course, plain ? [...waiting, plain] : waiting)
    const notAsked = await waitUntil(() => plain === undefined || isAnswered(plain, relays), 20_000)
    if (!notAsked) throw new Error('a payment that needs no height waited for the node')
    await pause(random(3000))
    node.comeBack()
    return waiting
  }

const PLAYS: Readonly<Record<Outage, readonly Play[]>> = {
  relays: RELAY_PLAYS,
  // A node that says nothing costs ten real seconds.
  node: [nodeAway('reset'), nodeAway('reset'), nodeAway('reset'), nodeAway('silent')],
  hour: [anHourAway],
}

export async function runOutageRounds(outage: Outage, rounds: number): Promise<OutageReport> {
  const stage = await openStage()
  const clock = outage === 'hour' ? leapingTimer() : fastTimer()
  const lines: string[] = []
  const till = await startTill(stage, clock, lines)
  const faults: string[] = []
  const waits: number[] = []
  try {
    for (let round = 0; round < rounds; round += 1) {
      const play = PLAYS[outage][round % PLAYS[outage].length] ?? bothAway
      const found = await playRound(play, { stage, clock }, waits)
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

async function startTill(stage: Stage, clock: Clock, lines: string[]): Promise<PayDaemon> {
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

async function playRound(play: Play, course: Course, waits: number[]): Promise<readonly string[]> {
  const { stage, clock } = course
  try {
    const payers = await play(course)
    const since = clock.now()
    const isDone = await inTime(clock, () => payers.every((payer) => isAnswered(payer, stage.relays)))
    waits.push(clock.now() - since)
    const missing = payers.filter((payer) => !isAnswered(payer, stage.relays))
    const late = isDone ? [] : missing.map(({ slateId }) => `${slateId} has no S2`)
    return [...late, ...findRailFaults(stage.world)]
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

/** Both relays have every S2 in the end: the till goes on until they took it. */
async function finish({ stage, clock }: Course, till: PayDaemon): Promise<readonly string[]> {
  const isSettled = async () => {
    const { webhooks, letters } = await till.till.status()
    return webhooks.pending === 0 && letters.pending === 0
  }
  await inTime(clock, isSettled)
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
