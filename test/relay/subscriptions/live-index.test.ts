import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { NostrEvent } from '../../../src/nostr/event/index.js'
import { type Filter, NOTHING } from '../../../src/nostr/filter/index.js'
import { createLiveIndex, type LiveIndex } from '../../../src/relay/subscriptions/live-index.js'
import { isAskedFor, someEvent, someFilter } from '../../support/filters.js'

type Step =
  | { readonly do: 'add'; readonly name: number; readonly filters: readonly Filter[] }
  | { readonly do: 'remove'; readonly name: number }
  | { readonly do: 'match'; readonly event: NostrEvent }

const names = fc.integer({ min: 0, max: 9 })
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('add' as const), name: names, filters: fc.array(someFilter, { maxLength: 3 }) }),
    fc.record({ do: fc.constant('remove' as const), name: names }),
    fc.record({ do: fc.constant('match' as const), event: someEvent }),
  ),
  { maxLength: 60 },
)

const EMPTY = { subscriptions: 0, keys: 0 }
const EVENT: NostrEvent = {
  id: '1'.repeat(64),
  pubkey: '2'.repeat(64),
  created_at: 5,
  kind: 1059,
  tags: [['p', '3'.repeat(64)]],
  content: '',
  sig: '4'.repeat(128),
}

const keyOf = (name: number): string => String(name).padStart(64, '0')

function hitsOf<S>(index: LiveIndex<S>, event: NostrEvent): readonly S[] {
  const hits: S[] = []
  index.match(event, (subscription) => hits.push(subscription))
  return hits
}

test('an event reaches exactly the subscriptions that ask for it, each once, whatever came and went before', () => {
  fc.assert(
    fc.property(steps, (taken) => {
      const index = createLiveIndex<number>()
      const there = new Map<number, readonly Filter[]>()
      for (const step of taken) {
        if (step.do === 'add') {
          index.add(step.name, step.filters)
          there.set(step.name, step.filters)
        } else if (step.do === 'remove') {
          index.remove(step.name)
          there.delete(step.name)
        } else {
          const asking = [...there].filter(([, filters]) => filters.some((filter) => isAskedFor(step.event, filter)))
          expect([...hitsOf(index, step.event)].sort()).toEqual(asking.map(([name]) => name).sort())
        }
      }
      for (const name of there.keys()) index.remove(name)
      expect(index.sizes()).toEqual(EMPTY)
    }),
    { numRuns: 500 },
  )
})

test('so it is in large crowds, which are divided, and emptied again', () => {
  const filters = fc.array(someFilter, { minLength: 40, maxLength: 120 })
  fc.assert(
    fc.property(filters, fc.array(someEvent, { minLength: 5, maxLength: 20 }), fc.nat(), (asked, events, seed) => {
      const index = createLiveIndex<number>()
      asked.forEach((filter, name) => void index.add(name, [filter]))
      const left = new Set(asked.keys())
      events.forEach((event, at) => {
        const asking = [...left].filter((name) => isAskedFor(event, asked[name]!))
        expect([...hitsOf(index, event)].sort()).toEqual(asking.sort())
        const gone = (seed + at * 7) % asked.length
        index.remove(gone)
        left.delete(gone)
      })
      for (const name of left) index.remove(name)
      expect(index.sizes()).toEqual(EMPTY)
    }),
    { numRuns: 200 },
  )
})

test('a subscription that comes again is replaced', () => {
  const index = createLiveIndex<string>()
  index.add('a', [{ tags: [] }])
  index.add('a', [{ kinds: [7], tags: [] }])
  expect(hitsOf(index, EVENT)).toEqual([])
  expect(index.sizes()).toEqual({ subscriptions: 1, keys: 1 })
})

test('a matched subscriber may leave, and take others along', () => {
  const index = createLiveIndex<number>()
  for (const name of [1, 2, 3]) index.add(name, [{ kinds: [1059], tags: [] }, { tags: [] }])
  const hits: number[] = []
  index.match(EVENT, (name) => {
    hits.push(name)
    for (const gone of [1, 2]) index.remove(gone)
  })
  expect(hits).toEqual([1, 3])
})

