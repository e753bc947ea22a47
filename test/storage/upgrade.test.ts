// A till that ran on an older schema goes on with everything it had.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openTillReader, openTillStore } from '../../src/storage/index.js'
import { createPrivateFile } from '../../src/storage/sqlite/files.js'
import { TILL_FILE } from '../../src/storage/sqlite/kinds.js'
import { migrate } from '../../src/storage/sqlite/migrate.js'
import { openSqlite, type Row } from '../../src/storage/sqlite/sqlite.js'
import { checkIdentity } from '../../src/storage/till/identity.js'
import { temporaryFolder, WALLET } from '../support/temporary-store.js'
import { anEvent, aPayment, aRailInvoice, freshHex, grin, look, NOON, WORKER } from '../support/till-builders.js'

const OLD_INVOICE = `INSERT INTO invoice (id, token, status, amount, fiat, match_mode, recipient_pubkey, expires_at, requotes,
    created_at, paid_at, payment_id, confirmations, pay_link, qr_svg)
  VALUES (?, ?, ?, 2000000000, '{"amount":"1","currency":"usd","rate":"0.5","source":"fixed"}', 'derived', unhex(?), ?, 0, ?, ?, ?, 3,
    'goblin:nprofile1abc', ?)`
const OLD_PAYMENT = `INSERT INTO payment (id, invoice_id, amount, fee_fields, rail, settlement, s1_digest, key_index, commitment, excess,
    received_height, confirmations, created_at, next_check_at, s2, reply)
  VALUES (?, ?, 2000000000, 12500000, 'slatepack', 'mined', randomblob(32), 41, randomblob(33), randomblob(33), 7, 3, ?, ?,
    randomblob(300), 'BEGINSLATEPACK. reply. ENDSLATEPACK.')`

/** As the first release left it: an open, an expired and a paid invoice, the payment of that one, a user. */
function schemaOne(path: string) {
  const [open, expired, paid, payment, endpub] = [32, 32, 32, 32, 64].map(freshHex) as [
    string,
    string,
    string,
    string,
    string,
  ]
  const wide = '<svg>'.padEnd(9000, 'x')
  createPrivateFile(path)
  const db = openSqlite(path, 'durable')
  migrate(db, { ...TILL_FILE, steps: TILL_FILE.steps.slice(0, 1) })
  checkIdentity(db, { path, ...WALLET })
  const insert = (id: string, status: string, rest: Row) =>
    db.run(OLD_INVOICE, [id, `token-${id}`, status, `${id}${id}`, ...rest, wide])
  insert(open, 'open', [NOON + 1, NOON - 3, null, null])
  insert(expired, 'expired', [NOON - 1, NOON - 2, null, null])
  insert(paid, 'paid', [null, NOON - 1, NOON, payment])
  db.run(OLD_PAYMENT, [payment, paid, NOON, NOON])
  db.run('UPDATE wallet SET next_key_index = 42')
  db.run(`INSERT INTO user (id, epoch, pubkey, rotated_at, created_at) VALUES ('alice', 0, unhex(?1), 1, 1)`, [endpub])
  db.run(`INSERT INTO endpub (pubkey, user_id, epoch, created_at) VALUES (unhex(?), 'alice', 0, 1)`, [endpub])
  db.close()
  return { open, expired, paid, payment, endpub, wide }
}

const TABLES = [
  'meta',
  'wallet',
  'invoice',
  'payment',
  'user',
  'endpub',
  'payment_total',
  'event',
  'attempt',
  'idempotency',
]
function rowsOf(path: string, columns: Readonly<Record<string, string>> = {}) {
  const db = openSqlite(path, 'reading')
  const rows = TABLES.map((table) => {
    const names = db.all(`SELECT name FROM pragma_table_info('${table}')`).map(([name]) => String(name))
    const wanted = columns[table] ?? names.join(', ')
    return [table, wanted, db.all(`SELECT ${wanted} FROM ${table} ORDER BY 1`)] as const
  })
  db.close()
  return rows
}

function place() {
  const { folder, remove } = temporaryFolder()
  onTestFinished(remove)
  return join(folder, 'pay.db')
}

