// Arbitrary events and filters out of a world so small that they meet often, and the plainest reading of NIP-01 to compare with.
import fc from 'fast-check'
import type { NostrEvent } from '../../src/nostr/event/index.js'
import type { Filter } from '../../src/nostr/filter/index.js'

const hexOf = (digit: string): string => digit.repeat(64)
const keys = fc.constantFrom('0', '1', '2', '3', 'a').map(hexOf)
const kinds = fc.constantFrom(0, 1, 1059, 30_023)
const times = fc.integer({ min: 0, max: 6 })
const letters = fc.constantFrom('e', 'p', 't', 'd')

const tagsOfEvents = fc.oneof(
  fc.tuple(letters, keys),
  fc.tuple(letters, keys, fc.constant('wss://relay.example')),
  fc.tuple(letters),
  fc.tuple(fc.constant('expiration'), fc.constant('5')),
  fc.constant([]),
)

/** Neither id nor signature are right. */
export const someEvent: fc.Arbitrary<NostrEvent> = fc.record({
  id: keys,
  pubkey: keys,
  created_at: times,
  kind: kinds,
  tags: fc.array(tagsOfEvents, { maxLength: 5 }),
  content: fc.constant(''),
  sig: fc.constant(hexOf('f').repeat(2)),
})

/** Long lists are treated in another way than short ones. */
const listOf = <T>(values: fc.Arbitrary<T>, others: readonly T[]): fc.Arbitrary<T[]> =>
  fc
    .tuple(fc.uniqueArray(values, { minLength: 1, maxLength: 3 }), fc.boolean())
    .map(([list, isLong]) => (isLong ? [...list, ...others] : list))

const strangers = Array.from({ length: 20 }, (_, index) => String(index + 100).padStart(64, '0'))
const strangeKinds = Array.from({ length: 20 }, (_, index) => index + 100)
const keyLists = listOf(keys, strangers)

export const someFilter: fc.Arbitrary<Filter> = fc.record(
  {
    ids: keyLists,
    authors: keyLists,
    kinds: listOf(kinds, strangeKinds),
    tags: fc.uniqueArray(fc.record({ letter: letters, values: keyLists }), {
      maxLength: 2,
      selector: ({ letter }) => letter,
    }),
    since: times,
    until: times,
    limit: times,
  },
  { requiredKeys: ['tags'] },
)

/** What NIP-01 says, word for word. */
export const isAskedFor = (event: NostrEvent, { ids, authors, kinds, tags, since, until }: Filter): boolean =>
  (ids === undefined || ids.includes(event.id)) &&
  (authors === undefined || authors.includes(event.pubkey)) &&
  (kinds === undefined || kinds.includes(event.kind)) &&
  (since === undefined || since <= event.created_at) &&
  (until === undefined || event.created_at <= until) &&
  tags.every(({ letter, values }) =>
    event.tags.some(([name, value]) => name === letter && value !== undefined && values.includes(value)),
  )