test('filters that can match nothing lie nowhere', () => {
  const index = createLiveIndex<string>()
  index.add('a', [NOTHING, { kinds: [1], since: 9, until: 8, tags: [] }])
  expect(hitsOf(index, EVENT)).toEqual([])
  expect(index.sizes()).toEqual({ subscriptions: 1, keys: 0 })
})

test('who leaves before the next event was never filed; the next event has few to file', () => {
  const index = createLiveIndex<number>()
  const filters: Filter[] = [{ ids: [keyOf(1), keyOf(2)], tags: [] }]
  for (let name = 0; name < 100; name += 1) {
    index.add(name, filters)
    index.remove(name)
  }
  index.add(100, filters)
  expect(index.sizes()).toEqual({ subscriptions: 1, keys: 0 })
  hitsOf(index, EVENT)
  expect(index.sizes()).toEqual({ subscriptions: 1, keys: 2 })
  for (let name = 0; name < 1000; name += 1) index.add(name, [{ authors: [keyOf(name)], tags: [] }])
  expect(index.sizes().keys).toBeGreaterThan(950)
})

/** How many filters were compared with the event: each comparison asks for its time once. */
function looksAt<S>(index: LiveIndex<S>, event: NostrEvent): number {
  let looks = 0
  const watched: NostrEvent = {
    ...event,
    get created_at() {
      looks += 1
      return event.created_at
    },
  }
  hitsOf(index, watched)
  return looks
}

test('an event looks at no filter that asks for another key', () => {
  const index = createLiveIndex<number>()
  for (let name = 0; name < 1000; name += 1) {
    const tags = [{ letter: 'p', values: [keyOf(name)] }]
    const others: Filter[] = [
      { authors: [keyOf(name)], tags: [] },
      { ids: [keyOf(name)], kinds: [1059], tags: [] },
    ]
    index.add(name, [{ kinds: [1059], tags }, { kinds: [1059], tags, authors: [EVENT.pubkey] }, ...others])
  }
  expect(looksAt(index, { ...EVENT, tags: [['p', keyOf(7)]] })).toBe(1)
})

test('a tag that stands in an event a thousand times costs no more than once', () => {
  const index = createLiveIndex<number>()
  for (let name = 0; name < 50; name += 1) index.add(name, [{ since: 9, tags: [{ letter: 't', values: ['grin'] }] }])
  expect(looksAt(index, { ...EVENT, tags: Array.from({ length: 1000 }, () => ['t', 'grin']) })).toBe(50)
})

/** How many filters an event is held against: each of them looks at its time once. */
function looksOf<S>(index: LiveIndex<S>, event: NostrEvent): number {
  let looks = 0
  const counted = {
    ...event,
    get created_at() {
      looks += 1
      return event.created_at
    },
  }
  index.match(counted, () => undefined)
  return looks
}

