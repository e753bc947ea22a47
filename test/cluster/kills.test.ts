// The primary is killed under load, again and again. GRINPAY_ROUNDS=10 is the contract's bar; the short form shows the same.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { shapeOf } from '../../src/authority/index.js'
import type { SharedNameStore } from '../../src/storage/postgres/names/store.js'
import { aKey } from '../support/name-builders.js'
import { type Cluster, startCluster } from '../support/postgres/cluster.js'
import { freshPlace, namesOn } from '../support/postgres/schemas.js'
import { NOON } from '../support/till-builders.js'

let cluster: Cluster
beforeEach(async () => {
  cluster = await startCluster()
})
afterEach(() => cluster?.stop())

const ROUNDS = Array.from({ length: Number(process.env.GRINPAY_ROUNDS ?? 2) }, (_, at) => at + 1)
const CLIENTS = 6

/** Clients that claim names until they are stopped, as those do that repeat what was answered with 503. */
function startLoad(fronts: readonly SharedNameStore[]) {
  const acknowledged = new Map<string, string>()
  const endings = new Set<string>()
  let [longest, last, isOver, next] = [0, performance.now(), false, 0]
  async function client(at: number): Promise<void> {
    let wanted = { name: '', pubkey: '' }
    while (!isOver) {
      if (wanted.name === '' || acknowledged.has(wanted.name)) wanted = { name: `w${at}n${next++}`, pubkey: aKey() }
      const front = fronts[at % fronts.length] as SharedNameStore
      const order = { shape: shapeOf(wanted.name), pubkey: wanted.pubkey, now: NOON, cooldownMs: 0, paid: false }
      const answer = await front.claimName(order).catch((error: unknown) => error as { status?: number; code?: string })
      if ('outcome' in answer) {
        expect(['claimed', 'held']).toContain(answer.outcome)
        acknowledged.set(wanted.name, wanted.pubkey)
        longest = Math.max(longest, performance.now() - last)
        last = performance.now()
      } else if (answer.status === 503) await sleep(20)
      else {
        endings.add(String(answer.code))
        return
      }
    }
  }
  const clients = Array.from({ length: CLIENTS }, (_, at) => client(at))
  return {
    acknowledged,
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

async function holders(node: Cluster['nodes'][number], schema: string): Promise<ReadonlyMap<string, string>> {
  const rows = await node.sql(`SELECT name, encode(pubkey, 'hex') AS pubkey FROM ${schema}.name`)
  return new Map(rows.map(({ name, pubkey }) => [String(name), String(pubkey)]))
}

const lostOf = (acknowledged: ReadonlyMap<string, string>, there: ReadonlyMap<string, string>) =>
  [...acknowledged].filter(([name, pubkey]) => there.get(name) !== pubkey)

test.each(ROUNDS)(
  'round %i: kill -9 of the primary loses nothing and is silent for less than three seconds',
  async () => {
    const place = await freshPlace(cluster.url())
    const load = startLoad([await namesOn(place), await namesOn(place)])
    const [primary, ...standbys] = cluster.nodes
    await sleep(1000)
    load.resetSilence()
    await primary.kill()
    const successor = await cluster.foremost(standbys)
    await cluster.promote(successor)
    await sleep(3500)
    await load.stop()
    const there = await holders(successor, place.schema)
    console.log({ acknowledged: load.acknowledged.size, silenceMs: Math.round(load.longestSilence()) })
    expect([lostOf(load.acknowledged, there), [...load.endings]]).toEqual([[], []])
    expect(load.acknowledged.size).toBeGreaterThan(50)
    expect(load.longestSilence()).toBeLessThan(3000)
    // A claim whose first answer was lost left one line of history.
    const twice = await successor.sql(`SELECT name FROM ${place.schema}.audit GROUP BY name HAVING count(*) > 1`)
    expect(twice).toEqual([])
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

test('what was written while no standby received anything was not acknowledged, and is not missed', async () => {
  const place = await freshPlace(cluster.url())
  const load = startLoad([await namesOn(place), await namesOn(place)])
  await sleep(1000)
  const successor = await loseWithoutReplication()
  const before = load.acknowledged.size
  await expect.poll(() => load.acknowledged.size, { timeout: 20_000 }).toBeGreaterThan(before)
  await load.stop()
  expect([lostOf(load.acknowledged, await holders(successor, place.schema)), [...load.endings]]).toEqual([[], []])
})

// The control: as with synchronous_commit = local, which a session of ours overrules.
test('with commits that wait for no standby the same loses names, and ends in DATABASE_WENT_BACK', async () => {
  const place = { ...(await freshPlace(cluster.url())), unsafe: 'single' as const }
  for (const node of cluster.nodes) {
    await node.sql("ALTER SYSTEM SET synchronous_standby_names = ''")
    await node.sql('SELECT pg_reload_conf()')
  }
  await sleep(500)
  const load = startLoad([await namesOn(place), await namesOn(place)])
  await sleep(1000)
  const successor = await loseWithoutReplication()
  await expect.poll(() => [...load.endings], { timeout: 15_000 }).toEqual(['DATABASE_WENT_BACK'])
  await load.stop()
  const lost = lostOf(load.acknowledged, await holders(successor, place.schema))
  console.log({ acknowledged: load.acknowledged.size, lost: lost.length })
  expect(lost.length).toBeGreaterThan(0)
})
