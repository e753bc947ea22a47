// A till's writes in a file and in PostgreSQL (three nodes on this machine, one standby must have every commit), in turns in one run:
//   node --import tsx bench/cluster-till.ts
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseDatabaseAddress } from '../src/lib/database-address.js'
import { openTillStore } from '../src/storage/index.js'
import { migrateOnPrimary } from '../src/storage/postgres/open.js'
import { TILL_SERVICE } from '../src/storage/postgres/services.js'
import { openSharedTill } from '../src/storage/postgres/till/store.js'
import { systemClock, systemRandom } from '../src/system/index.js'
import type { Invoice, TillStore } from '../src/till/index.js'
import { startCluster } from '../test/support/postgres/cluster.js'
import { anEvent, anInvoice, aPayment, DAY, NOON } from '../test/support/till-builders.js'
import { median } from './measurement.js'

const ROUNDS = 5
const QR = `<svg>${'<path d="M0 0h7v7h-7z"/>'.repeat(60)}</svg>`

/** Real ids are random, and so land anywhere in an index. */
const freshInvoice = (): Invoice =>
  anInvoice({
    id: randomBytes(16).toString('hex'),
    token: randomBytes(32).toString('base64url'),
    recipientPubkey: randomBytes(32).toString('hex'),
    expiresAt: NOON + DAY,
    qrSvg: QR,
  })

async function perSecond(clients: number, each: number, work: (client: number) => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  const client = async (at: number) => {
    for (let done = 0; done < each; done++) await work(at)
  }
  await Promise.all(Array.from({ length: clients }, (_, at) => client(at)))
  return (clients * each * 1000) / (performance.now() - begun)
}

const inserts = (store: TillStore, clients: number) =>
  perSecond(clients, Math.ceil(1500 / clients), () => store.insertInvoice(freshInvoice(), NOON))

/** Invoice there before; a key, then the payment with its event, as a till does it. */
async function payments(store: TillStore, clients: number): Promise<number> {
  const invoices = Array.from({ length: 640 }, freshInvoice)
  await Promise.all(invoices.map((invoice) => store.insertInvoice(invoice, NOON)))
  return perSecond(clients, invoices.length / clients, async () => {
    const invoiceId = invoices.pop()?.id ?? ''
    const payment = aPayment({ id: randomUUID(), invoiceId, keyIndex: await store.takeKeyIndex() })
    await store.acceptPayment(payment, anEvent({ invoiceId, paymentId: payment.id }), NOON, NOON)
  })
}

const PROBES = [
  ['insertInvoice, 1 client', (store: TillStore) => inserts(store, 1)],
  ['insertInvoice, 32 clients', (store: TillStore) => inserts(store, 32)],
  ['insertInvoice, 128 clients', (store: TillStore) => inserts(store, 128)],
  ['key and acceptPayment, 1 client', (store: TillStore) => payments(store, 1)],
  ['key and acceptPayment, 32 clients', (store: TillStore) => payments(store, 32)],
] as const

const folder = mkdtempSync(join(tmpdir(), 'grinpay-bench-'))
const cluster = await startCluster({ settings: { fsync: 'on' } })
const place = { address: parseDatabaseAddress(cluster.url()), schema: 'pay' }
await migrateOnPrimary({ place, service: TILL_SERVICE })
const identity = { chain: 'usernet', fingerprint: 'bench' } as const
const file = await openTillStore({ path: join(folder, 'till.db'), ...identity, now: () => NOON })
const shared = await openSharedTill({ place, clock: systemClock, random: systemRandom, ...identity })
console.log(`${new Date().toISOString().slice(0, 16)}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}`)
for (const [what, probe] of PROBES) {
  const [libsql, postgres]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    libsql.push(await probe(file))
    postgres.push(await probe(shared))
  }
  console.log(`| ${what} | ${Math.round(median(libsql))} | ${Math.round(median(postgres))} |`)
}
console.log(`load ${loadavg()[0]?.toFixed(1)}`)
await shared.close()
await file.close()
await cluster.stop()
rmSync(folder, { recursive: true, force: true })
