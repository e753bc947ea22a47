// What the store answers, held against looking through all events: over random events, spread over tables and stage, and random filters.
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { NostrEvent } from '../../../../src/nostr/event/index.js'
import { newestFirst } from '../../../../src/nostr/event/index.js'
import { type Filter, matches } from '../../../../src/nostr/filter/index.js'
import type { FindOptions, SlicedWork, StoredQuery } from '../../../../src/relay/index.js'
import { type EventTables, openEventTables } from '../event-tables.js'

const NOW = 1_000_000
let tables: EventTables

beforeEach(() => {
  tables = openEventTables()
  tables.now = NOW
})
afterEach(() => tables.close())

const key = (start: string, rest: string): string => start.padEnd(12, '0') + rest.padStart(52, '0')
/** The first two agree in all that an index holds of them. */
const AUTHORS = [key('aa', '1'), key('aa', '2'), key('ab', '1'), key('00', '1'), key('ff', 'f')]
const VALUES = ['x', 'y', '', 'with "quotes" \\ and ]', '🙂', 'z'.repeat(70)]
const KINDS = [0, 1, 7, 1059, 30023]

const aTag = fc.oneof(
  fc.tuple(fc.constantFrom('e', 'p', 't', 'd'), fc.constantFrom(...VALUES)),
  fc.tuple(fc.constantFrom('e', 'p'), fc.constantFrom(...VALUES), fc.constantFrom(...VALUES)),
  fc.tuple(fc.constant('p')),
  fc.tuple(fc.constant('word'), fc.constantFrom(...VALUES)),
  fc.tuple(fc.constant('expiration'), fc.constantFrom(String(NOW - 1), String(NOW), String(NOW + 1))),
)
/** Few seconds and few beginnings of ids, so that many share their place and some all that an index holds of the id. */
const someEvents = (max: number) =>
  fc
    .array(
      fc.record({
        start: fc.constantFrom('0000', '0001', 'ffff', '00010000000a'),
        rest: fc.integer({ min: 0, max: 2 ** 40 }),
        pubkey: fc.constantFrom(...AUTHORS),
        created_at: fc.integer({ min: 100, max: 112 }),
        kind: fc.constantFrom(...KINDS),
        tags: fc.array(aTag, { maxLength: 4 }),
        content: fc.constantFrom('', 'text\nand "more"', '["p","x"]', '\\'),
      }),
      { maxLength: max },
    )
    .map((drafts) =>
      drafts.map(
        ({ start, rest, ...draft }, index): NostrEvent => ({
          id: start.padEnd(12, '7') + rest.toString(16).padStart(44, '0') + index.toString(16).padStart(8, '0'),
          ...draft,
          sig: '0'.repeat(128),
        }),
      ),
    )

const someOf = <T>(values: readonly T[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 })
const time = fc.integer({ min: 98, max: 114 })
const optional = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: undefined, freq: 2 })

const aFilter = (ids: readonly string[]): fc.Arbitrary<Filter> =>
  fc
    .record({
      ids: fc.option(someOf(ids), { nil: undefined, freq: 5 }).map((some) => (ids.length > 0 ? some : undefined)),
      authors: optional(someOf(AUTHORS)),
      kinds: optional(someOf(KINDS)),
      tags: fc.uniqueArray(fc.record({ letter: fc.constantFrom('e', 'p', 't', 'd'), values: someOf(VALUES) }), {
        maxLength: 2,
        selector: ({ letter }) => letter,
      }),
      since: optional(time),
      until: optional(time),
      limit: optional(fc.integer({ min: 0, max: 8 })),
    })
    .map(
      (filter) =>
        Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as unknown as Filter,
    )

const scenario = fc
  .record({
    events: someEvents(40),
    indexed: fc.nat(40),
    half: fc.boolean(),
    removed: fc.array(fc.nat(39), { maxLength: 5 }),
  })
  .chain(({ events, ...rest }) => {
    const ids = events.map(({ id }) => id)
    return fc.record({
      events: fc.constant(events),
      filters: fc.array(aFilter(ids.length > 0 ? ids : [key('77', '7')]), { minLength: 1, maxLength: 4 }),
      ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, fc.constant(value)])),
    }) as fc.Arbitrary<{ events: NostrEvent[]; filters: Filter[]; indexed: number; half: boolean; removed: number[] }>
  })

