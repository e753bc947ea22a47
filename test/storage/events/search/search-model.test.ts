// Searches against a plain scan of all stored events: whatever happens in which order, across restarts, kills and changed settings.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type EventText, type NostrEvent, newestFirst, parseEvent } from '../../../../src/nostr/event/index.js'
import { type Filter, matches, parseFilter } from '../../../../src/nostr/filter/index.js'
import { holdsInTitle, searchTermsOf } from '../../../../src/nostr/search/index.js'
import type { StoredQuery } from '../../../../src/relay/index.js'
import type { OpenEventStore } from '../../../../src/storage/events/event-store.js'
import { aText, keyOf, NOW } from '../../../support/event-builders.js'
import { TINY, temporaryEvents, wrongSearchRows } from '../../../support/event-store.js'

const WORDS = ['Alice', 'alicia', 'BOB', 'grin', 'Zürich', '日本語', '本', 'привет', 'a']
const words = fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }).map((list) => list.join(' '))
const authors = fc.integer({ min: 1, max: 3 }).map(keyOf)
const templates = fc.array(
  fc.record({
    kind: fc.constantFrom(0, 1, 1, 30_023, 7),
    pubkey: authors,
    created_at: fc.integer({ min: NOW - 5, max: NOW + 5 }),
    text: words,
    title: words,
    more: fc.array(
      fc.oneof(
        fc.constantFrom(['d', 'x'], ['t', 'z']),
        fc.integer({ min: NOW + 1, max: NOW + 9 }).map((at) => ['expiration', String(at)]),
      ),
      { maxLength: 2 },
    ),
  }),
  { minLength: 12, maxLength: 40 },
)
const contentOf = (kind: number, title: string, text: string): string =>
  kind === 0 ? JSON.stringify({ name: title, about: text }) : text

const filters = fc.record(
  {
    search: fc.oneof(
      fc.constantFrom(...WORDS),
      fc.constantFrom('al', 'ali bo', 'zurich include:spam', '日本', '本語', '語日', 'x'),
      words,
    ),
    kinds: fc.subarray([0, 1, 30_023, 7], { minLength: 1 }),
    authors: fc.uniqueArray(authors, { minLength: 1, maxLength: 2 }),
    '#t': fc.constant(['z']),
    since: fc.integer({ min: NOW - 5, max: NOW + 5 }),
    until: fc.integer({ min: NOW - 5, max: NOW + 5 }),
    limit: fc.integer({ min: 0, max: 6 }),
  },
  { requiredKeys: ['search'] },
)

type Step =
  | { readonly what: 'append' | 'delete'; readonly picks: readonly number[] }
  | { readonly what: 'ask'; readonly filters: readonly object[] }
  | { readonly what: 'restart' | 'crash'; readonly kinds: readonly number[] | undefined }
  | { readonly what: 'pass' | 'sweep' }
const picks = fc.array(fc.nat({ max: 60 }), { minLength: 1, maxLength: 9 })
const kinds = fc.constantFrom<readonly number[] | undefined>([0, 1, 30_023], [0, 1, 30_023], [0, 1], [], undefined)
const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: picks.map((some): Step => ({ what: 'append', picks: some })) },
    { weight: 2, arbitrary: picks.map((some): Step => ({ what: 'delete', picks: some.slice(0, 3) })) },
    {
      weight: 6,
      arbitrary: fc
        .array(filters, { minLength: 1, maxLength: 2 })
        .map((list): Step => ({ what: 'ask', filters: list })),
    },
    { weight: 1, arbitrary: fc.constantFrom<Step>({ what: 'pass' }, { what: 'sweep' }) },
    {
      weight: 2,
      arbitrary: fc.record({
        what: fc.constantFrom('restart' as const, 'crash' as const),
        kinds,
      }) as fc.Arbitrary<Step>,
    },
  ),
  { minLength: 6, maxLength: 30 },
)

function eventsOf(query: StoredQuery): readonly NostrEvent[] {
  const events: NostrEvent[] = []
  for (let page = query.next(); page; page = query.next()) {
    let start = 0
    for (const end of page.ends) {
      const event = parseEvent(JSON.parse(page.bytes.toString('utf8', start, end)))
      if (event) events.push(event)
      start = end + 1
    }
  }
  return events
}

/** What one filter finds among all events. */
function scan(all: readonly NostrEvent[], filter: Filter): readonly NostrEvent[] {
  const found = all.filter((event) => matches(filter, event)).sort(newestFirst)
  const terms = filter.search?.terms ?? []
  const inTitle = (event: NostrEvent): boolean => holdsInTitle(searchTermsOf(event), terms)
  return [...found.filter(inTitle), ...found.filter((event) => !inTitle(event))].slice(0, filter.limit)
}

function check(store: OpenEventStore, asked: readonly object[], searchKinds: readonly number[]): void {
  const parsed = asked.map((filter) => parseFilter(filter, { maxValues: 100, searchKinds }))
  const list = parsed.flatMap((filter) => ('problem' in filter ? [] : [filter]))
  const all = eventsOf(store.find([{ tags: [] }]))
  const expected = new Map<string, NostrEvent>()
  for (const filter of list) {
    let left = filter.limit ?? Number.POSITIVE_INFINITY
    for (const event of scan(all, { ...filter, limit: Number.MAX_SAFE_INTEGER }))
      if (!expected.has(event.id) && left-- > 0) expected.set(event.id, event)
  }
  expect(eventsOf(store.find(list)).map(({ id }) => id)).toEqual([...expected.keys()])
}

const SMALL = { slice: 4, due: 3, few: 1000 }

test('searches find what a plain scan finds', async () => {
  await fc.assert(
    fc.asyncProperty(templates, steps, async (pool, todo) => {
      const files = temporaryEvents()
      let searchKinds: readonly number[] | undefined = [0, 1, 30_023]
      let indexKinds = searchKinds
      const options = () => ({
        sizes: TINY,
        searchSizes: SMALL,
        ...(searchKinds && { searchKinds }),
      })
      let store = await files.open(options())
      const texts: EventText[] = pool.map(({ kind, pubkey, created_at, text, title, more }) =>
        aText({ kind, pubkey, created_at, content: contentOf(kind, title, text), tags: [['title', title], ...more] }),
      )
      const pick = (n: number): EventText => texts[n % texts.length] ?? aText()
      for (const step of todo) {
        if (step.what === 'append') store.append(step.picks.map(pick))
        if (step.what === 'delete')
          store.append(
            step.picks.map(pick).map(({ event }) => aText({ kind: 5, pubkey: event.pubkey, tags: [['e', event.id]] })),
          )
        if (step.what === 'pass') files.clock.seconds += 2
        if (step.what === 'sweep') while (store.sweep() > 0);
        if (step.what === 'restart' || step.what === 'crash') {
          searchKinds = step.kinds
          if (step.what === 'restart') await store.close()
          store = step.what === 'restart' ? await files.open(options()) : await files.crash(store, options())
          if (searchKinds) indexKinds = searchKinds
        }
        if (step.what === 'ask' && searchKinds) check(store, step.filters, searchKinds)
      }
      await store.close()
      expect(wrongSearchRows(files.path, indexKinds)).toEqual([])
    }),
    { numRuns: 60 },
  )
}, 120_000)
