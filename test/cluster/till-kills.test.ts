// Two instances of a till under payments, and their primary is killed again and again. GRINPAY_ROUNDS=10 is the contract's bar; the short form shows
// the same.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DatabasePlace } from '../../src/storage/postgres/place.js'
import type { SharedTillStore } from '../../src/storage/postgres/till/store.js'
import { type Cluster, startCluster } from '../support/postgres/cluster.js'
import { freshTillPlace, tillOn } from '../support/postgres/schemas.js'
import { anEvent, anInvoice, aPayment, NOON } from '../support/till-builders.js'

let cluster: Cluster
beforeEach(async () => {
  cluster = await startCluster()
})
afterEach(() => cluster?.stop())

const ROUNDS = Array.from({ length: Number(process.env.GRINPAY_ROUNDS ?? 2) }, (_, at) => at + 1)
const CLIENTS = 8
/** As after the promotion of a till's own. */
const MARGIN = 4096

const twoTills = async (place: DatabasePlace): Promise<readonly [SharedTillStore, SharedTillStore]> => {
  const more = { keyIndexElsewhere: ({ next }: { readonly next: number }) => next + MARGIN }
  return [await tillOn(place, more), await tillOn(place, more)]
}

/** Payers that repeat what was answered with 503, until they are stopped. */
function startLoad(tills: readonly [SharedTillStore, SharedTillStore]) {
  /** Payment to key index. */
  const acknowledged = new Map<string, number>()
  const keys: number[] = []
  const endings = new Set<string>()
  let [longest, last, isOver] = [0, performance.now(), false]

  /** Undefined: no repeat mends it. */
  async function untilAnswered<T>(ask: () => Promise<T>): Promise<T | undefined> {
    while (!isOver)
      try {
        return await ask()
      } catch (error) {
        const { status, code } = error as { readonly status?: number; readonly code?: string }
        if (status !== 503) {
          endings.add(String(code))
          return undefined
        }
        await sleep(20)
      }
    return undefined
  }

  async function pay(till: SharedTillStore): Promise<boolean> {
    const invoice = anInvoice()
    const made = await untilAnswered(() => till.insertInvoice(invoice, NOON, { key: invoice.id, digest: 'd' }))
    const keyIndex = made && (await untilAnswered(() => till.takeKeyIndex()))
    if (keyIndex === undefined) return false
    keys.push(keyIndex)
    const payment = aPayment({ invoiceId: invoice.id, keyIndex })
    const answer = await untilAnswered(() => till.acceptPayment(payment, anEvent(), NOON, NOON))
    if (!answer) return false
    expect(['accepted', 'known-slate']).toContain(answer.outcome)
    acknowledged.set(payment.id, keyIndex)
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
    return true
  }

  const clients = Array.from({ length: CLIENTS }, async (_, at) => {
    while (!isOver && (await pay(tills[at % 2 ? 1 : 0])));
  })
  return {
    acknowledged,
    keys,
    /** Codes of refusals that no repeat mends. */
    endings,
    resetSilence() {
      longest = 0
    },
    longestSilence: () => longest,
    async stop() {
      isOver = true
      await Promise.all(clients)
    },
  }
}

type Load = ReturnType<typeof startLoad>

/** What was acknowledged and is not there. */
async function lostOf({ acknowledged }: Load, node: Cluster['nodes'][number], { schema }: DatabasePlace) {
  const rows = await node.sql(`SELECT id, key_index FROM ${schema}.payment`)
  const there = new Map(rows.map(({ id, key_index: keyIndex }) => [String(id), Number(keyIndex)]))
  return [...acknowledged].filter(([id, keyIndex]) => there.get(id) !== keyIndex)
}

const usedTwice = ({ keys }: Load): number => keys.length - new Set(keys).size

test.each(ROUNDS)(
  'round %i: kill -9 of the primary loses no payment, uses no key twice, and is silent for less than three seconds',
  async () => {
    const place = await freshTillPlace(cluster.url())
    const tills = await twoTills(place)
    const load = startLoad(tills)
    const [primary, ...standbys] = cluster.nodes
    await sleep(1500)
    load.resetSilence()
    await primary.kill()
    const before = load.acknowledged.size
    const successor = await cluster.foremost(standbys)
    await cluster.promote(successor)
    await sleep(3500)
    const keyIndex = await tills[0].nextKeyIndex()
    await load.stop()
    console.log({ acknowledged: load.acknowledged.size, silenceMs: Math.round(load.longestSilence()) })
    expect([await lostOf(load, successor, place), usedTwice(load), [...load.endings]]).toEqual([[], 0, []])
    expect(load.acknowledged.size).toBeGreaterThan(before + 20)
    expect(load.longestSilence()).toBeLessThan(3000)
    // Raised once, by whichever instance came first.
    expect(keyIndex).toBeGreaterThanOrEqual(MARGIN)
    expect(keyIndex).toBeLessThan(MARGIN + load.keys.length + 2 * CLIENTS)
    // A repeat after a lost answer made no second payment and no second event.
    const [rows] = await successor.sql(
      `SELECT (SELECT count(*) FROM ${place.schema}.payment)::int AS payments, (SELECT count(*) FROM ${place.schema}.event)::int AS events`,
    )
    expect(rows?.events).toBe(rows?.payments)
    expect((await tills[1].balance()).received.count).toBe(rows?.payments)
  },
)

/** No standby receives anything for half a second; then the primary dies, and the standbys come back without it. */
async function loseWithoutReplication(): Promise<Cluster['nodes'][number]> {
  const [primary, ...standbys] = cluster.nodes
  await Promise.all(standbys.map((node) => node.kill()))
  await sleep(500)
  await primary.kill()
  await Promise.all(standbys.map((node) => node.start()))
  const successor = await cluster.foremost(standbys)
  await cluster.promote(successor)
  return successor
}

test('payments made while no standby received anything were not acknowledged, and are not missed', async () => {
  const place = await freshTillPlace(cluster.url())
  const load = startLoad(await twoTills(place))
  await sleep(1500)
  const successor = await loseWithoutReplication()
  const before = load.acknowledged.size
  await expect.poll(() => load.acknowledged.size, { timeout: 20_000 }).toBeGreaterThan(before)
  await load.stop()
  expect([await lostOf(load, successor, place), usedTwice(load), [...load.endings]]).toEqual([[], 0, []])
})

// The control: as with synchronous_commit = local, which a session of ours overrules.
test('with commits that wait for no standby the same loses payments, and both instances end in DATABASE_WENT_BACK', async () => {
  const place = { ...(await freshTillPlace(cluster.url())), unsafe: 'single' as const }
  for (const node of cluster.nodes) {
    await node.sql("ALTER SYSTEM SET synchronous_standby_names = ''")
    await node.sql('SELECT pg_reload_conf()')
  }
  await sleep(500)
  const tills = await twoTills(place)
  const load = startLoad(tills)
  await sleep(1500)
  const successor = await loseWithoutReplication()
  await Promise.all(tills.map(({ failure }) => failure))
  await expect.poll(() => [...load.endings], { timeout: 15_000 }).toEqual(['DATABASE_WENT_BACK'])
  await load.stop()
  const lost = await lostOf(load, successor, place)
  console.log({ acknowledged: load.acknowledged.size, lost: lost.length })
  expect(lost.length).toBeGreaterThan(0)
})
