import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { nanoGrin } from '../../src/grin/amount/index.js'
import { amountCell, integerCell, textCell, wordCell } from '../../src/storage/sqlite/columns.js'
import { createPrivateFile } from '../../src/storage/sqlite/files.js'
import { openSqlite } from '../../src/storage/sqlite/sqlite.js'
import { openTemporaryStore, temporaryFolder } from '../support/temporary-store.js'
import { anInvoice, aPayment, aUser, NOON } from '../support/till-builders.js'

const MAX = 2n ** 64n - 1n
const EDGES = [0n, 1n, 2n ** 53n, 2n ** 63n - 1n, 2n ** 63n, MAX].map(nanoGrin)

async function open() {
  const { store, remove } = await openTemporaryStore()
  onTestFinished(remove)
  return store
}

test("every u64 survives its column, as its two's complement", () => {
  const { folder, remove } = temporaryFolder()
  onTestFinished(remove)
  const path = join(folder, 'amounts.db')
  createPrivateFile(path)
  const db = openSqlite(path, 'durable')
  onTestFinished(() => db.close())
  db.script('CREATE TABLE paid (amount INTEGER NOT NULL) STRICT')
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: MAX }), (n) => {
      db.run('DELETE FROM paid')
      db.run('INSERT INTO paid (amount) VALUES (?)', [amountCell.write(nanoGrin(n))])
      const [stored = null] = db.get('SELECT amount FROM paid WHERE amount = ?', [amountCell.write(nanoGrin(n))]) ?? []
      expect(stored).toBe(BigInt.asIntN(64, n))
      expect(amountCell.read(stored)).toBe(n)
    }),
  )
})

test.each(EDGES)('an unmatched payment over %s is stored, listed and summed exactly', async (exact) => {
  const store = await open()
  const user = aUser()
  await store.insertUser(user)
  const made = [1, 2, 3].map(() => aPayment({ amount: exact, feeFields: exact, userId: user.id }))
  for (const payment of made) await store.acceptPayment(payment, null, NOON, NOON)
  expect((await store.listPayments({ limit: 5 })).items).toEqual(made.reverse())
  expect((await store.balance()).received).toEqual({ count: 3, amount: 3n * exact })
  expect((await store.listUsers(1)).items[0]?.balance).toBe(3n * exact)
})

test('the balance follows a payment through its settlements', async () => {
  const store = await open()
  const payment = aPayment({ amount: nanoGrin(MAX) })
  await store.acceptPayment(payment, null, NOON, NOON)
  await store.acceptPayment(aPayment({ amount: nanoGrin(5n) }), null, NOON, NOON)
  await store.markReplied(payment.id)
  await store.abandonPayment(payment.id, null)
  const sums = await store.balance()
  expect(sums.received).toEqual({ count: 1, amount: 5n })
  expect(sums.replied).toEqual({ count: 0, amount: 0n })
  expect(sums.abandoned).toEqual({ count: 1, amount: MAX })
})

test('what never arrived is not credited to its user', async () => {
  const store = await open()
  const user = aUser()
  await store.insertUser(user)
  const payment = aPayment({ userId: user.id })
  await store.acceptPayment(payment, null, NOON, NOON)
  await store.abandonPayment(payment.id, null)
  expect((await store.listUsers(1)).items[0]?.balance).toBe(0n)
})

test('equal amounts are found from 2^63 up as well', async () => {
  const store = await open()
  const invoice = anInvoice({ matchMode: 'amount', amount: nanoGrin(MAX) })
  await store.insertInvoice(invoice, NOON)
  expect(await store.payableByAmount(nanoGrin(MAX), NOON, 2)).toEqual([invoice])
})

test('a cell that cannot have been written is named, not passed on', () => {
  expect(() => amountCell.read('12')).toThrow(/wanted an integer, found string/)
  expect(() => integerCell.read(null)).toThrow(/found nothing/)
  expect(() => textCell.read(1n)).toThrow(TypeError)
  expect(() => wordCell('open', 'paid').read('lost')).toThrow(/open\|paid/)
})
