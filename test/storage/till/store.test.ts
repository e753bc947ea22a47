import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import {
  databaseClosed,
  databaseForeign,
  databaseInUse,
  databaseMissing,
  databaseOtherChain,
  databaseOtherSeed,
  databaseReadOnly,
  databaseUnusable,
  keysExhausted,
} from '../../../src/storage/errors.js'
import { openTillReader, openTillStore } from '../../../src/storage/index.js'
import { createWriteQueue } from '../../../src/storage/sqlite/group-commit.js'
import { sqliteRunner } from '../../../src/storage/sqlite/run-verb.js'
import { openSqlite } from '../../../src/storage/sqlite/sqlite.js'
import { keyVerbs } from '../../../src/storage/till/keys.js'
import { temporaryFolder, WALLET } from '../../support/temporary-store.js'
import {
  anEvent,
  anInvoice,
  aPayment,
  claim,
  DAY,
  MINUTE,
  NOON,
  OTHER_WORKER,
  WORKER,
} from '../../support/till-builders.js'

let path: string

beforeEach(() => {
  const { folder, remove } = temporaryFolder()
  path = join(folder, 'data', 'pay.db')
  onTestFinished(remove)
})

async function open() {
  const store = await openTillStore({ path, ...WALLET })
  onTestFinished(() => store.close())
  return store
}

