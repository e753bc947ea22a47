// Two instances of one till on one cluster: whatever both do at the same moment is done once.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SharedTillStore } from '../../src/storage/postgres/till/store.js'
import type { Payment } from '../../src/till/index.js'
import { type Cluster, startCluster } from '../support/postgres/cluster.js'
import { freshTillPlace, tillOn } from '../support/postgres/schemas.js'
import { anEvent, anInvoice, aPayment, aRailInvoice, freshHex, NOON, SECOND } from '../support/till-builders.js'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster?.stop())

async function twoTills(): Promise<readonly [SharedTillStore, SharedTillStore]> {
  const place = await freshTillPlace(cluster.url())
  return [await tillOn(place), await tillOn(place)]
}

const list = <T>(length: number, make: (at: number) => T): T[] => Array.from({ length }, (_, at) => make(at))
const count = (answers: readonly { readonly outcome: string }[], outcome: string): number =>
  answers.filter((one) => one.outcome === outcome).length

describe('one winner', () => {
  test('of eight invoices with one idempotency key, asked for at once on two instances, one is made', async () => {
    const tills = await twoTills()
    const groups = await Promise.all(
      list(25, (key) =>
        Promise.all(
          list(8, async (at) => {
            const invoice = anInvoice()
            const answer = await tills[at % 2 ? 1 : 0].insertInvoice(invoice, NOON, { key: `k${key}`, digest: 'd' })
            return { ...answer, id: answer.outcome === 'replayed' ? answer.invoice.id : invoice.id }
          }),
        ),
      ),
    )
    for (const group of groups) {
      expect([count(group, 'created'), count(group, 'replayed')]).toEqual([1, 7])
      expect(new Set(group.map(({ id }) => id)).size).toBe(1)
    }
    expect((await tills[0].listInvoices({ limit: 100 })).items).toHaveLength(25)
  })

  test('the same slate on two instances becomes one payment, and both answer with it', async () => {
    const tills = await twoTills()
    const invoices = list(40, () => anInvoice())
    for (const invoice of invoices) await tills[0].insertInvoice(invoice, NOON)
    for (const invoice of invoices) {
      const first = aPayment({ invoiceId: invoice.id })
      // The other instance took a key of its own.
      const offers = [first, aPayment({ invoiceId: invoice.id, id: first.id })]
      const answers = await Promise.all(
        offers.map((payment, at) =>
          tills[at ? 1 : 0].acceptPayment(
            payment,
            anEvent({ invoiceId: invoice.id, paymentId: payment.id }),
            NOON,
            NOON,
          ),
        ),
      )
      expect([count(answers, 'accepted'), count(answers, 'known-slate')]).toEqual([1, 1])
      const winner = offers[answers.findIndex(({ outcome }) => outcome === 'accepted')]
      expect(answers.find(({ outcome }) => outcome === 'known-slate')).toEqual({
        outcome: 'known-slate',
        payment: winner,
      })
      expect(await tills[1].paymentById(first.id)).toEqual(winner)
    }
    expect((await tills[0].balance()).received.count).toBe(40)
    expect((await tills[0].listDeliveries({ limit: 100 })).items).toHaveLength(40)
  })

  test('of two payments for one invoice, one on each instance, one is accepted', async () => {
    const tills = await twoTills()
    const invoices = list(40, () => anInvoice())
    await Promise.all(invoices.map((invoice) => tills[0].insertInvoice(invoice, NOON)))
    const pairs = await Promise.all(
      invoices.map(({ id }) =>
        Promise.all(tills.map((till) => till.acceptPayment(aPayment({ invoiceId: id }), null, NOON, NOON))),
      ),
    )
    for (const answers of pairs) expect([count(answers, 'accepted'), count(answers, 'not-open')]).toEqual([1, 1])
  })

  test('of two answers to one invoice slate, one is signed and goes to the node', async () => {
    const tills = await twoTills()
    for (const { invoice, slate } of list(40, () => aRailInvoice())) {
      await tills[0].insertInvoice(invoice, NOON, undefined, slate)
      const answers = await Promise.all(
        tills.map((till, at) => {
          const payment: Payment = { ...aPayment({ invoiceId: invoice.id, rail: 'grin1' }), id: slate.slateId }
          const finished = { slateId: slate.slateId, transaction: `{"from": ${at}}` }
          return till.acceptPayment(payment, null, NOON, NOON, { finished })
        }),
      )
      expect([count(answers, 'accepted'), count(answers, 'known-slate')]).toEqual([1, 1])
      const winner = answers.findIndex(({ outcome }) => outcome === 'accepted')
      const pushes = await tills[0].claimPushes({ now: NOON, leaseMs: SECOND, by: crypto.randomUUID(), limit: 10 })
      expect(pushes.map(({ transaction }) => transaction)).toEqual([`{"from": ${winner}}`])
      expect(await tills[1].invoiceSlate(slate.slateId)).toMatchObject({ state: 'finalized', sealedSecrets: null })
      await tills[0].abandonPayment(slate.slateId, null)
    }
  })

  test('a slate that is closed on one instance while it is answered on the other is either signed or closed', async () => {
    const [one, two] = await twoTills()
    for (const { invoice, slate } of list(40, () => aRailInvoice())) {
      await one.insertInvoice(invoice, NOON, undefined, slate)
      const payment = { ...aPayment({ invoiceId: invoice.id, rail: 'grin1' }), id: slate.slateId }
      const [answer, closed] = await Promise.all([
        one.acceptPayment(payment, null, NOON, NOON, { finished: { slateId: slate.slateId, transaction: '{}' } }),
        two.closeEveryInvoiceSlate(),
      ])
      const state = (await two.invoiceSlate(slate.slateId))?.state
      expect([answer.outcome, closed, state]).toEqual(
        answer.outcome === 'accepted' ? ['accepted', 0, 'finalized'] : ['slate-closed', 1, 'closed'],
      )
    }
  })
})