test('a database of schema 1 is copied, then migrated, and keeps every row', async () => {
  const path = place()
  schemaOne(path)
  const before = rowsOf(path)
  const store = await openTillStore({ path, ...WALLET })
  await store.close()
  expect(rowsOf(`${path}.schema-1`)).toEqual(before)
  const columns = Object.fromEntries(before.map(([table, names]) => [table, names]))
  expect(rowsOf(path, columns)).toEqual(before)
  const db = openSqlite(path, 'reading')
  expect(db.get('PRAGMA user_version')).toEqual([BigInt(TILL_FILE.steps.length)])
  expect(db.all('PRAGMA integrity_check')).toEqual([['ok']])
  expect(db.all('PRAGMA foreign_key_check')).toEqual([])
  db.close()
  await (await openTillStore({ path, ...WALLET })).close()
  expect(existsSync(`${path}.schema-1-${TILL_FILE.steps.length}`)).toBe(false)
})

test('old invoices are off the rails, and every search finds them', async () => {
  const path = place()
  const old = schemaOne(path)
  const store = await openTillStore({ path, ...WALLET })
  onTestFinished(() => store.close())
  const invoice = await store.invoiceById(old.open)
  expect(invoice).toMatchObject({
    offeredRail: null,
    slateId: null,
    slatepack: null,
    returnUrl: null,
    grinRate: null,
    tip: null,
    qrSvg: old.wide,
    amount: grin(2),
  })
  expect(await store.payableByRecipient(old.open + old.open, NOON, 2)).toEqual([invoice])
  expect(await store.payableOnRail(grin(2), NOON, 2)).toEqual([])
  const { items } = await store.invoiceKeysToWatch(NOON - 1, 10)
  expect(items.map(({ invoiceId }) => invoiceId)).toEqual([old.open, old.expired, old.paid])
  expect((await store.invoiceByRecipient(old.paid + old.paid))?.paymentId).toBe(old.payment)
  expect(await store.endpubOf(old.endpub)).toEqual({ userId: 'alice', epoch: 0 })
})

test('an old payment owes letters like a new one, and new invoices go on the rail', async () => {
  const path = place()
  const old = schemaOne(path)
  const store = await openTillStore({ path, ...WALLET })
  onTestFinished(() => store.close())
  await store.requeueMessage(old.payment, { kind: 'thanks', layout: 'plain' }, NOON, WORKER)
  expect(await store.claimMessages(look(NOON, 5))).toMatchObject([
    { kind: 'thanks', payment: { id: old.payment, keyIndex: 41 } },
  ])
  const { invoice, slate } = aRailInvoice()
  const keyIndex = await store.takeKeyIndex()
  expect(keyIndex).toBe(42)
  await store.insertInvoice(invoice, NOON, undefined, { ...slate, keyIndex })
  const payment = aPayment({ id: slate.slateId, invoiceId: invoice.id, keyIndex })
  const finished = { slateId: slate.slateId, transaction: '{}' }
  expect(await store.acceptPayment(payment, null, NOON, NOON, { finished })).toEqual({ outcome: 'accepted' })
})

