// Real relays on one log: the same stores, each event once for each subscription, nothing acknowledged lost.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeRelayLists } from '../../src/daemons/relay-lists.js'
import { type NostrEvent, signEvent } from '../../src/nostr/event/index.js'
import { keyPairOf, seededRandom } from '../support/nostr.js'
import { type Cluster, startCluster } from '../support/postgres/cluster.js'
import { freshLogPlace } from '../support/postgres/schemas.js'
import {
  type CountingClient,
  countingClient,
  publishSurely,
  type RelayFrontEnd,
  relayFrontEnd,
  stateIn,
} from '../support/relay-front-ends.js'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster?.stop())

const SOON = { timeout: 60_000, interval: 100 }

async function frontEnds(count: number, settings: Parameters<typeof relayFrontEnd>[0] = {}) {
  const { schema } = await freshLogPlace(cluster.url())
  const fronts: RelayFrontEnd[] = []
  for (let at = 0; at < count; at++)
    fronts.push(await relayFrontEnd({ 'log.url': cluster.url(), 'log.schema': schema, ...settings }))
  return fronts
}

const random = seededRandom('front ends')
let made = 0

function anEvent(author: string, members: { readonly kind?: number; readonly tags?: string[][] } = {}): NostrEvent {
  const created_at = Math.floor(Date.now() / 1000)
  const event = { kind: 1, tags: [], content: `${author} ${made++}`, created_at, ...members }
  return signEvent(event, keyPairOf(author).secret, random)
}

const isReady = async ({ url }: RelayFrontEnd) => (await fetch(`${url}/ready`)).status === 200

/** Waits until all are equal, stops them and compares their files. */
async function expectEqual(fronts: readonly RelayFrontEnd[]): Promise<void> {
  for (const front of fronts) await expect.poll(() => isReady(front), SOON).toBe(true)
  await sleep(500)
  for (const front of fronts) await front.process().stop()
  const [first, ...others] = fronts.map(stateIn)
  for (const other of others) expect(other).toEqual(first)
}

const pick = <T>(from: readonly T[], at: number): T => {
  const one = from[at % from.length]
  if (one === undefined) throw new Error('nothing to pick')
  return one
}

test('subscriptions opened at random during fan-out get each event exactly once, on every front end', async () => {
  const fronts = await frontEnds(3)
  const AUTHORS = 40
  const [CLIENTS, SUBSCRIPTIONS, EVENTS] = [24, 10_000, 400]
  const events = Array.from({ length: EVENTS }, (_, at) => anEvent(`author ${at % AUTHORS}`))
  const writers = await Promise.all(fronts.map(countingClient))
  const readers: CountingClient[] = []
  for (let at = 0; at < CLIENTS; at++) readers.push(await countingClient(pick(fronts, at)))

  const authorOf = (at: number) => keyPairOf(`author ${at % AUTHORS}`).pubkey
  async function subscribe() {
    for (let at = 0; at < SUBSCRIPTIONS; at++) {
      pick(readers, at).subscribe(`s${at}`, { authors: [authorOf(at)], kinds: [1], limit: 500 })
      if (at % 50 === 0) await sleep(10)
    }
  }
  async function publish() {
    for (const [at, event] of events.entries()) {
      const answers = [pick(writers, at).publish(event)]
      // Some arrive at two front ends at once: one of them calls it a duplicate.
      if (at % 5 === 0) answers.push(pick(writers, at + 1).publish(event))
      const outcomes = await Promise.all(answers)
      expect(outcomes.every(([accepted]) => accepted)).toBe(true)
      if (answers.length === 2) expect(outcomes.filter(([, text]) => text === '')).toHaveLength(1)
      await sleep(3)
    }
  }
  await Promise.all([subscribe(), publish()])
  const wanted = SUBSCRIPTIONS * (EVENTS / AUTHORS)
  const seen = () => readers.reduce((sum, { counts }) => sum + counts.size, 0)
  await expect.poll(seen, SOON).toBe(wanted)
  await sleep(500)
  expect(readers.flatMap(({ counts }) => [...counts.values()]).filter((times) => times !== 1)).toEqual([])
  for (const client of [...readers, ...writers]) client.close()
  await expectEqual(fronts)
  for (const front of fronts) await front.remove()
}, 240_000)

