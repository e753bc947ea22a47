// A whole cluster under load, and a random process of it killed again and again: tills, name authorities, relays, the primary with a promotion, a
// standby. GRINPAY_FAULT_ROUNDS (20), GRINPAY_FAULT_SEED; figures also go to the file GRINPAY_TRIAL_REPORT.
import { createHash } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { examine, type Findings } from './cluster-checker.js'
import { type ClusterLoad, type Silences, startLoad } from './cluster-load.js'
import { ADMIN_TOKEN, type Front, openStage, type Stage } from './cluster-stage.js'

const ROUNDS = Number(process.env.GRINPAY_FAULT_ROUNDS ?? 20)
const SEED = process.env.GRINPAY_FAULT_SEED ?? String(Date.now())
const CHECK_EVERY = 20
const COINS = 60
const COINS_PER_ROUND = 4

const VICTIMS = ['till', 'names', 'relay', 'primary', 'standby'] as const
type Victim = (typeof VICTIMS)[number]

const NOTHING: Findings = { tills: [], keys: [], webhooks: [], names: [], relays: [], subscribers: [] }

/** From 0 to 1, the same for a seed. */
function createDice() {
  let drawn = 0
  return () => createHash('sha256').update(`${SEED} ${drawn++}`).digest().readUInt32BE(0) / 2 ** 32
}

/** Kills one process; what it resolves with brings it back. */
async function strike(stage: Stage, victim: Victim, dice: () => number): Promise<() => Promise<void>> {
  const draw = <T>(among: readonly T[]): T => among[Math.floor(dice() * among.length)] as T
  if (victim === 'primary') {
    await stage.primary().kill()
    const old = await stage.failOver()
    return () => stage.cluster.rejoin(old, stage.primary())
  }
  if (victim === 'standby') {
    const standby = draw(stage.standbys())
    await standby.kill()
    return standby.start
  }
  const fronts: readonly Pick<Front, 'process' | 'start'>[] = {
    till: stage.tills,
    names: stage.names,
    relay: stage.relays,
  }[victim]
  const front = draw(fronts)
  await front.process().kill()
  return () => front.start()
}

/** Nothing is owed any more: every payment that was pushed is confirmed, and every webhook has come. */
async function deliveredAll({ tills, hooks }: Stage, { ledger }: ClusterLoad): Promise<boolean> {
  const confirmed = hooks.events.filter(({ json }) => json.event_type === 'payment.confirmed')
  const slates = new Set(confirmed.map(({ json }) => String(json.payment.slate_id)))
  if (![...ledger.till.pushed].every((id) => slates.has(id))) return false
  const answer = await fetch(`${tills[0]?.url}/admin/status`, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } })
  const { webhooks } = (await answer.json()) as { readonly webhooks?: { readonly pending: number } }
  return webhooks?.pending === 0
}

const most = (one: Silences, other: Silences): Silences => ({
  invoices: Math.max(one.invoices, other.invoices),
  claims: Math.max(one.claims, other.claims),
  events: Math.max(one.events, other.events),
})

function report(figures: object): void {
  console.log(figures)
  const path = process.env.GRINPAY_TRIAL_REPORT
  if (path) appendFileSync(path, `${JSON.stringify(figures)}\n`)
}

const figuresOf = ({ ledger }: ClusterLoad) => ({
  invoices: ledger.till.invoices.size,
  replies: ledger.till.replies.size,
  names: ledger.names.size,
  events: ledger.events.size,
})

test(`${ROUNDS} kills of any process of a whole cluster lose and double nothing (seed ${SEED})`, async () => {
  const stage = await openStage()
  onTestFinished(stage.close)
  await stage.payer.fund(COINS)
  await stage.ready()
  const load = startLoad(stage)
  const dice = createDice()
  const kills = Object.fromEntries(VICTIMS.map((victim) => [victim, 0])) as Record<Victim, number>
  const silences = {} as Record<Victim, Silences>
  await sleep(1000)
  load.silences()
  for (let round = 1; round <= ROUNDS; round++) {
    const victim = VICTIMS[Math.floor(dice() * VICTIMS.length)] as Victim
    const bringBack = await strike(stage, victim, dice)
    await sleep(200 + dice() * 1000)
    await bringBack()
    await stage.ready()
    if (victim === 'primary' || victim === 'standby') await stage.cluster.streaming(stage.primary(), 2)
    kills[victim] += 1
    const silence = load.silences()
    silences[victim] = silences[victim] ? most(silences[victim], silence) : silence
    await stage.payer.fund(COINS_PER_ROUND)
    if (round % CHECK_EVERY === 0) {
      expect(await examine(stage.primary(), load.ledger), `after round ${round}`).toEqual(NOTHING)
      report({ round, ...figuresOf(load) })
    }
  }
  await sleep(6000)
  await load.stop()
  await expect.poll(() => deliveredAll(stage, load), { timeout: 120_000, interval: 500 }).toBe(true)
  for (const relay of stage.relays) await relay.process().stop()
  const { relays, hooks } = stage
  report({ seed: SEED, kills, silences, ...figuresOf(load), webhooks: hooks.events.length })
  expect([...hooks.faults, ...load.ledger.doubled]).toEqual([])
  expect(await examine(stage.primary(), load.ledger, { relays, hooks: hooks.events })).toEqual(NOTHING)
  expect(load.ledger.till.replies.size).toBeGreaterThan(ROUNDS / 4)
})
