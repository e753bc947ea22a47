// Paid claims race on the real database, which two authorities share: one invoice per key, one name per payment.
import { afterEach, expect, test } from 'vitest'
import { isValidName, shapeOf } from '../../../src/authority/names/rules.js'
import { openNameStore } from '../../../src/storage/index.js'
import { aGrant } from '../../support/name-builders.js'
import { NAME_SALE, openSale } from '../../support/name-sale.js'
import { openTemporaryNames } from '../../support/temporary-store.js'
import { NOON } from '../../support/till-builders.js'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** Two authorities with one database and one till. */
async function openTwo() {
  const { store, path, remove } = await openTemporaryNames()
  closers.push(remove)
  const other = await openNameStore({ path, now: () => NOON })
  closers.unshift(() => other.close())
  const sale = openSale({ store })
  return { ...sale, store, both: [sale, sale.open(NAME_SALE, other)] }
}

const countOf = (answers: readonly { readonly status: number }[], status: number): number =>
  answers.filter((answer) => answer.status === status).length

test('thirty claims of one key at both doors: one invoice', async () => {
  const { both, payments, aKey, store } = await openTwo()
  const key = aKey()
  const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => both[i % 2]?.claim(key, `guest${i}x`)))
  expect(new Set(answers.map((answer) => answer?.members.invoice_id)).size).toBe(1)
  expect(payments.states.size).toBe(1)
  expect(await store.lastSerial(key, 'name')).toBe(1)
})

test('one payment, thirty claims at both doors: one name, and everybody else has to pay', async () => {
  const { both, claim, payments, aKey, store } = await openTwo()
  const key = aKey()
  await claim(key, 'first')
  payments.set('inv1', 'confirmed')
  const answers = await Promise.all(
    Array.from({ length: 30 }, async (_, i) => (await both[i % 2]?.claim(key, `guest${i}x`)) ?? { status: 0 }),
  )
  expect([countOf(answers, 200), countOf(answers, 402)]).toEqual([1, 29])
  expect((await store.nameOfKey(key))?.name).toMatch(/^guest\d+x$/)
  expect(await store.grant(key, 'name')).toMatchObject({ status: 'pending', serial: 2, invoiceId: 'inv2' })
  expect(payments.states.size).toBe(2)
})

test('an order that another process carried out to the end meanwhile is not taken twice', async () => {
  const { open, claim, payments, aKey, store } = await openTwo()
  const key = aKey()
  /** Stops between its two looks at the database until the other one has bought a name. */
  const slow = open(NAME_SALE, {
    lastSerial: async (...of) => {
      const last = await store.lastSerial(...of)
      await claim(key, 'alice')
      payments.set('inv1', 'confirmed')
      expect((await claim(key, 'alice')).code).toBe('ok')
      return last
    },
  })
  expect((await slow.claim(key, 'bob')).status).toBe(503)
  expect((await claim(key, 'bob')).members.invoice_id).toBe('inv2')
  expect((await store.nameOfKey(key))?.name).toBe('alice')
})

test('an invoice that expired is replaced once, whichever process sees it first', async () => {
  const { both, claim, payments, aKey, store } = await openTwo()
  const key = aKey()
  await claim(key, 'first')
  payments.set('inv1', 'expired')
  const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => both[i % 2]?.claim(key, 'first')))
  expect(new Set(answers.map((answer) => answer?.members.invoice_id))).toEqual(new Set(['inv2']))
  expect(await store.lastSerial(key, 'name')).toBe(2)
})

test('a grant that the operator voids while the till is asked buys nothing', async () => {
  const { claim, payments, aKey, store } = await openTwo()
  const key = aKey()
  await claim(key, 'alice')
  payments.set('inv1', 'confirmed')
  const read = payments.readInvoice
  payments.readInvoice = async (id) => {
    await store.voidGrant(id, { reason: 'a test', now: NOON })
    return read(id)
  }
  expect((await claim(key, 'alice')).status).toBe(402)
  expect(await store.nameOfKey(key)).toBeUndefined()
  expect((await claim(key, 'alice')).members.invoice_id).toBe('inv2')
})

test('a grant that was taken over from elsewhere is replaced, although its key bought here before', async () => {
  const { claim, payments, aKey, store } = await openTwo()
  const key = aKey()
  await claim(key, 'alice')
  payments.set('inv1', 'confirmed')
  expect((await claim(key, 'alice')).code).toBe('ok')
  const value = aGrant({ pubkey: key, serial: 0, invoiceId: 'theirs' })
  const isName = (name: string) => isValidName(name, { nameMin: 3, nameMax: 20 })
  await store.importNames([{ place: 'row 1', row: { kind: 'grant', value } }], {
    reason: 'a test',
    now: NOON,
    isName,
    shapeOf,
  })
  payments.set('theirs', 'expired')
  expect(await claim(key, 'bob')).toMatchObject({ status: 402, members: { invoice_id: 'inv2' } })
})
