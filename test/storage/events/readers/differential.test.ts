// Answers of reader threads beside random writes and deletions, held against the main thread and against looking through all events.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EventText, NostrEvent } from '../../../../src/nostr/event/index.js'
import { newestFirst } from '../../../../src/nostr/event/index.js'
import { type Filter, matches } from '../../../../src/nostr/filter/index.js'
import { aDeletion, aText, keyOf, NOW } from '../../../support/event-builders.js'
import { temporaryEvents } from '../../../support/event-store.js'
import { readAll, readHere, untilReady } from './read-all.js'

const AUTHORS = [1, 2, 3].map(keyOf)
/** Authors without events, so that there are many ranges. */
const OTHERS = Array.from({ length: 110 }, (_, at) => keyOf(1000 + at))
/** Rounds of one test run; more of them take longer. */
const ROUNDS = Number(process.env.GRINPAY_ROUNDS ?? 60)
const OF_ONE_STORE = 100
/** Pages of readers hold 64 rows: enough events for several. */
const SIZES = { staged: 64, tombstones: 8, slice: 32, maxSlice: 64 }

const draft = fc.record({
  kind: fc.constantFrom(1, 1, 1, 7, 0, 10_002),
  pubkey: fc.constantFrom(...AUTHORS),
  created_at: fc.integer({ min: NOW - 60, max: NOW }),
  content: fc.integer({ min: 0, max: 1_000_000 }).map(String),
  tags: fc.array(
    fc.oneof(
      fc.constantFrom(['t', 'x'], ['t', 'y']),
      fc.integer({ min: NOW, max: NOW + 40 }).map((at) => ['expiration', String(at)]),
    ),
    { maxLength: 2 },
  ),
})

const someFilters = fc.array(
  fc
    .record({
      authors: fc.constantFrom(
        undefined,
        [...AUTHORS, ...OTHERS],
        [...AUTHORS, ...OTHERS],
        [AUTHORS[0] ?? '', ...OTHERS],
      ),
      kinds: fc.constantFrom(undefined, [1], [1, 7], [0, 10_002]),
      limit: fc.constantFrom(5000, 5000, 500, 60),
      until: fc.constantFrom(undefined, NOW - 10),
      tags: fc.constantFrom([], [], [{ letter: 't', values: ['x'] }]),
    })
    .map((filter) => Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)))
    .map((filter) => filter as unknown as Filter),
  { minLength: 1, maxLength: 3 },
)

const someChanges = fc.record({
  added: fc.array(draft, { maxLength: 40 }),
  deleted: fc.array(fc.nat(), { maxLength: 50 }),
  seconds: fc.constantFrom(0, 0, 0, 1),
})
const someRounds = fc.record({ asked: someFilters, before: someChanges, beside: someChanges })

/** The first matches of each filter, in one order. */
function searched(stored: readonly NostrEvent[], asked: readonly Filter[]): readonly string[] {
  const ordered = stored.toSorted(newestFirst)
  const found = new Set(asked.flatMap((one) => ordered.filter((event) => matches(one, event)).slice(0, one.limit)))
  return ordered.filter((event) => found.has(event)).map(({ id }) => id)
}

async function aStore() {
  const files = temporaryEvents()
  const store = await files.open({ sizes: SIZES, readers: { threads: 2, leastEvents: 0 } })
  const everything = new Map<string, NostrEvent>()
  const stored = (): readonly NostrEvent[] =>
    readHere(store.find([{ tags: [] }])).flatMap((id) => everything.get(id) ?? [])
  let deletions = 0

  function deletionsOf(places: readonly number[]): readonly EventText[] {
    const current = stored()
    const gone = places.flatMap((at) => current[at % Math.max(1, current.length)] ?? [])
    return AUTHORS.map((pubkey) =>
      aDeletion({
        ...{ pubkey, created_at: NOW - 100 },
        content: String(deletions++),
        tags: gone.filter((event) => event.pubkey === pubkey && event.kind !== 5).map(({ id }) => ['e', id]),
      }),
    ).filter(({ event }) => event.tags.length > 0)
  }

  return {
    ...{ store, everything, stored },
    change({ added, deleted, seconds }: Changes): void {
      const texts = [...added.map((members) => aText(members)), ...deletionsOf(deleted)]
      for (const { event } of texts) everything.set(event.id, event)
      store.append(texts)
      files.clock.seconds += seconds
    },
  }
}

type Changes = typeof someChanges extends fc.Arbitrary<infer T> ? T : never

test('readers, the main thread and a plain search agree, and no answer beside writes misses what was stored before', {
  timeout: 6_000_000,
}, async () => {
  const seed = Number(process.env.GRINPAY_SEED ?? Date.now())
  for (let done = 0; done < ROUNDS; done += OF_ONE_STORE)
    await compare(seed + done, Math.min(OF_ONE_STORE, ROUNDS - done))
})

async function compare(seed: number, numRuns: number): Promise<void> {
  const { store, everything, stored, change } = await aStore()
  change({ added: fc.sample(draft, { seed, numRuns: 400 }), deleted: [], seconds: 0 })
  await untilReady(store, [{ authors: [...AUTHORS, ...OTHERS], tags: [], kinds: [1] }])
  for (const [round, { asked, before, beside }] of fc.sample(someRounds, { seed, numRuns }).entries()) {
    const label = `seed ${seed}, round ${round}`
    change(before)
    const expected = searched(stored(), asked)
    expect(readHere(store.find(asked)), label).toEqual(expected)
    expect(await readAll(store.find(asked)), label).toEqual(expected)

    const atFirst = stored()
    const ids = await readAll(store.find(asked), () => change(beside))
    const found = new Set(ids)
    const later = new Set(stored())
    const throughout = atFirst.filter((event) => later.has(event))
    const events = ids.flatMap((id) => everything.get(id) ?? [])
    expect(ids, label).toEqual([...found])
    expect(events.toSorted(newestFirst), label).toEqual(events)
    expect(
      events.filter((event) => !asked.some((one) => matches(one, event))),
      label,
    ).toEqual([])
    // What stays stored comes before the limit, unless newer events take its place.
    for (const one of asked) {
      const wanted = throughout.filter((event) => matches(one, event))
      const taken = events.filter((event) => matches(one, event))
      const missing = wanted.filter(({ id }) => !found.has(id))
      const last = taken[(one.limit ?? 0) - 1]
      expect(last ? missing.filter((event) => newestFirst(event, last) < 0) : missing, label).toEqual([])
    }
  }
  expect(store.readers().answered).toBeGreaterThan(numRuns)
  await store.close()
}
