// The till's pages of the console beside a year of sales: time of an answer, bytes on the wire, and how long a page holds the event loop.
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openConsoleStore } from '../src/storage/index.js'
import { openSqlite } from '../src/storage/sqlite/sqlite.js'
import { freePort } from '../test/support/till-process.js'
import { preloadSales } from './console-preload.js'
import { type Measurement, median } from './measurement.js'
import { PRELOAD, PRELOADED } from './preload.js'
import { processorMsOf } from './process.js'
import { type BenchTill, startTill } from './till.js'

export const name = 'console'

const ROUNDS = 5
/** Per session and minute the console answers 120. */
const REQUESTS = 100

const BARS = { p99Ms: 30, bytes: 60_000, stepMs: 20 } as const

interface Sample {
  readonly invoices: readonly string[]
  readonly confirmed: readonly string[]
  readonly orders: readonly string[]
  readonly events: readonly string[]
  readonly waiting: readonly string[]
  /** Of a list that goes on: `created-seq` of an invoice. */
  readonly cursors: readonly string[]
}

interface BenchPage {
  readonly what: string
  readonly paths: (sample: Sample) => readonly string[]
}

const below = (path: string, ids: readonly string[]): readonly string[] => ids.map((id) => `${path}${id}`)

const PAGES: readonly BenchPage[] = [
  { what: 'Today', paths: () => ['/today'] },
  { what: 'invoices, first page', paths: () => ['/invoices'] },
  { what: 'invoices, any page', paths: ({ cursors }) => below('/invoices?cursor=', cursors) },
  { what: 'invoices, open ones of a week', paths: () => ['/invoices?status=open&from=2026-01-01&to=2026-01-07'] },
  {
    what: 'search by 8 digits of an id',
    paths: ({ invoices }) =>
      below(
        '/invoices?q=',
        invoices.map((id) => id.slice(0, 8)),
      ),
  },
  { what: 'search by a whole id', paths: ({ invoices }) => below('/invoices?q=', invoices) },
  { what: 'search by order', paths: ({ orders }) => below('/invoices?q=', orders) },
  { what: 'search by memo, found', paths: () => ['/invoices?q=table+7'] },
  { what: 'search by memo, nothing found', paths: () => ['/invoices?q=no+such+memo'] },
  { what: 'search by amount', paths: () => ['/invoices?q=12.345678901'] },
  { what: 'one invoice', paths: ({ confirmed }) => below('/invoices/', confirmed) },
  { what: 'payments', paths: () => ['/payments', '/payments?show=confirmed'] },
  { what: 'payments, unmatched', paths: () => ['/payments?show=waiting'] },
  { what: 'one unmatched payment, with invoices for it', paths: ({ waiting }) => below('/payments/', waiting) },
  { what: 'webhooks', paths: () => ['/webhooks', '/webhooks?show=failed', '/webhooks?show=given-up'] },
  { what: 'one webhook', paths: ({ events }) => below('/webhooks/', events) },
  { what: 'relays and nodes', paths: () => ['/network'] },
]

