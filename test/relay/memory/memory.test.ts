// What filters and queries may take of the memory: bounds of one connection, and what happens before the heap is full.
import { describe, expect, test } from 'vitest'
import { loadRelayConfig, openEnvironment } from '../../../src/config/index.js'
import { fitToHeap } from '../../../src/daemons/parts/relay/memory.js'
import { createHeapGuard } from '../../../src/relay/memory/heap-guard.js'
import type { Outbox } from '../../../src/relay/output/outbox.js'
import { Subscription } from '../../../src/relay/subscriptions/read-requests.js'
import { relaySettings } from '../../support/relay-parts.js'
import { aSession, sessionOn } from '../../support/relay-session.js'

const MB = 1_048_576
const filters = (count: number) => Array.from({ length: count }, () => ({ kinds: [7], since: 4_000_000_000 }))
const log = { debug() {}, info() {}, warn() {}, error() {} }

describe('filters of one connection', () => {
  const settings = relaySettings({ limits: { maxFiltersPerConnection: 500 } })
  const TOO_MANY = 'rate-limited: more than 500 filters in all subscriptions of this connection'

  test('are bounded over all of its subscriptions', async () => {
    const session = aSession({ settings })
    for (const name of ['a', 'b', 'c', 'd']) session.say(['REQ', name, ...filters(200)])
    session.say(['REQ', 'e', ...filters(100)])
    const answers = await session.answered()
    expect(answers.filter(([verb]) => verb === 'CLOSED')).toEqual([
      ['CLOSED', 'c', TOO_MANY],
      ['CLOSED', 'd', TOO_MANY],
    ])
    expect(answers.flatMap(([verb, name]) => (verb === 'EOSE' ? [name] : [])).sort()).toEqual(['a', 'b', 'e'])
  })

  test('one subscription that replaces another, or one that is closed, makes room', async () => {
    const session = aSession({ settings })
    session.say(['REQ', 'a', ...filters(200)])
    session.say(['REQ', 'b', ...filters(200)])
    session.say(['REQ', 'b', ...filters(200)])
    session.say(['CLOSE', 'a'])
    session.say(['REQ', 'c', ...filters(200)])
    expect((await session.answered()).filter(([verb]) => verb === 'CLOSED')).toEqual([])
  })

  test('counts that wait have a share in them, those that are answered do not', async () => {
    const session = aSession({ settings })
    for (const name of ['a', 'b', 'c']) session.say(['COUNT', name, ...filters(200)])
    const first = await session.answered()
    for (const name of ['d', 'e']) session.say(['COUNT', name, ...filters(200)])
    const later = await session.answered()
    expect([...first, ...later].filter(([verb]) => verb === 'COUNT').length).toBeGreaterThanOrEqual(4)
    expect(later.map(([verb]) => verb)).toEqual(['COUNT', 'COUNT'])
  })
})

test('a subscription is charged what its filters cost, and more while they are read from the store', () => {
  const outbox = { json: () => undefined } as unknown as Outbox
  const subscriber = { outbox, maySee: () => true, closed: () => undefined }
  const list = filters(200).map((filter) => ({ ...filter, tags: [] }))
  const subscription = new Subscription(subscriber, 'a', list)
  // Measured with 10,000 of them: 553 bytes each while it is open, 1,785 more for its query before the first event is read.
  expect(subscription.footprint / 200).toBeGreaterThan(2500)
  expect(subscription.footprint / 200).toBeLessThan(4000)
  subscription.done()
  expect(subscription.footprint / 200).toBeGreaterThan(553)
  expect(subscription.footprint / 200).toBeLessThan(1100)
})

describe('when the heap is nearly full', () => {
  function aGuard(sizes = [10, 100, 200]) {
    let number = 0
    let used = 100
    const dropped: string[] = []
    const logged: string[] = []
    const note = (_fields: object, text: string) => void logged.push(text.slice(0, 45))
    const clients = sizes.map((bytes, at) => ({
      name: ['small', 'large', 'larger'][at] ?? 'other',
      bytes,
      /** Most of it outside of the heap. */
      footprint: () => 1_000_000,
      heapBytes() {
        return this.bytes
      },
      drop() {
        this.bytes = 0
        dropped.push(this.name)
      },
    }))
    const take = () => ({ used, number })
    const measured: number[] = []
    const heap = {
      limit: 1000,
      last: () => (number === 0 ? undefined : take()),
      measure() {
        number += 1
        measured.push(used)
        return take()
      },
    }
    const guard = createHeapGuard({ heap, clients, log: { ...log, warn: note, error: note } })
    const needs = (bytes: number) => {
      used = bytes
      number += 1
      guard.check()
    }
    return { guard, needs, dropped, logged, measured, falls: (bytes: number) => (used = bytes) }
  }

  test('nothing is refused below three fifths', () => {
    const { guard, needs, dropped } = aGuard()
    guard.check()
    needs(600)
    expect([guard.isTight(), dropped]).toEqual([false, []])
  })

  test('new subscriptions are refused first, then those with the most are disconnected, once for each measurement', () => {
    const { guard, needs, dropped } = aGuard()
    needs(700)
    expect([guard.isTight(), dropped]).toEqual([true, []])
    needs(820)
    expect(dropped).toEqual(['larger', 'large'])
    guard.check()
    expect(dropped).toEqual(['larger', 'large'])
  })

  test('no client is disconnected whose memory would not help, and the log says once that none holds it', () => {
    const { needs, dropped, logged } = aGuard([9, ...Array.from({ length: 1000 }, () => 1)])
    needs(800)
    needs(810)
    expect(dropped).toEqual([])
    expect(logged).toEqual([
      'memory is short: new subscriptions are refuse',
      'memory is nearly full of what no client holds',
    ])
    needs(500)
    needs(800)
    expect(logged.filter((text) => text.includes('no client holds'))).toHaveLength(2)
  })

  test('when those that hold much do not suffice, only they are disconnected', () => {
    const { needs, dropped, logged } = aGuard([9, 100, 50])
    needs(800)
    expect(dropped).toEqual(['large', 'larger'])
    expect(logged.slice(1)).toEqual([
      'memory is nearly full: the clients that hold ',
      'memory is nearly full of what no client holds',
    ])
  })

  test('it is measured again when nothing else collects, so that a quiet relay takes subscriptions again', () => {
    const { guard, needs, measured, falls } = aGuard()
    needs(700)
    falls(300)
    for (let second = 0; second < 3; second += 1) guard.check()
    expect(measured).toEqual([300])
    expect(guard.isTight()).toBe(false)
    for (let second = 0; second < 10; second += 1) guard.check()
    expect(measured).toEqual([300])
  })
})