function fill(events: readonly NostrEvent[], indexed: number, half: boolean, removed: readonly number[]): NostrEvent[] {
  tables.add(events)
  if (half) tables.indexHalf(indexed)
  else tables.index(indexed)
  const ids = new Set(removed.map((index) => events[index]?.id))
  for (const id of ids) if (id) tables.remove(id)
  return events.filter((event) => !ids.has(event.id) && !isExpired(event))
}

const isExpired = ({ tags }: NostrEvent): boolean => {
  const value = tags.find(([name]) => name === 'expiration')?.[1]
  return value !== undefined && Number(value) <= NOW
}

function expected(events: readonly NostrEvent[], filters: readonly Filter[]): string[] {
  const found = new Set<NostrEvent>()
  const sorted = events.toSorted(newestFirst)
  for (const filter of filters)
    for (const event of sorted.filter((one) => matches(filter, one)).slice(0, filter.limit ?? events.length))
      found.add(event)
  return sorted.filter((event) => found.has(event)).map(({ id }) => id)
}

function drain(query: StoredQuery): string[] {
  const ids: string[] = []
  for (let page = query.next(); page !== undefined; page = query.next()) {
    let start = 0
    for (const end of page.ends) {
      ids.push((JSON.parse(page.bytes.toString('utf8', start, end)) as NostrEvent).id)
      start = end + 1
    }
    expect(page.bytes.length - start).toBeLessThanOrEqual(0)
  }
  return ids
}

function finish<T>(work: SlicedWork<T>): T {
  for (let round = 0; round < 10_000; round++) {
    const done = work.step()
    if (done !== undefined) return done
  }
  throw new Error('never done')
}

const found = (filters: readonly Filter[], options?: FindOptions): string[] =>
  drain(tables.reader.find(filters, options))

function refill(work: () => void): void {
  tables.close()
  tables = openEventTables()
  tables.now = NOW
  work()
}

describe('answers of the store', () => {
  test('are those of looking through all events, whatever lies where', () => {
    fc.assert(
      fc.property(scenario, ({ events, filters, indexed, half, removed }) =>
        refill(() => {
          const left = fill(events, indexed, half, removed)
          expect(found(filters)).toEqual(expected(left, filters))
          for (const filter of filters) expect(found([filter])).toEqual(expected(left, [filter]))
        }),
      ),
      { numRuns: 300 },
    )
  }, 60_000)

  test('are counted and listed as sets as they are found', () => {
    fc.assert(
      fc.property(scenario, ({ events, filters, indexed, half, removed }) =>
        refill(() => {
          const left = fill(events, indexed, half, removed)
          const all = expected(
            left,
            filters.map(({ limit: _, ...filter }) => filter),
          )
          expect(finish(tables.reader.count(filters, 100))).toEqual({ count: all.length, limited: false })
          const within = expected(left, filters)
          const listing = tables.reader.listSet(filters, within.length)
          const listed = finish(listing)
          expect(listing.listed).toBe(within.length)
          const entries = left.filter(({ id }) => within.includes(id)).map(({ created_at, id }) => ({ created_at, id }))
          expect(listed).toEqual(entries.sort((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1)))
          if (all.length === 0) return
          expect(finish(tables.reader.count(filters, all.length - 1))).toEqual({ count: all.length - 1, limited: true })
          if (within.length > 0) expect(finish(tables.reader.listSet(filters, within.length - 1))).toBe('too many')
        }),
      ),
      { numRuns: 200 },
    )
  }, 60_000)
})

const hex = (value: number, width: number): string => value.toString(16).padStart(width, '0')

/** One event a second, each by another id. */
const row = (count: number, over: (index: number) => Partial<NostrEvent> = () => ({})): NostrEvent[] =>
  Array.from({ length: count }, (_, index) => ({
    id: hex(index * 7919, 8).padEnd(64, hex(index, 8)),
    pubkey: AUTHORS[2] ?? '',
    created_at: 1000 + index,
    kind: 1,
    tags: [],
    content: '',
    sig: '0'.repeat(128),
    ...over(index),
  }))