test('old webhook events belong to receiver 1, with their attempts and their place in the order', async () => {
  const path = place()
  createPrivateFile(path)
  const db = openSqlite(path, 'durable')
  migrate(db, { ...TILL_FILE, steps: TILL_FILE.steps.slice(0, 5) })
  checkIdentity(db, { path, ...WALLET })
  const [given, waiting] = [freshHex(32), freshHex(32)]
  const event = `INSERT INTO event (id, type, line, created_at, state, attempts, next_attempt_at, last_error, failed, body)
    VALUES (?, 'payment.received', 'a', ?, ?, ?, ?, ?, ?, '{"π":"é"}')`
  db.run(event, [given, NOON - 1, 'delivered', 2, null, null, 1])
  db.run(event, [waiting, NOON, 'pending', 1, NOON, 'HTTP 500', 1])
  const attempt = `INSERT INTO attempt (event_id, number, started_at, duration_ms, http_status, error, answer_head)
    VALUES (?, ?, ?, 5, ?, ?, '')`
  db.run(attempt, [given, 1, NOON - 1, 500, 'HTTP 500'])
  db.run(attempt, [given, 2, NOON, 200, null])
  db.run(attempt, [waiting, 1, NOON, 500, 'HTTP 500'])
  db.close()
  const store = await openTillStore({ path, ...WALLET })
  onTestFinished(() => store.close())
  expect((await store.listDeliveries({ limit: 5 })).items).toMatchObject([
    { eventId: waiting, receiver: 1, state: 'pending', attempts: 1, lastError: 'HTTP 500' },
    { eventId: given, receiver: 1, state: 'delivered', attempts: 2, body: '{"π":"é"}' },
  ])
  expect((await store.deliveryById(given))?.attempts.map(({ number, httpStatus }) => [number, httpStatus])).toEqual([
    [1, 500],
    [2, 200],
  ])
  expect((await store.claimDeliveries(1, look(NOON, 5))).map(({ eventId }) => eventId)).toEqual([waiting])
  await store.insertEvent(anEvent({ receivers: [1, 2] }))
  expect(await store.claimDeliveries(2, look(NOON, 5))).toHaveLength(1)
  const reader = openSqlite(path, 'reading')
  expect(reader.all('PRAGMA foreign_key_check')).toEqual([])
  expect(reader.all('PRAGMA integrity_check')).toEqual([['ok']])
  reader.close()
})

test('a confirmed payment whose invoice went on without it becomes one without an invoice', async () => {
  const path = place()
  createPrivateFile(path)
  const db = openSqlite(path, 'durable')
  migrate(db, { ...TILL_FILE, steps: TILL_FILE.steps.slice(0, 6) })
  checkIdentity(db, { path, ...WALLET })
  const [lost, good, stray, settled, open] = [32, 32, 32, 32, 32].map(freshHex) as [
    string,
    string,
    string,
    string,
    string,
  ]
  const invoice = (id: string, status: string, payment: string | null) =>
    db.run(OLD_INVOICE, [id, `token-${id}`, status, `${id}${id}`, null, NOON, null, payment, ''])
  invoice(lost, 'cancelled', null)
  invoice(good, 'confirmed', settled)
  for (const [at, [id, paid]] of [
    [stray, lost],
    [settled, good],
    [open, lost],
  ].entries())
    db.run(OLD_PAYMENT.replace(', 41,', `, ${at},`), [id ?? '', paid ?? '', NOON, NOON])
  db.run("UPDATE payment SET settlement = 'confirmed', confirmed_at = ?, confirmations = 10 WHERE id <> ?", [
    NOON,
    open,
  ])
  db.close()
  const store = await openTillStore({ path, ...WALLET })
  onTestFinished(() => store.close())
  expect(await store.paymentById(stray)).toMatchObject({ invoiceId: null, intendedInvoiceId: lost })
  expect(await store.paymentById(settled)).toMatchObject({ invoiceId: good, intendedInvoiceId: null })
  expect(await store.paymentById(open)).toMatchObject({ invoiceId: lost, intendedInvoiceId: null })
  expect((await store.listPayments({ unmatched: true, limit: 5 })).items).toMatchObject([{ id: stray }])
})

test('who only looks is sent to the daemon first', async () => {
  const path = place()
  schemaOne(path)
  await expect(openTillReader({ path, chain: 'testnet' })).rejects.toThrow(/schema 1/)
})

test('the migrated payment table takes any rail, keeps its other rules and is whole', async () => {
  const path = place()
  const { payment } = schemaOne(path)
  const db = openSqlite(path, 'durable')
  migrate(db, TILL_FILE)
  db.run("UPDATE payment SET rail = 'pigeon' WHERE id = ?", [payment])
  expect(db.all('SELECT rail FROM payment')).toEqual([['pigeon']])
  expect(() => db.run("UPDATE payment SET settlement = 'pigeon'")).toThrow(/CHECK/)
  expect(() => db.run('UPDATE payment SET rail = NULL')).toThrow(/NOT NULL/)
  expect(db.all('PRAGMA integrity_check')).toEqual([['ok']])
  db.close()
  const again = openSqlite(path, 'reading')
  expect(String(again.get("SELECT sql FROM sqlite_schema WHERE name = 'payment'")?.[0])).toContain(
    'rail TEXT NOT NULL,',
  )
  again.close()
})