test('a slow reader is not disconnected for a full heap, one with many filters is; a thousand with an inbox each stay', async () => {
  let [used, number] = [100, 0]
  const limit = 100 * MB
  const measure = () => ({ used, number: ++number })
  const slow = aSession({ heap: { limit, last: measure, measure }, settings: relaySettings() })
  slow.connection.unread = 20 * MB
  const greedy = sessionOn(slow.relay)
  const values = Array.from({ length: 20 }, (_, at) => `topic ${at}`)
  const many = Array.from({ length: 200 }, (_, at) => ({ kinds: [at], '#t': values }))
  for (const name of ['a', 'b']) greedy.say(['REQ', name, ...many])
  const inboxes = Array.from({ length: 1000 }, () => sessionOn(slow.relay))
  for (const inbox of inboxes) inbox.say(['REQ', 'inbox', { kinds: [1059], '#p': ['3'.repeat(64)] }])
  await greedy.answered()
  used = 76 * MB
  slow.relay.everySecond()
  expect(slow.connection.endedBy).toBeUndefined()
  expect(greedy.connection.endedBy).toBe('the relay is short of memory')
  expect(inboxes.filter(({ connection }) => connection.endedBy !== undefined)).toEqual([])
})

test('while memory is short REQ and COUNT are answered with CLOSED, and events are still taken', async () => {
  let used = 100
  let number = 0
  const measure = () => ({ used, number: ++number })
  const session = aSession({ heap: { limit: 1000, last: measure, measure } })
  const TIGHT = 'rate-limited: the relay is short of memory, try again later'
  used = 700
  session.relay.everySecond()
  session.say(['REQ', 'a', {}])
  session.say(['COUNT', 'b', {}])
  expect(await session.answered()).toEqual([
    ['CLOSED', 'a', TIGHT],
    ['CLOSED', 'b', TIGHT],
  ])
  used = 500
  session.relay.everySecond()
  session.say(['REQ', 'a', {}])
  expect(await session.answered()).toEqual([['EOSE', 'a']])
})

test.each([
  [4096, 512, 32],
  [1048, 366.8, 32],
  [524, 183.4, 32],
  [256, 89.6, 22.4],
])('with a heap of %d MB all clients together have %d MB, and one of them %d MB of unsent output', (heap, all, one) => {
  const config = loadRelayConfig({ environment: openEnvironment({ variables: {} }) })
  const { limits } = fitToHeap(config, heap * MB).relay
  expect(limits.maxClientBytes / MB).toBeCloseTo(all, 1)
  expect(limits.maxPendingBytes / MB).toBeCloseTo(one, 1)
  const set = loadRelayConfig({
    environment: openEnvironment({ variables: { RELAY_LIMITS_MAX_CLIENT_BYTES: '16777216' } }),
  })
  expect(fitToHeap(set, heap * MB).relay.limits.maxClientBytes).toBe(16_777_216)
})

test.each([
  [4096, 1_000_000],
  [1048, 549_453],
  [532, 278_921],
])(
  'with a heap of %d MB sets to reconcile have at most %d events: listing two of them takes a seventh',
  (heap, most) => {
    const config = loadRelayConfig({ environment: openEnvironment({ variables: {} }) })
    const { maxSyncEvents } = fitToHeap(config, heap * MB).relay.negentropy
    expect(maxSyncEvents).toBe(most)
    // Measured: 131 bytes in the heap for each entry that is listed.
    expect(2 * maxSyncEvents * 131).toBeLessThan(0.15 * heap * MB)
    const set = loadRelayConfig({
      environment: openEnvironment({ variables: { RELAY_NEGENTROPY_MAX_SYNC_EVENTS: '5000' } }),
    })
    expect(fitToHeap(set, heap * MB).relay.negentropy.maxSyncEvents).toBe(5000)
  },
)
