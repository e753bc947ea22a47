// kill -9 of name authorities: two processes on one database under load, one or both die at random moments, the next ones go on. After
// each round everything that was ever signed is worth nothing, and the file is compared with the answers.
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findNameFaults } from './name-checker.js'
import { keepDealing } from './name-dealers.js'
import { type LivingAuthority, startAuthority } from './name-life.js'
import { keepClaiming, newPeople, pause, type World } from './name-load.js'
import { type Asked, emptyNameLog, isDone, type Life, type NameLog, type Verb } from './name-log.js'
import { createOperator } from './name-operator.js'
import { BASE, DOMAIN } from './name-people.js'
import { readTables } from './name-rows.js'
import { startStandIns } from './name-standins.js'

/** Short, so that many rounds see events that are too old, and long enough that a restart sees those that are not. */
const MAX_AGE_SECONDS = 8
const LIVES: readonly Life[] = [
  { cooldownMs: 0, isPaid: false },
  { cooldownMs: 2000, isPaid: false },
  { cooldownMs: 0, isPaid: true },
  { cooldownMs: 1000, isPaid: false },
  { cooldownMs: 1000, isPaid: true },
]
/** Who dies in a round. */
const FATES = ['elder', 'both', 'starting', 'younger', 'both', 'elder', 'elder'] as const
/** A kill comes after so many answers at most, and within this time. */
const MOST_ANSWERS = 40
const ALIVE_MS = 3000
const BUSY_PACE_MS = 40
const QUIET_PACE_MS = 5000
const AT_ONCE = 8
/** Of the requests of earlier rounds. */
const OLDER = 10

export interface NameKillReport {
  readonly rounds: number
  readonly kills: number
  readonly requests: number
  readonly done: Readonly<Record<Verb, number>>
  readonly paid: number
  readonly orders: number
  /** Times that a request was sent again. */
  readonly replays: number
  readonly unanswered: number
  readonly forgotten: number
  readonly seconds: number
  readonly faults: readonly string[]
}