test('a ban on one front end holds on all, and takes the event out of all stores', async () => {
  const fronts = await frontEnds(2)
  const [one, two] = [pick(fronts, 0), pick(fronts, 1)]
  const event = anEvent('anna')
  await publishSurely(one, event)
  await changeRelayLists(two.dbPath, { do: 'add', list: 'bannedEvents', entry: event.id, reason: 'spam' })
  await changeRelayLists(one.dbPath, { do: 'add', list: 'bannedKeys', entry: keyPairOf('ben').pubkey, reason: '' })
  for (const front of fronts) {
    const lists = () => readFileSync(join(dirname(front.dbPath), 'relay-lists.json'), 'utf8')
    await expect
      .poll(() => [event.id, keyPairOf('ben').pubkey].every((entry) => lists().includes(entry)), SOON)
      .toBe(true)
    const client = await countingClient(front)
    await expect.poll(async () => (await client.publish(anEvent('ben')))[0], SOON).toBe(false)
    await expect.poll(async () => (await client.publish(event))[0], SOON).toBe(false)
    client.close()
  }
  await expectEqual(fronts)
  expect(stateIn(one)).toMatchObject({ ids: [] })
  for (const front of fronts) await front.remove()
}, 120_000)

test('kill -9 of a relay and of the primary under load: nothing acknowledged is lost, nothing comes twice', async () => {
  const fronts = await frontEnds(3)
  const [one, two, three] = [pick(fronts, 0), pick(fronts, 1), pick(fronts, 2)]
  const listener = await countingClient(one)
  listener.subscribe('all', { kinds: [1, 20_001], limit: 5000 })
  const acknowledged = new Set<string>()
  const load = new AbortController()
  async function writeTo(front: RelayFrontEnd, author: string): Promise<void> {
    while (!load.signal.aborted) {
      const event = anEvent(author)
      await publishSurely(front, event)
      acknowledged.add(event.id)
    }
  }
  const writing = fronts.map((front, at) => writeTo(front, `writer ${at}`))
  await expect.poll(() => acknowledged.size, SOON).toBeGreaterThan(50)

  await two.process().kill()
  await sleep(1000)
  await two.start()
  await expect.poll(() => isReady(two), SOON).toBe(true)

  const [primary, ...standbys] = cluster.nodes
  const before = acknowledged.size
  await primary.kill()
  await sleep(500)
  await cluster.promote(await cluster.foremost(standbys))
  await expect.poll(() => acknowledged.size, SOON).toBeGreaterThan(before + 50)

  await three.process().kill()
  await three.start()
  await expect.poll(() => isReady(three), SOON).toBe(true)
  load.abort()
  await Promise.all(writing)
  await expect.poll(() => [...acknowledged].filter((id) => !listener.counts.has(`all ${id}`)), SOON).toEqual([])
  expect([...listener.counts.values()].filter((times) => times !== 1)).toEqual([])
  listener.close()
  await expectEqual(fronts)
  const { ids } = stateIn(one) as { readonly ids: readonly string[] }
  expect([...acknowledged].filter((id) => !ids.includes(id))).toEqual([])
  for (const front of fronts) await front.remove()
}, 240_000)

test('without a primary an event is refused after the patience, and the front end is not ready', async () => {
  const fronts = await frontEnds(1, { 'log.patience': 2 })
  const front = pick(fronts, 0)
  await expect.poll(() => isReady(front), SOON).toBe(true)
  for (const node of cluster.nodes) await node.kill().catch(() => {})
  const client = await countingClient(front)
  const begun = Date.now()
  expect(await client.publish(anEvent('anna'))).toEqual([false, 'error: could not store the event'])
  expect(Date.now() - begun).toBeGreaterThan(1500)
  await expect.poll(() => isReady(front), SOON).toBe(false)
  client.close()
  await front.remove()
}, 120_000)
