// Which index answers which filter.
import { expect, test } from 'vitest'
import type { Filter } from '../../../../src/nostr/filter/index.js'
import {
  firstPlaceOf,
  LAST_TIME,
  lastPlaceOf,
  prefixOf,
  tagHash,
} from '../../../../src/storage/events/index/index-keys.js'
import { planFor, type QueryPlan } from '../../../../src/storage/events/query/plan.js'

const A = 'a'.repeat(64)
const B = 'b'.repeat(64)
/** Begins like A in all that an index holds of it. */
const LIKE_A = `${'a'.repeat(12)}${'0'.repeat(52)}`
const tag = (letter: string, ...values: string[]) => ({ letter, values })
const plan = (filter: Partial<Filter>): QueryPlan | undefined => planFor({ tags: [], ...filter })

const CASES: readonly [string, Partial<Filter>, Partial<QueryPlan>][] = [
  ['ids before anything else', { ids: [A], authors: [B], kinds: [1], tags: [tag('e', A)] }, { by: 'id', exact: false }],
  ['a tag that names one event before authors', { authors: [A], kinds: [1], tags: [tag('e', A)] }, { by: 'tag' }],
  ['authors before a tag that everybody may set', { authors: [A], kinds: [4], tags: [tag('p', B)] }, { by: 'author' }],
  ['a tag with kinds', { kinds: [1059], tags: [tag('p', A)] }, { by: 'tag', kinds: [1059], exact: true }],
  [
    'the list that names an event rather than a topic',
    { tags: [tag('t', 'x'), tag('e', A)] },
    { by: 'tag', exact: false },
  ],
  ['the shorter of two lists', { tags: [tag('t', 'x', 'y'), tag('d', 'z')] }, { first: [tagHash('d', 'z')] }],
  ['authors of any kind', { authors: [A, B] }, { by: 'author', kinds: undefined, first: [prefixOf(A), prefixOf(B)] }],
  ['kinds alone', { kinds: [1, 7] }, { by: 'kind', kinds: [1, 7], exact: true }],
  ['time alone', { since: 5 }, { by: 'time', oldest: firstPlaceOf(5), newest: lastPlaceOf(LAST_TIME), exact: true }],
  ['both ends of a time', { since: 5, until: 6 }, { oldest: firstPlaceOf(5), newest: lastPlaceOf(6) }],
  ['times after the last one', { until: LAST_TIME + 5 }, { newest: lastPlaceOf(LAST_TIME) }],
  ['authors that look alike once', { authors: [A, LIKE_A] }, { first: [prefixOf(A)] }],
]

test.each(CASES)('%s', (_, filter, expected) => {
  expect(plan(filter)).toMatchObject(expected)
})

test.each([
  ['a time that ends before it begins', { since: 6, until: 5 }],
  ['no events at all', { limit: 0 }],
  ['a time that never comes', { since: LAST_TIME + 1 }],
])('nothing is looked for: %s', (_, filter) => {
  expect(plan(filter)).toBeUndefined()
})
