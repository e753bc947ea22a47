import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { NostrEvent } from '../../../src/nostr/event/index.js'
import { type Filter, NOTHING } from '../../../src/nostr/filter/index.js'
import { createLiveIndex, type LiveIndex } from '../../../src/relay/live/index.js'
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

test('a subscription that comes again is replaced', () => {
  const index = createLiveIndex<string>()
  index.add('a', [{ tags: [] }])
  index.add('a', [{ kinds: [7], tags: [] }])
  expect(hitsOf(index, EVENT)).toEqual([])
  expect(index.sizes()).toEqual({ subscriptions: 1, keys: 1 })
})

test('whoever is named may leave, and take others along', () => {
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
  for (let name = 0; name < 50; name += 1) index.add(name, [{ kinds: [1], tags: [{ letter: 't', values: ['grin'] }] }])
  expect(looksAt(index, { ...EVENT, tags: Array.from({ length: 1000 }, () => ['t', 'grin']) })).toBe(50)
})
