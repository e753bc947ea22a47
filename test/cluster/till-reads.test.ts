// What the console reads of a till in PostgreSQL; and with 10^5 invoices every list, search, figure and claim is answered from indexes.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Queries } from '../../src/storage/postgres/change.js'
import { TILL_SERVICE } from '../../src/storage/postgres/services.js'
import { tillVerbs } from '../../src/storage/postgres/till/store.js'
import type { Transactions } from '../../src/storage/postgres/transactions.js'
import type { Row } from '../../src/storage/sqlite/sqlite.js'
import { systemRandom } from '../../src/system/index.js'
import { describeConsoleReads } from '../storage/contracts/till/console.js'
import { type Cluster, startCluster } from '../support/postgres/cluster.js'
import { FIRST_AT, INVOICES, STEP_MS, seedSales } from '../support/postgres/many-sales.js'
import { freshTillPlace, postgresOn, tillOn } from '../support/postgres/schemas.js'
import { DAY, grin, HOUR, NOON } from '../support/till-builders.js'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster?.stop())

describeConsoleReads('PostgreSQL', async () => tillOn(await freshTillPlace(cluster.url())))

const BIG = ['invoice', 'payment', 'event', 'attempt', 'letter', 'seen']
const READS_ALL = new RegExp(`Seq Scan on (${BIG.join('|')})\\b`)

/** How often a big table was read from end to end. A connection tells what it did when it ends. */
async function wholeReads(schema: string): Promise<number> {
  await sleep(1000)
  const [row] = await cluster.nodes[0].sql(
    `SELECT sum(seq_scan)::int AS reads FROM pg_stat_user_tables WHERE schemaname = '${schema}' AND relname IN ('${BIG.join("', '")}')`,
  )
  return Number(row?.reads)
}

/** Every statement is explained before it runs; the plans that read a big table from end to end are kept. */
function explaining(transactions: Transactions) {
  const scans: string[] = []
  const watched = (db: Queries): Queries => {
    const explained =
      <T>(run: (sql: string, values?: Row) => Promise<T>) =>
      async (sql: string, values?: Row): Promise<T> => {
        const plan = (await db.all(`EXPLAIN ${sql}`, values)).flat().join('\n')
        if (READS_ALL.test(plan)) scans.push(`${sql}\n${plan}`)
        return run(sql, values)
      }
    return {
      run: explained(db.run),
      runReturning: explained(db.runReturning),
      get: explained(db.get),
      all: explained(db.all),
    }
  }
  const { read, change, repeatable } = transactions
  const spied: Transactions = {
    read: (verb, patienceMs) => read((db) => verb(watched(db)), patienceMs),
    repeatable: (verb) => repeatable((db) => verb(watched(db))),
    change: (verb) => change((db) => verb(watched(db))),
  }
  return { spied, scans }
}

const claim = (limit: number) => ({ now: NOON + DAY, leaseMs: HOUR, by: systemRandom.uuid(), limit })