/** Stops at the first round with a fault. */
export async function runNameKillRounds(rounds: number): Promise<NameKillReport> {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-name-faults-'))
  const log = emptyNameLog(MAX_AGE_SECONDS)
  const standIns = await startStandIns(log)
  const path = join(folder, 'names.db')
  const settings = {
    NAMEAUTH_DOMAIN: DOMAIN,
    NAMEAUTH_BASE_URL: BASE,
    NAMEAUTH_NAMES_DB: path,
    NAMEAUTH_AUTH_MAX_AGE_SECS: String(MAX_AGE_SECONDS),
    NAMEAUTH_WRITE_RATE_MAX: '1000000',
    NAMEAUTH_READ_RATE_MAX: '1000000',
    NAMEAUTH_NAME_PRICE_GRIN: '1.5',
    NAMEAUTH_PAY_URL: standIns.payUrl,
    NAMEAUTH_PAY_TOKEN: 'pay_live_of_the_fault_rounds',
    NAMEAUTH_PAID_POLL_INTERVAL_SECS: '0',
    NAMEAUTH_TRANSFERS: 'on',
    NAMEAUTH_GRIN_NODE_URL: standIns.nodeUrl,
  }
  const course = createCourse(log, path, settings)
  const since = Date.now()
  try {
    const faults = await course.run(rounds)
    return { ...reportOf(log, path), ...course.counted(), seconds: Math.round((Date.now() - since) / 1000), faults }
  } finally {
    await course.end()
    await standIns.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function createCourse(log: NameLog, path: string, settings: Readonly<Record<string, string>>) {
  const aborter = new AbortController()
  const world: World = { log, serving: [], people: newPeople(), stop: aborter.signal, pace: BUSY_PACE_MS, answers: 0 }
  const operator = createOperator(world, path)
  const children = new Set<LivingAuthority>()
  let [rounds, kills, lives, replayed] = [0, 0, 0, 0]
  let busy: Promise<unknown> = Promise.resolve()

  async function start(): Promise<LivingAuthority> {
    const life = LIVES[lives++ % LIVES.length] ?? { cooldownMs: 0, isPaid: false }
    const authority = await startAuthority({ life, settings })
    children.add(authority)
    return authority
  }

  async function kill(authority: LivingAuthority | undefined): Promise<void> {
    if (!authority) return
    const at = world.serving.indexOf(authority)
    if (at >= 0) world.serving.splice(at, 1)
    await authority.kill()
    children.delete(authority)
    kills += 1
  }

  /** Until two answer again. The new ones are asked first what was asked of the dead. */
  async function refill(): Promise<void> {
    const fresh = await Promise.all(Array.from({ length: 2 - world.serving.length }, start))
    const until = log.asked.length
    for (const authority of fresh) {
      if (!(await authority.up)) throw new Error(`it does not start:\n${authority.output()}`)
      await replayTo(authority, log.asked, replayed)
      world.serving.push(authority)
    }
    replayed = until
  }

  async function busyFor(answers: number): Promise<void> {
    world.pace = BUSY_PACE_MS
    const [enough, end] = [world.answers + answers, Date.now() + ALIVE_MS]
    while (world.answers < enough && Date.now() < end) await pause(3)
    await pause(Math.random() * 20)
    world.pace = QUIET_PACE_MS
  }

  async function playRound(fate: (typeof FATES)[number]): Promise<void> {
    await busyFor(Math.random() * MOST_ANSWERS)
    const [elder, younger] = world.serving
    if (fate === 'both') await Promise.all([kill(elder), kill(younger)])
    else await kill(fate === 'younger' ? younger : elder)
    if (fate === 'starting') {
      const unborn = await start()
      await pause(Math.random() * 900)
      await kill(unborn)
    }
    await refill()
  }

  return {
    counted: () => ({ rounds, kills }),
    async run(most: number): Promise<readonly string[]> {
      await refill()
      busy = Promise.all([keepClaiming(world), keepDealing(world), operator.keepOrdering()])
      let command: Promise<void> = Promise.resolve()
      for (; rounds < most; rounds += 1) {
        if (rounds % 4 === 1) command = operator.runCommand()
        await playRound(FATES[rounds % FATES.length] ?? 'both')
        const faults = findNameFaults(path, log, Date.now())
        if (faults.length > 0) keepEvidence(path, log)
        if (faults.length > 0) return faults.map((fault) => `round ${rounds}: ${fault}`)
      }
      aborter.abort()
      await Promise.all([busy, command])
      return [...(await findStrangeAnswers(world.serving, path)), ...findNameFaults(path, log, Date.now())]
    },
    async end() {
      aborter.abort()
      await Promise.all([...children].map((one) => one.kill()))
      await busy
    },
  }
}

/** Evidence of a fault: the file and the log, in the folder GRINPAY_FAULT_EVIDENCE. */
function keepEvidence(path: string, log: NameLog): void {
  const folder = process.env.GRINPAY_FAULT_EVIDENCE
  if (!folder) return
  for (const end of ['', '-wal']) if (existsSync(path + end)) copyFileSync(path + end, join(folder, `names.db${end}`))
  writeFileSync(join(folder, 'log.json'), JSON.stringify({ ...log, bills: [...log.bills.values()] }))
}

/** Sent to the newcomer: everything since the last restart (`from` of the log), and some that is older. */
async function replayTo(authority: LivingAuthority, asked: readonly Asked[], from: number): Promise<void> {
  const older = Array.from({ length: OLDER }, () => asked[Math.floor(Math.random() * from)])
  const again = [...older, ...asked.slice(from)].filter((one) => one !== undefined && one.attempts.length > 0)
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = again.pop(); next; next = again.pop()) await authority.ask(next)
    }),
  )
}

/** Once the writers stop, every process answers what the file says. */
async function findStrangeAnswers(serving: readonly LivingAuthority[], path: string): Promise<readonly string[]> {
  const { names } = readTables(path)
  const rows = names.slice(-60)
  const answers = serving.flatMap((authority) =>
    rows.map(async ({ name, key, releasedAt, suspendedAt }) => {
      const resolvedKey = (await authority.get(`/.well-known/nostr.json?name=${name}`))?.json?.names?.[name]
      const expected = releasedAt === null && suspendedAt === null ? key : undefined
      return resolvedKey === expected ? [] : [`${name} resolves to ${resolvedKey} instead of ${expected}`]
    }),
  )
  return (await Promise.all(answers)).flat()
}

function reportOf({ asked, orders, bills }: NameLog, path: string) {
  const attempts = asked.flatMap((one) => one.attempts)
  const count = (verb: Verb) =>
    asked.filter((one) => one.verb === verb && one.attempts.some((attempt) => isDone(verb, attempt))).length
  return {
    requests: asked.length,
    done: {
      claim: count('claim'),
      release: count('release'),
      lodge: count('lodge'),
      revoke: count('revoke'),
      buy: count('buy'),
    },
    paid: [...bills.values()].filter(({ status }) => status === 'confirmed').length,
    orders: orders.filter(({ outcome }) => outcome === 'done').length,
    replays: attempts.length - asked.length,
    unanswered: attempts.filter(({ status }) => status === undefined).length,
    forgotten: asked.length - readTables(path).auths.size,
  }
}
