// The cluster of templates/cluster on loopback addresses: three machines with etcd, Patroni and PostgreSQL, two name authorities behind a proxy, two tills
// and two relays. Each process and each machine is killed once under load. Needs root and Debian's packages; takes about ten minutes. GRINPAY_TRIAL_REPORT names a file for the figures.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cleanEnvironment, ROOT, startDaemon, type TillProcess, until } from '../support/till-process.js'
import { type ClaimLoad, startClaims } from './claim-load.js'
import { examine } from './cluster-checker.js'
import { type ClusterLoad, type Silences, startLoad } from './cluster-load.js'
import { type Daemons, openDaemons } from './cluster-stage.js'
import { type DatabaseMachine, type Machines, missingPrograms, startMachines } from './patroni-machines.js'

const PROXY = '127.0.3.1:8190'
const FRONT_ENDS = ['127.0.2.1:8191', '127.0.2.2:8191'] as const
const CLIENTS = 2
/** One for each payment; so many more before each kill. */
const COINS = 40
/** As RestartSec of the units. */
const RESTART_MS = 2000
const MACHINE_AWAY_MS = 40_000
const AFTERWARDS_MS = 6000
/** ttl and loop_wait of Patroni, a promotion, and what a loaded machine adds. */
const MOST_SILENCE_SECONDS = 60

const missing = missingPrograms()
let folder: string
let machines: Machines
let proxy: ChildProcess
let load: ClaimLoad
let daemons: Daemons
let others: ClusterLoad
const fronts: TillProcess[] = []

beforeAll(async () => {
  if (missing) return
  folder = mkdtempSync(join(tmpdir(), 'grinpay-patroni-'))
  machines = await startMachines(folder)
  writeFileSync(join(folder, 'url'), machines.url, { mode: 0o600 })
  execFileSync(process.execPath, [join(ROOT, 'bin/run.js'), 'store', 'migrate'], {
    env: cleanEnvironment(settingsOf(0)),
  })
  for (const at of [0, 1] as const) fronts[at] = await startFront(at)
  proxy = await startProxy()
  daemons = await openDaemons(machines.url, { hasNames: false })
  await daemons.payer.fund(COINS)
  others = startLoad(daemons)
  load = startClaims({ proxy: `http://${PROXY}`, signedFor: 'https://names.example', clients: CLIENTS })
}, 180_000)
afterAll(async () => {
  await load?.stop()
  await others?.stop()
  await daemons?.close()
  proxy?.kill('SIGKILL')
  await Promise.all(fronts.map((front) => front.kill()))
  await machines?.stop()
  if (folder) rmSync(folder, { recursive: true, force: true })
})

const settingsOf = (at: 0 | 1): Readonly<Record<string, string>> => ({
  NAMEAUTH_DOMAIN: 'names.example',
  NAMEAUTH_NAMES_BIND: FRONT_ENDS[at],
  NAMEAUTH_DATA_DIR: join(folder, `front-${at}`),
  NAMEAUTH_DATABASE_URL_FILE: join(folder, 'url'),
  NAMEAUTH_READ_RATE_MAX: '1000000',
  NAMEAUTH_WRITE_RATE_MAX: '1000000',
})

const startFront = (at: 0 | 1): Promise<TillProcess> =>
  startDaemon({ command: ['serve', 'nameauth'], settings: settingsOf(at), bind: FRONT_ENDS[at] })