describe('an event of a busy key', () => {
  const other = keyOf(1)
  const many: Filter = { kinds: Array.from({ length: 50 }, (_, at) => 100 + at), tags: [] }
  test.each<[string, Filter]>([
    ['its author and another kind', { authors: [EVENT.pubkey], kinds: [7], tags: [] }],
    ['its author and fifty other kinds', { ...many, authors: [EVENT.pubkey] }],
    ['its recipient and another kind', { kinds: [7], tags: [{ letter: 'p', values: ['3'.repeat(64)] }] }],
    ['its recipient and another author', { authors: [other], tags: [{ letter: 'p', values: ['3'.repeat(64)] }] }],
    [
      'its recipient and author, and another kind',
      { authors: [EVENT.pubkey], kinds: [7], tags: [{ letter: 'p', values: ['3'.repeat(64)] }] },
    ],
    [
      'its recipient among others, and another kind',
      { kinds: [7], tags: [{ letter: 'p', values: ['3'.repeat(64), other] }] },
    ],
  ])('looks at none of 50,000 filters for %s', (_what, filter) => {
    const index = createLiveIndex<number>()
    index.add(0, [{ kinds: [1059], tags: [{ letter: 'p', values: ['3'.repeat(64)] }] }])
    for (let name = 1; name <= 300; name += 1)
      index.add(
        name,
        Array.from({ length: 167 }, () => filter),
      )
    expect(hitsOf(index, EVENT)).toEqual([0])
    expect(looksOf(index, EVENT)).toBeLessThanOrEqual(40)
    for (let name = 0; name <= 300; name += 1) index.remove(name)
    expect(index.sizes()).toEqual(EMPTY)
  })

  test('a filter of many authors and kinds is not put under every pair of them', () => {
    const index = createLiveIndex<number>()
    const values = Array.from({ length: 2000 }, (_, at) => at)
    const filter = { kinds: values, tags: [{ letter: 'p', values: values.map(keyOf) }] }
    for (let name = 0; name < 40; name += 1) index.add(name, [filter])
    const begun = performance.now()
    expect(hitsOf(index, { ...EVENT, tags: [['p', keyOf(7)]] })).toHaveLength(40)
    expect(performance.now() - begun).toBeLessThan(2000)
  })
})

describe('filters that no event can match', () => {
  const NOW = 1_800_000_000
  const AHEAD = 900
  const now: NostrEvent = { ...EVENT, kind: 7, created_at: NOW }

  function anIndex() {
    const index = createLiveIndex<number>(AHEAD)
    index.tick(NOW)
    return index
  }

  test.each<[string, Partial<Filter>]>([
    ['since beyond what the relay takes', { since: 4_000_000_000 }],
    ['since a little ahead', { since: NOW + 100 }],
    ['until is past', { until: NOW - 1 }],
    ['an empty list', NOTHING],
    ['an empty range', { since: NOW, until: NOW - 1 }],
  ])('at the limits of 100 connections the others cost at most twice: %s', (_what, range) => {
    const index = anIndex()
    const good = Array.from({ length: 100 }, (_, name) => name)
    for (const name of good) index.add(name, [{ kinds: [7], tags: [] }])
    const before = looksOf(index, now)
    expect(before).toBeGreaterThanOrEqual(100)
    // 500 filters of each connection, in three subscriptions.
    for (let name = 1000; name < 1300; name++)
      index.add(
        name,
        Array.from({ length: 167 }, () => ({ kinds: [7], tags: [], ...range })),
      )
    expect(looksOf(index, now)).toBeLessThanOrEqual(2 * before)
    expect(hitsOf(index, now)).toEqual(good)
  })

  test('one whose time comes is filed then, and one whose time passes no more', () => {
    const index = anIndex()
    index.add(1, [{ kinds: [7], tags: [], since: NOW + 5000 }])
    index.add(2, [{ kinds: [7], tags: [], until: NOW + 10 }])
    expect(hitsOf(index, now)).toEqual([2])
    for (let second = NOW; second <= NOW + 5000; second += 1) index.tick(second)
    expect(hitsOf(index, { ...now, created_at: NOW + 4999 })).toEqual([])
    expect(hitsOf(index, { ...now, created_at: NOW + 5000 })).toEqual([1])
    expect(looksOf(index, { ...now, created_at: NOW + 5000 })).toBe(1)
    index.remove(1)
    index.remove(2)
    expect(index.sizes()).toEqual(EMPTY)
  })

  test('an event that is dated ahead as far as the relay takes it finds those that wait for it, also between two ticks', () => {
    const index = anIndex()
    index.add(1, [{ kinds: [7], tags: [], since: NOW + AHEAD }])
    index.add(2, [{ kinds: [7], tags: [], since: NOW + AHEAD + 30 }])
    expect(hitsOf(index, { ...now, created_at: NOW + AHEAD })).toEqual([1])
    expect(hitsOf(index, { ...now, created_at: NOW + AHEAD + 30 })).toEqual([1, 2])
  })
})
