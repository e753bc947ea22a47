// Answers of reader threads beside random writes and deletions, held against the main thread and against looking through all events.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EventText, NostrEvent } from '../../../../src/nostr/event/index.js'
import { newestFirst } from '../../../../src/nostr/event/index.js'
import type { Filter } from '../../../../src/nostr/filter/index.js'
import { aDeletion, aText, keyOf, NOW } from '../../../support/event-builders.js'
import { temporaryEvents } from '../../../support/event-store.js'
import { createModel, matcherOf, searched } from './model.js'
import { readAll, readHere, untilReady } from './read-all.js'

const AUTHORS = [1, 2, 3].map(keyOf)
/** Authors without events, so that there are many ranges. */
const OTHERS = Array.from({ length: 110 }, (_, at) => keyOf(1000 + at))
/** Random questions of one test run; more of them take longer. */
const QUESTIONS = Number(process.env.GRINPAY_ROUNDS ?? 240)
const OF_ONE_STORE = 400
/** At a time: one waits for its reader threads while another works. */
const STORES = 3
/** Questions between two changes. Others come beside each of them. */
const OF_ONE_ROUND = 4
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
      since: fc.constantFrom(undefined, undefined, NOW - 30),
      tags: fc.constantFrom([], [], [{ letter: 't', values: ['x'] }], [{ letter: 't', values: ['y', ...OTHERS] }]),
    })
    .map((filter) => Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)))
    .map((filter) => filter as unknown as Filter),
  { minLength: 1, maxLength: 3 },
)

const someChanges = fc.record({
  added: fc.array(draft, { maxLength: 16 }),
  deleted: fc.array(fc.nat(), { maxLength: 20 }),
  seconds: fc.constantFrom(0, 0, 0, 1),
})
const someRounds = fc.record({
  before: someChanges,
  questions: fc.array(fc.record({ asked: someFilters, beside: someChanges }), {
    minLength: OF_ONE_ROUND,
    maxLength: OF_ONE_ROUND,
  }),
})

async function aStore() {
  const files = temporaryEvents()
  const store = await files.open({ sizes: SIZES, readers: { threads: 2, leastEvents: 0 } })
  const model = createModel()
  const stored = (): readonly NostrEvent[] => model.stored(files.clock.seconds)
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
    ...{ store, stored, everything: model.everything },
    change({ added, deleted, seconds }: Changes): void {
      const texts = [...added.map((members) => aText(members)), ...deletionsOf(deleted)]
      model.add(texts, store.append(texts))
      files.clock.seconds += seconds
    },
  }
}

type Changes = typeof someChanges extends fc.Arbitrary<infer T> ? T : never

test('readers, the main thread and a plain search agree, and no answer beside writes misses what was stored before', {
  timeout: 6_000_000,
}, async () => {
  const seed = Number(process.env.GRINPAY_SEED ?? Date.now())
  let begun = 0
  const next = async (): Promise<void> => {
    for (; begun < QUESTIONS; ) {
      const at = begun
      begun += OF_ONE_STORE
      await compare(seed + at, Math.min(OF_ONE_STORE, QUESTIONS - at))
    }
  }
  await Promise.all(Array.from({ length: STORES }, next))
})

async function compare(seed: number, questions: number): Promise<void> {
  const { store, everything, stored, change } = await aStore()
  change({ added: fc.sample(draft, { seed, numRuns: 400 }), deleted: [], seconds: 0 })
  await untilReady(store, [{ authors: [...AUTHORS, ...OTHERS], tags: [], kinds: [1] }])
  const rounds = fc.sample(someRounds, { seed, numRuns: Math.ceil(questions / OF_ONE_ROUND) })
  for (const [round, { before, questions }] of rounds.entries()) {
    change(before)
    const ordered = stored()
    for (const { asked } of questions) {
      const label = `seed ${seed}, round ${round}`
      const expected = searched(ordered, asked)
      expectSame(readHere(store.find(asked)), expected, `${label}, main thread`)
      expectSame(await readAll(store.find(asked)), expected, `${label}, readers`)
    }
    let atFirst: readonly NostrEvent[] = ordered
    for (const { asked, beside } of questions) {
      const ids = await readAll(store.find(asked), () => change(beside))
      const after = stored()
      expectComplete({ asked, ids, everything, atFirst, after }, `seed ${seed}, round ${round}, beside writes`)
      atFirst = after
    }
  }
  expectSame(readHere(store.find([{ tags: [] }])), searched(stored(), [{ tags: [] }]), `seed ${seed}, at the end`)
  expect(store.readers().answered).toBeGreaterThan(questions)
  await store.close()
}

interface Answered {
  readonly asked: readonly Filter[]
  readonly ids: readonly string[]
  readonly everything: ReadonlyMap<string, NostrEvent>
  /** Stored when it was asked, and when the answer was complete. */
  readonly atFirst: readonly NostrEvent[]
  readonly after: readonly NostrEvent[]
}

/** Each event once, newest first, only matches, and all of those that were stored throughout, up to the limits. */
function expectComplete({ asked, ids, everything, atFirst, after }: Answered, label: string): void {
  const found = new Set(ids)
  const later = new Set(after)
  const events = ids.flatMap((id) => everything.get(id) ?? [])
  const matchers = asked.map(matcherOf)
  expectSame(ids, [...found], label)
  expectSame(events.toSorted(newestFirst), events, label)
  expectSame(
    events.filter((event) => !matchers.some((fits) => fits(event))),
    [],
    label,
  )
  // What stays stored comes before the limit, unless newer events take its place.
  const lacking = atFirst.filter((event) => !found.has(event.id) && later.has(event))
  for (const [at, one] of asked.entries()) {
    const fits = matchers[at] ?? (() => false)
    const last = events.filter(fits)[(one.limit ?? 0) - 1]
    const missing = lacking.filter((event) => fits(event) && (last === undefined || newestFirst(event, last) < 0))
    expectSame(missing, [], label)
  }
}

/** As `toEqual` of two lists, which is slow when they are long and many. */
function expectSame<T>(given: readonly T[], wanted: readonly T[], label: string): void {
  const isSame = given.length === wanted.length && given.every((one, at) => one === wanted[at])
  if (!isSame) expect(given, label).toEqual(wanted)
}