test('of 2,000 key indexes taken on two instances at once, none is handed out twice', async () => {
  const tills = await twoTills()
  const indexes = await Promise.all(list(2000, (at) => tills[at % 2 ? 1 : 0].takeKeyIndex()))
  expect(new Set(indexes).size).toBe(2000)
  expect(await tills[0].skipKeyIndexTo(10)).toBe(2000)
  expect(await tills[1].skipKeyIndexTo(5000)).toBe(5000)
  expect(await tills[0].takeKeyIndex()).toBe(5000)
})

test('work that two instances ask for at once is handed out once', async () => {
  const tills = await twoTills()
  const payments = list(60, () => aPayment({ nextCheckAt: NOON }))
  for (const payment of payments) await tills[0].acceptPayment(payment, null, NOON, NOON)
  const claims = await Promise.all(
    list(12, (at) =>
      tills[at % 2 ? 1 : 0].claimChecks({ now: NOON, leaseMs: SECOND, by: crypto.randomUUID(), limit: 10 }),
    ),
  )
  const ids = claims.flat().map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.length).toBeGreaterThanOrEqual(50)
})

test('a bound holds for two instances together', async () => {
  const tills = await twoTills()
  const use = { kind: 'unmatched', key: 'one', limit: 5, windowMs: SECOND, now: NOON } as const
  const answers = await Promise.all(list(16, (at) => tills[at % 2 ? 1 : 0].takeUse(use)))
  expect(answers.filter(Boolean)).toHaveLength(5)
})

test('of many different payments and invoices at once, none is refused, and the balance is exact', async () => {
  const place = await freshTillPlace(cluster.url())
  const { schema } = place
  const tills = [await tillOn(place), await tillOn(place)] as const
  const invoices = list(600, () => anInvoice({ id: crypto.randomUUID().replaceAll('-', '') }))
  let begun = performance.now()
  await Promise.all(invoices.map((invoice, at) => tills[at % 2 ? 1 : 0].insertInvoice(invoice, NOON)))
  const insertsPerSecond = 600_000 / (performance.now() - begun)
  begun = performance.now()
  const answers = await Promise.all(
    invoices.map(({ id }, at) =>
      tills[at % 2 ? 1 : 0].acceptPayment(aPayment({ id: crypto.randomUUID(), invoiceId: id }), anEvent(), NOON, NOON),
    ),
  )
  console.log({ insertsPerSecond, paymentsPerSecond: 600_000 / (performance.now() - begun) })
  expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['accepted']))
  const sum = invoices.reduce((total, { amount }) => total + amount, 0n)
  expect((await tills[0].balance()).received).toEqual({ count: 600, amount: sum })
  await tills[0].expireDue(NOON, 10)
  const [rows] = await cluster.nodes[0].sql(`SELECT count(*)::int AS count FROM ${schema}.payment_total`)
  expect(rows?.count).toBe(1)
  expect((await tills[1].balance()).received).toEqual({ count: 600, amount: sum })
})

test('the schema of another wallet or chain is refused', async () => {
  const place = await freshTillPlace(cluster.url())
  await tillOn(place)
  await expect(tillOn(place, { fingerprint: 'another wallet' })).rejects.toMatchObject({ code: 'DATABASE_OTHER_SEED' })
  await expect(tillOn(place, { chain: 'mainnet' })).rejects.toMatchObject({ code: 'DATABASE_OTHER_CHAIN' })
  const reader = await tillOn(place, { fingerprint: undefined, mustExist: true })
  expect(await reader.userByPubkey(freshHex(64))).toBeUndefined()
})

test('an expiry leaves its row in "written", as every change does; a look that finds nothing due writes nothing', async () => {
  const place = await freshTillPlace(cluster.url())
  const till = await tillOn(place)
  const written = async () => (await cluster.nodes[0].sql(`SELECT id FROM ${place.schema}.written`)).length
  const invoice = anInvoice({ expiresAt: NOON + SECOND })
  await till.insertInvoice(invoice, NOON)
  const before = await written()
  expect(await till.expireDue(NOON + 2 * SECOND, 10)).toEqual([invoice.id])
  expect(await written()).toBe(before + 1)
  expect(await till.expireDue(NOON + 2 * SECOND, 10)).toEqual([])
  expect(await written()).toBe(before + 1)
})