test('lists, searches, reports and claims of 10^5 invoices read no big table from end to end', async () => {
  const place = await freshTillPlace(cluster.url())
  await seedSales(cluster.nodes[0], place.schema)
  const before = await wholeReads(place.schema)
  const postgres = await postgresOn(place, { service: TILL_SERVICE })
  const { spied, scans } = explaining(postgres)
  const verbs = (tx: Transactions) => tillVerbs(tx, () => undefined)
  type Verbs = ReturnType<typeof verbs>
  const middle = FIRST_AT + (INVOICES / 2) * STEP_MS
  const asked: Record<string, (store: Verbs) => Promise<unknown>> = {
    'invoices, newest': (s) => s.invoiceRows({}, { limit: 50 }),
    'invoices by status from the middle': (s) =>
      s.invoiceRows({ status: 'expired' }, { limit: 50, cursor: `${middle}-50000` }),
    'invoices of one day': (s) => s.invoiceRows({ from: middle, to: middle + DAY }, { limit: 50 }),
    'order found': (s) => s.invoicesOfOrder('order-5000', 10),
    'id found': (s) => s.invoicesById('abc123', 10),
    'scan of 1,000 without a match': (s) =>
      s.scanInvoices({ traits: { text: 'tea', amount: grin(7), fiatAmount: '7.5' }, span: 1000, limit: 50 }),
    'scan in the middle': (s) =>
      s.scanInvoices({ traits: { text: 'tea' }, span: 1000, limit: 50, cursor: `${middle}-50000` }),
    'payments, newest': (s) => s.paymentRows('all', { limit: 50 }),
    'payments that wait': (s) => s.paymentRows('waiting', { limit: 50 }),
    'payments by settlement': (s) => s.paymentRows('confirmed', { limit: 50, cursor: `${middle}-50000` }),
    'deliveries, failed': (s) => s.deliveryRows({ by: 'failed' }, { limit: 50 }),
    'deliveries by state': (s) => s.deliveryRows({ by: 'state', state: 'abandoned' }, { limit: 50 }),
    'deliveries of a receiver': (s) => s.deliveryRows({ by: 'receiver', receiver: 2 }, { limit: 50 }),
    'deliveries, filtered list': (s) => s.listDeliveries({ state: 'pending', receiver: 1, limit: 50 }),
    'sum received, a day': (s) => s.paymentSum('received', middle, middle + DAY),
    'sum confirmed, all': (s) => s.paymentSum('confirmed', 0, NOON + DAY),
    'open counts': (s) => s.openCounts(1000),
    mark: (s) => s.changeMark(),
    'latest of orders': (s) => s.latestOfOrders('order-99', 20),
    balance: (s) => s.balance(),
    'figures of the day': (s) => s.dayFigures(NOON - DAY),
    'users with balance': (s) => s.listUsers(50),
    'users due': (s) => s.usersDueForRotation(3600, NOON, 50),
    'invoice keys': (s) => s.invoiceKeysToWatch(NOON - DAY, 500),
    endpubs: (s) => s.endpubsToWatch(2, 500),
    seen: (s) => s.seenOf(Array.from({ length: 50 }, (_, n) => n.toString(16).padStart(64, '0'))),
    'ids of events': (s) => s.idsLike('event', 'evt_ab', 6),
    'ids of payments': (s) => s.idsLike('payment', 'ab', 6),
    'report, first page': (s) => s.confirmedRows({ from: 0, to: NOON + DAY, limit: 1000 }),
    'report, page in the middle': (s) =>
      s.confirmedRows({ from: 0, to: NOON + DAY, limit: 1000, cursor: `${middle}-0-0` }),
    'webhook backlog': (s) => s.backlog(),
    'claim of deliveries': (s) => s.claimDeliveries(1, claim(20)),
    'claim of messages': (s) => s.claimMessages(claim(20)),
    'backlog of messages': (s) => s.messageBacklog(),
    'young payments': (s) => s.youngPayments({ from: NOON - 600_000, to: NOON, limit: 500 }),
    'claim of checks': (s) => s.claimChecks(claim(20)),
    'invoices of the API': (s) => s.listInvoices({ status: 'open', from: NOON - DAY, limit: 50 }),
    'payments of the API, unmatched': (s) => s.listPayments({ unmatched: true, limit: 50 }),
    'payable by memo': (s) => s.payableByMemo('coffee 99901', grin(1), NOON, 5),
    'payable by amount': (s) => s.payableByAmount(grin(1), NOON, 5),
    'payable by key': (s) => s.payableByRecipient('ab'.repeat(32), NOON, 5),
    'claim of deliveries, nothing due': (s) => s.claimDeliveries(1, { ...claim(20), now: FIRST_AT }),
  }
  const milliseconds: Record<string, number> = {}
  for (const [name, ask] of Object.entries(asked)) {
    await ask(verbs(spied))
    const times: number[] = []
    for (let n = 0; n < 12; n++) {
      const begun = performance.now()
      await ask(verbs(postgres))
      times.push(performance.now() - begun)
    }
    times.sort((a, b) => a - b)
    milliseconds[name] = Math.round((times[6] ?? 0) * 100) / 100
  }
  console.log(milliseconds)
  expect(scans).toEqual([])
  // Also once the server plans without the values.
  await postgres.close()
  expect(await wholeReads(place.schema)).toBe(before)
})