test('the folder, the file and its side files are private', async () => {
  const store = await open()
  await store.check()
  expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700)
  for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}.lock`])
    expect([file, statSync(file).mode & 0o777]).toEqual([file, 0o600])
})

test('what was acknowledged is there after closing and opening', async () => {
  const first = await open()
  const invoice = anInvoice()
  await first.insertInvoice(invoice, NOON)
  const index = await first.takeKeyIndex()
  await first.close()
  const second = await open()
  expect(await second.invoiceById(invoice.id)).toEqual(invoice)
  expect(await second.takeKeyIndex()).toBe(index + 1)
})

test('closing writes what was asked for, and may be repeated', async () => {
  const store = await open()
  const invoice = anInvoice()
  const waiting = store.insertInvoice(invoice, NOON)
  await Promise.all([store.close(), store.close()])
  expect(await waiting).toEqual({ outcome: 'created' })
  await expect(store.check()).rejects.toSatisfy(databaseClosed.is)
  expect(await (await open()).invoiceById(invoice.id)).toEqual(invoice)
})

test('a second daemon is refused with the process that has it; the first goes on', async () => {
  const store = await open()
  const second = openTillStore({ path, ...WALLET })
  await expect(second).rejects.toSatisfy(databaseInUse.is)
  await expect(second).rejects.toThrow(`process ${process.pid}`)
  await store.check()
  await store.close()
  await (await open()).check()
})

test('a database has one daemon, whichever symbolic link names it', async () => {
  const store = await open()
  const [one, two] = [join(path, '..', 'one.db'), join(path, '..', 'two.db')]
  symlinkSync(path, one)
  symlinkSync('one.db', two)
  for (const link of [one, two])
    await expect(openTillStore({ path: link, ...WALLET })).rejects.toSatisfy(databaseInUse.is)
  await store.close()
  const first = await openTillStore({ path: one, ...WALLET })
  onTestFinished(() => first.close())
  await expect(openTillStore({ path: two, ...WALLET })).rejects.toSatisfy(databaseInUse.is)
})

test('times that lie further ahead than any schedule are pulled back at the start', async () => {
  const first = await open()
  const payments = [NOON + 10 * DAY, NOON + MINUTE].map((nextCheckAt) => aPayment({ nextCheckAt }))
  for (const payment of payments)
    await first.acceptPayment(payment, null, NOON, NOON, { messages: [{ kind: 'reply', layout: 'plain' }] })
  const [far, near] = payments.map(({ id }) => id) as [string, string]
  const posting = { acceptedBy: [], error: 'no relay', nextAttemptAt: NOON + 10 * DAY, by: WORKER }
  await first.recordPosting(far, 'reply', posting)
  const event = anEvent({ createdAt: NOON + 10 * DAY })
  await first.insertEvent(event)
  await first.close()
  const second = await open()
  const checks = await Promise.all([far, near].map((id) => second.paymentById(id)))
  expect(checks.map((payment) => payment?.nextCheckAt)).toEqual([NOON, NOON + MINUTE])
  expect((await second.messageOfPayment(far, 'reply'))?.nextAttemptAt).toBe(NOON)
  expect((await second.deliveryById(event.eventId))?.delivery.nextAttemptAt).toBe(NOON)
})

test('what was handed out before a start is due again; what was counted against a bound still counts', async () => {
  const first = await open()
  const use = { kind: 'reopening', key: 'a', limit: 1, windowMs: DAY, now: NOON } as const
  const event = anEvent()
  await first.insertEvent(event)
  expect(await first.claimDeliveries(1, claim(NOON))).toHaveLength(1)
  expect(await first.claimDeliveries(1, claim(NOON, 10, OTHER_WORKER))).toEqual([])
  expect(await first.takeUse(use)).toBe(true)
  await first.close()
  const second = await open()
  expect(await second.claimDeliveries(1, claim(NOON, 10, OTHER_WORKER))).toHaveLength(1)
  expect(await second.takeUse(use)).toBe(false)
})

test('handing out work writes nothing, and neither does a use beyond its bound', async () => {
  const store = await open()
  const payment = aPayment({ nextCheckAt: NOON })
  await store.acceptPayment(payment, null, NOON, NOON, { messages: [{ kind: 'reply', layout: 'plain' }] })
  await store.insertEvent(anEvent())
  const use = { kind: 'unmatched', key: 'a', limit: 1, windowMs: DAY, now: NOON } as const
  await store.takeUse(use)
  const before = statSync(`${path}-wal`).size
  for (const now of [NOON, NOON, NOON + MINUTE]) {
    const asked = claim(now)
    const claimed = [store.claimDeliveries(1, asked), store.claimMessages(asked), store.claimPushes(asked)]
    await Promise.all([...claimed, store.claimChecks(asked)])
    expect(await store.takeUse({ ...use, now })).toBe(false)
  }
  expect(statSync(`${path}-wal`).size).toBe(before)
  await store.takeUse({ ...use, key: 'b' })
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(before)
})

test('a till of another chain or another seed is refused, and nothing is changed', async () => {
  await (await open()).close()
  const before = readFileSync(path)
  const otherChain = openTillStore({ path, ...WALLET, chain: 'mainnet' })
  await expect(otherChain).rejects.toSatisfy(databaseOtherChain.is)
  await expect(otherChain).rejects.toThrow('testnet, not mainnet')
  const otherSeed = openTillStore({ path, ...WALLET, fingerprint: 'tgrin1other' })
  await expect(otherSeed).rejects.toSatisfy(databaseOtherSeed.is)
  await expect(otherSeed).rejects.toThrow('tgrin1test')
  expect(readFileSync(path).equals(before)).toBe(true)
  await (await open()).check()
})

test('a file that is no database is refused and left alone', async () => {
  mkdirSync(join(path, '..'))
  writeFileSync(path, 'my shopping list, which is longer than a database header is: '.repeat(20))
  await expect(openTillStore({ path, ...WALLET })).rejects.toSatisfy(databaseForeign.is)
  expect(readFileSync(path, 'utf8')).toContain('shopping')
})

test('a place where no file can be is named', async () => {
  writeFileSync(join(path, '..'), 'a file where the folder should be')
  const opening = openTillStore({ path, ...WALLET })
  await expect(opening).rejects.toSatisfy(databaseUnusable.is)
  await expect(opening).rejects.toThrow(path)
})

test('a reader sees what a running till wrote, and cannot write', async () => {
  const store = await open()
  const reader = await openTillReader({ path, chain: 'testnet' })
  onTestFinished(() => reader.close())
  const payment = aPayment()
  await store.acceptPayment(payment, null, NOON, NOON)
  expect(await reader.paymentById(payment.id)).toEqual(payment)
  expect((await reader.balance()).received.count).toBe(1)
  await expect(reader.takeKeyIndex()).rejects.toSatisfy(databaseReadOnly.is)
  await expect(openTillReader({ path, chain: 'mainnet' })).rejects.toSatisfy(databaseOtherChain.is)
})

test('a reader of nothing makes nothing', async () => {
  await expect(openTillReader({ path, chain: 'testnet' })).rejects.toSatisfy(databaseMissing.is)
  expect(existsSync(path)).toBe(false)
})

test('two writers on one file never share a key index', async () => {
  const store = await open()
  const other = openSqlite(path, 'durable')
  onTestFinished(() => other.close())
  const rival = keyVerbs(sqliteRunner(other, createWriteQueue(other).write))
  const taken: number[] = []
  for (let round = 0; round < 20; round++)
    taken.push(...(await Promise.all([store.takeKeyIndex(), rival.takeKeyIndex(), store.takeKeyIndex()])))
  expect(taken.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, i) => i))
})

test('after a restore the counter jumps ahead and never back', async () => {
  const store = await open()
  expect(await store.skipKeyIndexTo(12_345)).toBe(12_345)
  expect(await store.skipKeyIndexTo(10)).toBe(12_345)
  expect(await store.nextKeyIndex()).toBe(12_345)
  expect(await store.takeKeyIndex()).toBe(12_345)
  await expect(store.skipKeyIndexTo(2 ** 31)).rejects.toThrow(RangeError)
})

test('the last key index is handed out, then no more', async () => {
  const store = await open()
  await store.skipKeyIndexTo(2 ** 31 - 1)
  expect(await store.takeKeyIndex()).toBe(2 ** 31 - 1)
  await expect(store.takeKeyIndex()).rejects.toSatisfy(keysExhausted.is)
})

test('an index that stands in a payment is not handed out, even if it was never taken', async () => {
  const store = await open()
  await store.acceptPayment(aPayment({ keyIndex: 41 }), null, NOON, NOON)
  expect(await store.takeKeyIndex()).toBe(42)
})

test.each(['keyIndex', 'commitment', 'excess'] as const)('two payments cannot share their %s', async (member) => {
  const store = await open()
  const first = aPayment()
  await store.acceptPayment(first, null, NOON, NOON)
  const second = aPayment({ [member]: first[member] })
  await expect(store.acceptPayment(second, null, NOON, NOON)).rejects.toThrow('UNIQUE')
  expect(await store.paymentById(second.id)).toBeUndefined()
})

test('a copy is whole and private, and an existing file is not overwritten', async () => {
  const store = await open()
  const invoice = anInvoice()
  await store.insertInvoice(invoice, NOON)
  const target = `${path}.backup`
  await store.copyTo(target)
  expect(statSync(target).mode & 0o777).toBe(0o600)
  await expect(store.copyTo(target)).rejects.toThrow()
  const copy = await openTillStore({ ...WALLET, path: target })
  onTestFinished(() => copy.close())
  expect(await copy.invoiceById(invoice.id)).toEqual(invoice)
})

test('the backlog finds the oldest delivery of a receiver behind a thousand of another', async () => {
  const store = await open()
  const many = Array.from({ length: 1001 }, () => store.insertEvent(anEvent({ createdAt: NOON })))
  await Promise.all([...many, store.insertEvent(anEvent({ createdAt: NOON + MINUTE, receivers: [2] }))])
  expect(await store.backlog()).toEqual([
    { receiver: 1, pending: 1001, oldestCreatedAt: NOON, abandoned: 0, failingSince: null },
    { receiver: 2, pending: 1, oldestCreatedAt: NOON + MINUTE, abandoned: 0, failingSince: null },
  ])
})
