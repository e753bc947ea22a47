// Reports over a million sales: how long one takes, how long it holds the event loop at a time, and what memory it needs.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { type OpenTillStore, openTillStore } from '../src/storage/index.js'
import { openSqlite } from '../src/storage/sqlite/sqlite.js'
import { systemClock } from '../src/system/index.js'
import { createReportJobs, createReportsArea } from '../src/till/console/index.js'
import type { ReportRequest } from '../src/till/reports/model.js'
import { createReports } from '../src/till/reports/reports.js'
import { openTestConsole } from '../test/support/console-app.js'
import { DAY, NOON } from '../test/support/till-builders.js'
import type { Measurement } from './measurement.js'

export const name = 'reports'

/** GRINPAY_BENCH_PRELOAD sets another number for a quick look. */
const SALES = Number(process.env.GRINPAY_BENCH_PRELOAD ?? 1_000_000)
const YEARS = 3
const ALL: ReportRequest = { by: 'month', from: '1970-01', to: '2999-12' }
const YEAR: ReportRequest = { by: 'day', from: '2025-01', to: '2025-12', zone: 'Europe/Berlin' }
const ZONES = ['UTC', 'Europe/Berlin', 'Asia/Tokyo']
const MONTH: ReportRequest = { by: 'day', from: '2026-05', to: '2026-05' }

/** Invoices with their payments, spread over three years; replies as long as real ones. */
function preloadSales(path: string, count: number): void {
  const db = openSqlite(path, 'durable')
  db.script('PRAGMA synchronous = OFF; PRAGMA cache_size = -400000; PRAGMA foreign_keys = OFF')
  const step = Math.floor((YEARS * 365 * DAY) / count)
  const numbers = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)'
  db.script('CREATE TEMP TABLE sale (i INTEGER PRIMARY KEY, invoice TEXT, payment TEXT)')
  db.run(`${numbers} INSERT INTO sale SELECT i, lower(hex(randomblob(16))), lower(hex(randomblob(18))) FROM n`, [count])
  db.run(
    `INSERT INTO invoice (id, token, status, amount, fiat, match_mode, recipient_pubkey, requotes, created_at, paid_at, confirmed_at,
       payment_id, confirmations, pay_link, qr_svg)
     SELECT invoice, lower(hex(randomblob(21))), 'confirmed', 2000000000 + i,
       CASE i % 3 WHEN 0 THEN NULL ELSE '{"amount":"' || (i % 500) || '.25","currency":"usd","rate":"0.05","source":"coingecko","rateAt":1}' END,
       'derived', randomblob(32), 0, ?1 + i * ?2, ?1 + i * ?2, ?1 + i * ?2, payment, 10, 'goblin:nprofile1abc?amount=2', '<svg/>'
     FROM sale`,
    [NOON - YEARS * 365 * DAY, step],
  )
  db.run(
    `INSERT INTO payment (id, invoice_id, amount, fee_fields, rail, settlement, s1_digest, key_index, commitment, excess, received_height,
       confirmations, created_at, confirmed_at, s2, reply)
     SELECT payment, CASE i % 50 WHEN 0 THEN NULL ELSE invoice END, 2000000000 + i, 0,
       CASE i % 3 WHEN 0 THEN 'nostr' WHEN 1 THEN 'slatepack' ELSE 'grin1' END, 'confirmed', randomblob(32), i, randomblob(33),
       randomblob(33), 1, 10, ?1 + i * ?2, ?1 + i * ?2, randomblob(400), hex(randomblob(450))
     FROM sale`,
    [NOON - YEARS * 365 * DAY, step],
  )
  db.script('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
}

interface Run {
  readonly seconds: number
  /**
   * Processor time of the longest step of the event loop, and what 99 of 100 steps stay below, in milliseconds: a busy machine does not
   * count, nor do threads that mark garbage beside it. The kernel counts at its ticks: up to 4 ms of a neighbour may stand with a step.
   */
  readonly longest: number
  readonly usual: number
  /** Heap and buffers above what was there before, in MB. */
  readonly memory: number
  readonly counted: number
}