async function startProxy(): Promise<ChildProcess> {
  const [NAMES_1, NAMES_2] = FRONT_ENDS
  const config = join(ROOT, 'templates/cluster/Caddyfile')
  const child = spawn('caddy', ['run', '--config', config, '--adapter', 'caddyfile'], {
    env: { PATH: process.env.PATH, HOME: folder, NAMES_SITE: `http://${PROXY}`, NAMES_1, NAMES_2 },
    stdio: 'ignore',
  })
  const answers = () =>
    fetch(`http://${PROXY}/api/v1/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  await until(answers, { child, output: () => '' })
  return child
}

interface Victim {
  readonly what: string
  /** Kills it; what it returns brings it back. */
  kill(): Promise<() => void | Promise<void>>
  readonly awayMs?: number
}

const isPrimary = async (node: DatabaseMachine): Promise<boolean> => (await machines.primary()).name === node.name
const aStandby = async (): Promise<DatabaseMachine> => {
  for (const node of machines.nodes) if (!(await isPrimary(node))) return node
  throw new Error('no standby')
}

const thePrimary = (): Promise<DatabaseMachine> => machines.primary()

const programs: readonly Victim[] = (['etcd', 'patroni', 'postgres'] as const).flatMap((role) =>
  [thePrimary, aStandby].map((which) => ({
    what: `${role} of ${which === aStandby ? 'a standby' : 'the primary'}`,
    async kill() {
      const node = await which()
      node.kill(role)
      return node.start
    },
  })),
)

/** The server goes on without it and still takes itself for the primary, while another one is promoted. */
const patroniForLong: Victim = {
  what: 'patroni of the primary, for long',
  awayMs: MACHINE_AWAY_MS,
  async kill() {
    const node = await thePrimary()
    node.kill('patroni')
    return node.start
  },
}

const frontEnds: readonly Victim[] = ([0, 1] as const).map((at) => ({
  what: `name authority ${at + 1}`,
  async kill() {
    await fronts[at]?.kill()
    return async () => {
      fronts[at] = await startFront(at)
    }
  },
}))

const tillsAndRelays = (): readonly Victim[] =>
  [...daemons.tills, ...daemons.relays].map((front, at) => ({
    what: ['till 1', 'till 2', 'relay 1', 'relay 2'][at] ?? '',
    async kill() {
      await front.process().kill()
      return () => front.start()
    },
  }))

const theProxy: Victim = {
  what: 'the proxy',
  async kill() {
    proxy.kill('SIGKILL')
    return async () => {
      proxy = await startProxy()
    }
  },
}

const wholeMachines: readonly Victim[] = [
  { what: 'machine of the primary', which: thePrimary },
  { what: 'machine of a standby', which: aStandby },
  { what: 'machine of the primary, again', which: thePrimary },
].map(({ what, which }) => ({
  what,
  awayMs: MACHINE_AWAY_MS,
  async kill() {
    const node = await which()
    node.kill('machine')
    return node.start
  },
}))

interface Found extends ReturnType<ClaimLoad['seen']> {
  readonly what: string
  /** Milliseconds. */
  readonly others: Omit<Silences, 'claims'>
  readonly acknowledged: number
}

/** Names have a load of their own here. */
function silencesOfOthers(): Found['others'] {
  const { invoices, events } = others.silences()
  return { invoices, events }
}

async function killed({ what, kill, awayMs = RESTART_MS }: Victim): Promise<Found> {
  await machines.settled()
  await daemons.payer.fund(COINS)
  await sleep(AFTERWARDS_MS)
  const before = load.acknowledged.length
  load.watch()
  others.silences()
  const bringBack = await kill()
  await sleep(awayMs)
  await bringBack()
  await machines.settled()
  await sleep(AFTERWARDS_MS)
  return { what, ...load.seen(), others: silencesOfOthers(), acknowledged: load.acknowledged.length - before }
}

test.skipIf(missing)(
  `any process and any machine may die: nothing acknowledged is lost${missing ? ` (skipped: ${missing})` : ''}`,
  async () => {
    const found: Found[] = []
    for (const victim of [...programs, patroniForLong, ...frontEnds, theProxy, ...tillsAndRelays(), ...wholeMachines]) {
      found.push(await killed(victim))
      console.log(JSON.stringify(found.at(-1)))
    }
    await load.stop()
    await others.stop()
    await sleep(AFTERWARDS_MS)
    for (const relay of daemons.relays) await relay.process().stop()
    const rows = await rowsOf()
    const lost = load.acknowledged.filter(({ name, pubkey }) => rows.get(name) !== pubkey)
    const node = await machines.primary()
    const { relays } = daemons
    const findings = await examine({ sql: (text) => node.sql(text, 'grinpay') }, others.ledger, { relays })
    const { till, events } = others.ledger
    const figures = { invoices: till.invoices.size, replies: till.replies.size, events: events.size }
    const report = { acknowledged: load.acknowledged.length, lost: lost.length, ...figures, findings, found }
    if (process.env.GRINPAY_TRIAL_REPORT)
      writeFileSync(process.env.GRINPAY_TRIAL_REPORT, `${JSON.stringify(report, null, 2)}\n`)
    console.log(JSON.stringify({ ...report, found: undefined }))
    expect(load.acknowledged.length).toBeGreaterThan(found.length * 100)
    expect(lost).toEqual([])
    expect(Object.values(findings).flat()).toEqual([])
    expect(Math.min(...Object.values(figures))).toBeGreaterThan(found.length * 5)
    expect(found.filter(({ silence }) => silence > MOST_SILENCE_SECONDS)).toEqual([])
  },
)

/** What the primary holds, read past the name authorities. */
async function rowsOf(): Promise<ReadonlyMap<string, string>> {
  await machines.settled()
  const name = "SELECT name, encode(pubkey, 'hex') AS pubkey FROM names.name"
  const rows = await (await machines.primary()).sql(name, 'grinpay')
  return new Map(rows.map((row) => [String(row.name), String(row.pubkey)]))
}
