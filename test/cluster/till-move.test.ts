import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { databaseInUse, databaseMoved, movedTextInvalid } from '../../src/storage/errors.js'
import { openTillStore } from '../../src/storage/index.js'
import { adoptTill } from '../../src/storage/postgres/till/adopt.js'
import { moveTill, moveTillBack } from '../../src/storage/postgres/till/move.js'
import { openSqlite } from '../../src/storage/sqlite/sqlite.js'
import { type Cluster, startCluster } from '../support/postgres/cluster.js'
import { freshTillPlace, tillOn } from '../support/postgres/schemas.js'
import { openTemporaryStore } from '../support/temporary-store.js'
import { anEvent, anInvoice, aPayment, grin, NOON } from '../support/till-builders.js'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster?.stop())

/** 100000 is the contract's bar. */
const INVOICES = Number(process.env.GRINPAY_INVOICES ?? 1100)
const PATIENCE_MS = 120_000 + INVOICES * 8

/** A till with amounts beyond the signed ones. */
async function someTill() {
  const { store, path, remove } = await openTemporaryStore()
  onTestFinished(remove)
  const invoices = Array.from({ length: INVOICES }, (_, at) => anInvoice({ amount: grin(18_000_000_000 - at) }))
  for (let at = 0; at < invoices.length; at += 500)
    await Promise.all(invoices.slice(at, at + 500).map((invoice) => store.insertInvoice(invoice, NOON)))
  const [first] = invoices
  const payment = aPayment({ invoiceId: first?.id ?? null, amount: first?.amount ?? grin(1) })
  await store.acceptPayment(payment, anEvent({ invoiceId: first?.id ?? null, paymentId: payment.id }), NOON, NOON)
  await store.markSeen(['ab'.repeat(32)], NOON)
  return { store, path, invoices, payment }
}

test(
  'every row of a pay.db arrives, keys go on behind a margin, and the file is refused',
  async () => {
    const { store, path, invoices, payment } = await someTill()
    const place = await freshTillPlace(cluster.url())
    const order = { path, place, target: 'a:5432/pay', now: NOON, isDryRun: false }
    await expect(moveTill(order)).rejects.toSatisfy(databaseInUse.is)
    const [next, balance] = [await store.nextKeyIndex(), await store.balance()]
    await store.close()

    expect((await moveTill({ ...order, isDryRun: true })).outcome).toBe('rehearsed')
    const { outcome, tables } = await moveTill(order)
    expect(outcome).toBe('moved')
    expect(tables.find(({ table }) => table === 'invoice')?.rows).toBe(INVOICES)

    const shared = await tillOn(place, { chain: 'testnet', fingerprint: 'tgrin1test' })
    const [first] = invoices
    expect(await shared.invoiceById(first?.id ?? '')).toMatchObject({ status: 'paid', amount: first?.amount })
    expect(await shared.paymentById(payment.id)).toMatchObject({ keyIndex: payment.keyIndex })
    expect(await shared.balance()).toEqual(balance)
    expect(await shared.nextKeyIndex()).toBe(next + 4096)
    await expect(
      openTillStore({ path, chain: 'testnet', fingerprint: 'tgrin1test', now: () => NOON }),
    ).rejects.toSatisfy(databaseMoved.is)

    const { before, after } = await adoptTill(place, ({ next: known }) => known + 1000)
    expect(await shared.nextKeyIndex()).toBe(after)
    expect(after - before).toBe(1000)
  },
  PATIENCE_MS,
)

test(
  'a text with U+0000 is named by its row, and nothing is moved',
  async () => {
    const { store, path, invoices } = await someTill()
    await store.close()
    const file = openSqlite(path, 'durable')
    file.run("UPDATE invoice SET memo = 'a' || char(0) || 'b' WHERE id = ?", [invoices[1]?.id ?? ''])
    file.close()
    const place = await freshTillPlace(cluster.url())
    const order = { path, place, target: 'a:5432/pay', now: NOON, isDryRun: false }
    await expect(moveTill(order)).rejects.toSatisfy(
      (error: Error) => movedTextInvalid.is(error) && /invoice\.memo where seq = 2/.test(error.message),
    )
  },
  PATIENCE_MS,
)

test(
  'the way back: every row arrives with the digest that it had, keys go on behind a margin, and the schema is refused',
  async () => {
    const { store, path, invoices, payment } = await someTill()
    await store.close()
    const place = await freshTillPlace(cluster.url())
    const begun = performance.now()
    const there = await moveTill({ path, place, target: 'a:5432/pay', now: NOON, isDryRun: false })
    const between = performance.now()
    const shared = await tillOn(place, { chain: 'testnet', fingerprint: 'tgrin1test' })
    const [next, balance, last] = [await shared.nextKeyIndex(), await shared.balance(), anInvoice()]
    const folder = mkdtempSync(join(tmpdir(), 'grinpay-back-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const order = {
      ...{ place, path: join(folder, 'pay.db'), isDryRun: false },
      files: { create: async (file: string) => writeFileSync(file, '', { mode: 0o600 }), publish: rename },
    }
    expect(await moveTillBack({ ...order, isDryRun: true })).toEqual({ outcome: 'rehearsed', tables: there.tables })
    await shared.insertInvoice(last, NOON)
    const again = performance.now()
    expect((await moveTillBack(order)).outcome).toBe('moved')
    console.log({
      invoices: INVOICES,
      thereMs: Math.round(between - begun),
      backMs: Math.round(performance.now() - again),
    })

    await expect(shared.insertInvoice(anInvoice(), NOON)).rejects.toThrow(/moved to a file/)
    const back = await openTillStore({ path: order.path, chain: 'testnet', fingerprint: 'tgrin1test', now: () => NOON })
    onTestFinished(back.close)
    expect(await back.nextKeyIndex()).toBe(next + 4096)
    expect(await back.balance()).toEqual(balance)
    expect(await back.invoiceById(last.id)).toMatchObject({ amount: last.amount })
    expect(await back.invoiceById(invoices[0]?.id ?? '')).toMatchObject({ status: 'paid', amount: invoices[0]?.amount })
    expect(await back.paymentById(payment.id)).toMatchObject({ keyIndex: payment.keyIndex })
  },
  PATIENCE_MS,
)