/** Processor time of this thread. */
const eventLoopMs = (): number =>
  Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6

/** One report, while the event loop is watched. */
async function watched(store: OpenTillStore, request: ReportRequest): Promise<Run> {
  const { make: report } = createReports({ store, clock: { now: () => NOON, monotonic: () => performance.now() } })
  const steps: number[] = []
  let isMade = false
  let memory = 0
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  const watch = (async () => {
    let last = eventLoopMs()
    while (!isMade) {
      await setImmediate()
      const now = eventLoopMs()
      steps.push(now - last)
      last = now
      if (steps.length % 64 === 0) memory = Math.max(memory, process.memoryUsage().rss - before)
    }
  })()
  const start = performance.now()
  const { confirmed } = await report(request)
  const seconds = (performance.now() - start) / 1000
  isMade = true
  await watch
  steps.sort((a, b) => a - b)
  return {
    seconds,
    longest: steps.at(-1) ?? 0,
    usual: steps[Math.floor(steps.length * 0.99)] ?? 0,
    memory: memory / 2 ** 20,
    counted: confirmed.count,
  }
}

/** The console's page of a month, made anew for each reader: what 99 of 100 answers stay below, in milliseconds. */
async function pagesOf(store: OpenTillStore): Promise<number> {
  const clock = systemClock
  const jobs = createReportJobs({
    till: { report: createReports({ store, clock: { ...clock, now: () => NOON } }).make },
    clock,
  })
  const console = await openTestConsole({ areas: [createReportsArea(jobs)] })
  const taken: number[] = []
  for (let reader = 0; reader < 3; reader++) {
    const browser = await console.signIn('viewer', `reader ${reader}`)
    for (let i = 0; i < 100; i++) {
      const start = performance.now()
      const { statusCode } = await browser.get(
        `/console/reports?from=2026-05&to=2026-05&zone=${ZONES[i % ZONES.length]}`,
      )
      taken.push(performance.now() - start)
      if (statusCode !== 200) throw new Error(`page: ${statusCode}`)
    }
  }
  await console.remove()
  return taken.sort((a, b) => a - b)[Math.floor(taken.length * 0.99)] ?? 0
}

export async function run(): Promise<readonly Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-bench-'))
  try {
    const parts = { path: join(folder, 'pay.db'), chain: 'sandbox', fingerprint: 'bench', now: () => NOON } as const
    await (await openTillStore(parts)).close()
    preloadSales(parts.path, SALES)
    const store = await openTillStore(parts)
    await watched(store, MONTH)
    const all = await watched(store, ALL)
    const year = await watched(store, YEAR)
    const month = await watched(store, MONTH)
    const pages = await pagesOf(store)
    await store.close()
    if (all.counted !== SALES) throw new Error(`${all.counted} of ${SALES} sales counted`)
    return [
      { what: 'page of a month: 99 of 100 answers', value: pages, unit: 'ms', target: { of: 'value', atMost: 30 } },
      ...measurementsOf(`all of ${SALES} sales, by month`, all),
      ...measurementsOf(`${year.counted} sales of a year, by day`, year),
      ...measurementsOf(`${month.counted} sales of a month, by day`, month),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const measurementsOf = (what: string, { seconds, longest, usual, memory }: Run): readonly Measurement[] => [
  { what, value: seconds, unit: 's' },
  {
    what: `${what}: longest step of the event loop (processor)`,
    value: longest,
    unit: 'ms',
    target: { of: 'value', atMost: 20 },
  },
  { what: `${what}: 99 of 100 steps (processor)`, value: usual, unit: 'ms' },
  { what: `${what}: memory on top`, value: memory, unit: 'MB', target: { of: 'value', atMost: 64 } },
]
