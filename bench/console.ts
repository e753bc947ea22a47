// The till's pages of the console beside a year of sales: time of an answer, bytes on the wire, and how long a page holds the event loop.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openSqlite } from '../src/storage/sqlite/sqlite.js'
import { freePort } from '../test/support/till-process.js'
import { preloadSales } from './console-preload.js'
import {
  ask,
  type BenchConsole,
  type BenchPage,
  benchConsole,
  idleStep,
  measurePages,
  watching,
} from './console-rounds.js'
import type { Measurement } from './measurement.js'
import { PRELOAD, PRELOADED } from './preload.js'
import { type BenchTill, startTill } from './till.js'

export const name = 'console'

interface Sample {
  readonly invoices: readonly string[]
  readonly confirmed: readonly string[]
  readonly orders: readonly string[]
  readonly events: readonly string[]
  readonly waiting: readonly string[]
  /** Of a list that goes on: `created-seq` of an invoice. */
  readonly cursors: readonly string[]
}

const below = (path: string, ids: readonly string[]): readonly string[] => ids.map((id) => `${path}${id}`)

const pagesOf = ({ invoices, confirmed, orders, events, waiting, cursors }: Sample): readonly BenchPage[] => [
  { what: 'Today', paths: ['/today'] },
  { what: 'invoices, first page', paths: ['/invoices'] },
  { what: 'invoices, any page', paths: below('/invoices?cursor=', cursors) },
  { what: 'invoices, open ones of a week', paths: ['/invoices?status=open&from=2026-01-01&to=2026-01-07'] },
  {
    what: 'search by 8 digits of an id',
    paths: below(
      '/invoices?q=',
      invoices.map((id) => id.slice(0, 8)),
    ),
  },
  { what: 'search by a whole id', paths: below('/invoices?q=', invoices) },
  { what: 'search by order', paths: below('/invoices?q=', orders) },
  { what: 'search by memo, found', paths: ['/invoices?q=table+7'] },
  { what: 'search by memo, nothing found', paths: ['/invoices?q=no+such+memo'] },
  { what: 'search by amount', paths: ['/invoices?q=12.345678901'] },
  { what: 'one invoice', paths: below('/invoices/', confirmed) },
  { what: 'payments', paths: ['/payments', '/payments?show=confirmed'] },
  { what: 'payments, unmatched', paths: ['/payments?show=waiting'] },
  { what: 'one unmatched payment, with invoices for it', paths: below('/payments/', waiting) },
  { what: 'webhooks', paths: ['/webhooks', '/webhooks?show=failed', '/webhooks?show=given-up'] },
  { what: 'one webhook', paths: below('/webhooks/', events) },
  { what: 'relays and nodes', paths: ['/network'] },
]

export async function run(): Promise<readonly Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-bench-'))
  const till = await startConsole(folder)
  try {
    const results: Measurement[] = await coldOf(till.console)
    results.push(await idleStep('console', till.console))
    return [...results, ...(await measurePages('console', pagesOf(till.sample), till.console))]
  } finally {
    await till.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface ConsoleTill extends BenchTill {
  readonly sample: Sample
  readonly console: BenchConsole
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
    console: benchConsole({ pid: till.pid, port, sessions: join(dirname(data), 'console.db'), steps }),
  }
}

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

/** The first page after a start sums the last 30 days. */
async function coldOf(console: BenchConsole): Promise<Measurement[]> {
  await console.longestStep()
  const { ms } = await ask(`${console.url}/today`, await console.cookie())
  return [
    { what: `console: Today right after the start, beside ${PRELOADED}`, value: ms, unit: 'ms' },
    { what: 'console: Today right after the start: longest step', value: await console.longestStep(), unit: 'ms' },
  ]
}