export async function run(): Promise<readonly Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-bench-'))
  const till = await startConsole(folder)
  try {
    const results: Measurement[] = await coldOf(till)
    await pause(2000)
    await till.longestStep()
    await pause(3000)
    results.push({ what: 'console: longest step of the event loop, idle', value: await till.longestStep(), unit: 'ms' })
    for (const page of PAGES) results.push(...rowsOf(page.what, await roundsOf(page.paths(till.sample), till)))
    return results
  } finally {
    await till.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface ConsoleTill extends BenchTill {
  readonly sample: Sample
  readonly cookie: () => Promise<string>
  readonly consoleUrl: string
  /** Since the last question, milliseconds. */
  readonly longestStep: () => Promise<number>
}

async function startConsole(folder: string): Promise<ConsoleTill> {
  const port = await freePort()
  const steps = join(folder, 'steps.json')
  const settings = { PAY_CONSOLE: 'on', PAY_CONSOLE_BIND: `127.0.0.1:${port}`, NODE_OPTIONS: watching(steps) }
  const till = await startTill(join(folder, 'till'), {
    fill: (path) => preloadSales(path, PRELOAD, Date.now()),
    settings,
  })
  const data = join(folder, 'till', 'pay.db')
  return {
    ...till,
    sample: sampleOf(data),
    cookie: () => newSession(join(dirname(data), 'console.db'), port),
    consoleUrl: `http://127.0.0.1:${port}/console`,
    async longestStep() {
      process.kill(till.pid, 'SIGUSR2')
      for (let turn = 0; turn < 100 && !existsSync(steps); turn++) await pause(20)
      const longest = Number(JSON.parse(readFileSync(steps, 'utf8')))
      rmSync(steps)
      return longest
    },
  }
}

/** Lets a process write, at SIGUSR2, for how long its event loop stood still at the most since the last time. */
const watching = (file: string): string =>
  `--import=data:text/javascript,${encodeURIComponent(
    `import{monitorEventLoopDelay as m}from'node:perf_hooks';import{renameSync as r,writeFileSync as w}from'node:fs';const h=m({resolution:1});h.enable();process.on('SIGUSR2',()=>{w(${JSON.stringify(`${file}.new`)},JSON.stringify(h.max/1e6));r(${JSON.stringify(`${file}.new`)},${JSON.stringify(file)});h.reset()})`,
  )}`

const SAMPLES = 100

function sampleOf(path: string): Sample {
  const db = openSqlite(path, 'reading')
  const texts = (sql: string) => db.all(`${sql} LIMIT ${SAMPLES}`).map(([text]) => String(text))
  const spread = `seq % ${Math.max(1, Math.floor(PRELOAD / SAMPLES / 2))} = 3`
  const sample = {
    invoices: texts(`SELECT id FROM invoice WHERE ${spread}`),
    confirmed: texts(`SELECT id FROM invoice WHERE status = 'confirmed' AND ${spread}`),
    orders: texts(`SELECT order_ref FROM invoice WHERE ${spread}`),
    events: texts(`SELECT id FROM event WHERE ${spread}`),
    waiting: texts(
      "SELECT id FROM payment INDEXED BY payment_waiting WHERE invoice_id IS NULL AND user_id IS NULL AND settlement <> 'abandoned'",
    ),
    cursors: texts(`SELECT created_at || '-' || seq FROM invoice WHERE ${spread}`),
  }
  db.close()
  return sample
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A signed-in operator, as a sign-in link makes one. */
async function newSession(path: string, port: number): Promise<string> {
  const store = await openConsoleStore({ path })
  const [token, cookie, now] = [
    randomBytes(32).toString('base64url'),
    randomBytes(32).toString('base64url'),
    Date.now(),
  ]
  const link = {
    hash: sha256(token),
    name: 'bench',
    purpose: 'sign-in',
    role: 'operator',
    createdAt: now,
    expiresAt: now + 60_000,
    spentAt: null,
  } as const
  await store.addLink(link)
  const id = randomBytes(6).toString('hex')
  await store.spendLink(link.hash, { id, hash: sha256(cookie), now, address: '127.0.0.1', browser: 'bench' })
  await store.close()
  return `grinpay-${port}=${cookie}`
}

/** The first page after a start sums the last 30 days. */
async function coldOf(till: ConsoleTill): Promise<Measurement[]> {
  await till.longestStep()
  const { ms } = await ask(`${till.consoleUrl}/today`, await till.cookie())
  return [
    { what: `console: Today right after the start, beside ${PRELOADED}`, value: ms, unit: 'ms' },
    { what: 'console: Today right after the start: longest step', value: await till.longestStep(), unit: 'ms' },
  ]
}

interface Answer {
  readonly ms: number
  readonly bytes: number
}

/** By the clock of the client, with head and body. */
async function ask(url: string, cookie: string): Promise<Answer> {
  const start = performance.now()
  const answer = await fetch(url, { headers: { cookie, accept: 'text/html' } })
  const body = await answer.arrayBuffer()
  const ms = performance.now() - start
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${Buffer.from(body).toString().slice(0, 400)}`)
  const head = [...answer.headers].reduce((sum, [header, value]) => sum + header.length + value.length + 4, 17)
  return { ms, bytes: head + body.byteLength }
}

interface Round {
  readonly p50: number
  /** Processor time of the till, all its threads, for one answer. */
  readonly processorMs: number
  readonly p99: number
  readonly bytes: number
  readonly stepMs: number
}

/** One request after the other; each round with a session of its own. */
async function roundsOf(paths: readonly string[], till: ConsoleTill): Promise<readonly Round[]> {
  const rounds: Round[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const cookie = await till.cookie()
    await till.longestStep()
    const before = processorMsOf(till.pid)
    const answers: Answer[] = []
    for (let i = 0; i < REQUESTS; i++) answers.push(await ask(`${till.consoleUrl}${paths[i % paths.length]}`, cookie))
    const times = answers.map(({ ms }) => ms).sort((a, b) => a - b)
    const processorMs = (processorMsOf(till.pid) - before) / REQUESTS
    rounds.push({
      processorMs,
      p50: median(times),
      p99: times[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN,
      bytes: Math.max(...answers.map(({ bytes }) => bytes)),
      stepMs: await till.longestStep(),
    })
  }
  return rounds.slice(1) // the first one warms up
}

/** What a page does by itself it does in every round: beside other work on the machine the quietest round tells it. */
function rowsOf(page: string, rounds: readonly Round[]): readonly Measurement[] {
  const middle = (of: (round: Round) => number) => median(rounds.map(of))
  const least = (of: (round: Round) => number) => Math.min(...rounds.map(of))
  const row = (what: string, value: number, unit: string, atMost: number): Measurement => ({
    what: `console: ${page}${what}`,
    value,
    unit,
    target: { of: 'value', atMost },
  })
  return [
    { what: `console: ${page}`, value: middle(({ p50 }) => p50), unit: 'ms p50' },
    { what: `console: ${page}: processor`, value: middle((round) => round.processorMs), unit: 'ms each' },
    row(
      ': p99 of the quietest round',
      least(({ p99 }) => p99),
      'ms',
      BARS.p99Ms,
    ),
    row(
      ': longest step of the event loop, quietest round',
      least(({ stepMs }) => stepMs),
      'ms',
      BARS.stepMs,
    ),
    row(': on the wire', Math.max(...rounds.map(({ bytes }) => bytes)), 'bytes', BARS.bytes),
  ]
}