describe('long answers', () => {
  test('lose and double nothing when events come, go and move between pages', () => {
    const events = row(1500)
    tables.add(events)
    tables.index(500)
    const query = tables.reader.find([{ tags: [], kinds: [1] }])
    const seen = drainWith(query, (page) => {
      if (page > 3) return
      tables.index(300)
      tables.add(row(20, (index) => ({ id: hex(page * 1000 + index, 64), created_at: 9000 + page, kind: 1 })))
    })
    expect(seen).toEqual(expected(events, [{ tags: [] }]))
  })

  test('go on through more events of one place than a page takes', () => {
    const crowd = row(700, (index) => ({ id: `0001${hex(index * 31, 60)}`, created_at: 2000 }))
    const events = [...row(50), ...crowd, ...row(50, (index) => ({ id: hex(index + 1, 64), created_at: 3000 + index }))]
    tables.add(events)
    tables.index(400)
    const one = found([{ tags: [], kinds: [1] }])
    const two = found([
      { tags: [], kinds: [1] },
      { tags: [], authors: [AUTHORS[2] ?? ''] },
    ])
    for (const answer of [one, two]) {
      expect(answer.toSorted()).toEqual(events.map(({ id }) => id).toSorted())
      expect(answer.map((id) => events.find((event) => event.id === id)?.created_at)).toEqual(
        events.map(({ created_at }) => created_at).sort((a, b) => b - a),
      )
    }
  })

  test('find hundreds of ids, and those only', () => {
    const events = row(600)
    tables.add(events)
    tables.index(300)
    const ids = events.filter((_, index) => index % 2 === 0).map(({ id }) => id)
    const strangers = Array.from({ length: 100 }, (_, index) => hex(index + 1, 64))
    const filter = { tags: [], ids: [...strangers, ...ids], since: 1100, limit: 150 }
    expect(found([filter])).toEqual(expected(events, [filter]))
  })

  test('find the events of thousands of authors, with and without kinds', () => {
    const authors = Array.from({ length: 3000 }, (_, index) => hex(index + 1, 8).padEnd(64, '0'))
    const events = row(900, (index) => ({ pubkey: authors[index * 3] ?? '', kind: index % 3 }))
    tables.add(events)
    tables.index(600)
    for (const filter of [
      { tags: [], authors, kinds: [0, 1], limit: 300 },
      { tags: [], authors: authors.slice(0, 1500), limit: 300 },
      { tags: [], authors, limit: 20 },
    ])
      expect(found([filter])).toEqual(expected(events, [filter]))
  })

  test('leave out what the reader may not see, and fill their limit with the others', () => {
    const events = row(300)
    tables.add(events)
    tables.index(150)
    const visible = (text: Buffer) => text.includes('0"') && JSON.parse(text.toString()).created_at % 2 === 0
    const seen = events
      .filter(({ created_at }) => created_at % 2 === 0)
      .filter((event) => visible(Buffer.from(JSON.stringify(event))))
    const filters = [{ tags: [], kinds: [1], limit: 100 }]
    expect(found(filters, { visible })).toEqual(expected(seen, filters))
    expect(finish(tables.reader.count(filters, 1000, { visible })).count).toBe(seen.length)
  })
})

test('an index row that belongs to another event is no match', () => {
  const [mine, other] = row(2, (index) => ({ pubkey: AUTHORS[index] ?? '', tags: [['p', String(index)]] }))
  if (!mine || !other) throw new Error('two events')
  tables.add([mine, other])
  tables.index(2)
  tables.db.run('INSERT INTO by_tag SELECT b.hash, b.kind, a.place, a.seq FROM by_tag a, by_tag b WHERE a.seq <> b.seq')
  expect(found([{ tags: [{ letter: 'p', values: ['0'] }], kinds: [1] }])).toEqual([mine.id])
})

/** All ids, while something happens after each page. */
function drainWith(query: StoredQuery, between: (page: number) => void): string[] {
  let pages = 0
  return drain({
    next() {
      if (pages > 0) between(pages)
      pages++
      return query.next()
    },
  })
}
