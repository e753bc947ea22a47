// What may befall a till's relays and its node, and who must have an S2 soon after.
import type { Fate, FaultRelay } from './fault-relay.js'
import { isAnswered } from './rail-checker.js'
import type { RailPayer } from './rail-payers.js'
import { pause, type Stage, waitUntil } from './rail-stage.js'
import type { Timer } from './rail-timer.js'

export type Outage = 'relays' | 'node' | 'hour'

const HOUR_MS = 3_600_000

export interface Course {
  readonly stage: Stage
  readonly clock: Timer
}

/** Plays one outage to its end and answers who must have an S2 soon. */
export type Play = (course: Course) => Promise<readonly RailPayer[]>

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

export const PLAYS: Readonly<Record<Outage, readonly Play[]>> = {
  relays: RELAY_PLAYS,
  // A node that says nothing costs ten real seconds.
  node: [nodeAway('reset'), nodeAway('reset'), nodeAway('reset'), nodeAway('silent')],
  hour: [anHourAway],
}
