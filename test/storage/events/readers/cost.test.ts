// Which questions go to reader threads.
import { expect, test } from 'vitest'
import type { Filter } from '../../../../src/nostr/filter/index.js'
import { isDear, planFor } from '../../../../src/storage/events/query/plan.js'
import { keyOf } from '../../../support/event-builders.js'

const keys = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => keyOf(at + 1))

function dear(filter: Partial<Filter>): boolean {
  const plan = planFor({ tags: [], ...filter })
  return plan !== undefined && isDear(plan)
}

test.each<[string, boolean, Partial<Filter>]>([
  ['the notes of 200 authors', true, { authors: keys(200), kinds: [1] }],
  ['the profiles of 20 authors', false, { authors: keys(20), kinds: [0, 3, 10050] }],
  ['the newest events', false, {}],
  ['the newest notes', false, { kinds: [1] }],
  ['the notes of one author', false, { authors: keys(1), kinds: [1] }],
  ['gift wraps of one key', false, { kinds: [1059], tags: [{ letter: 'p', values: keys(1) }] }],
  ['a thread', false, { kinds: [1, 7], tags: [{ letter: 'e', values: keys(1) }] }],
  ['ten ids', false, { ids: keys(10) }],
  ['five hundred ids', false, { ids: keys(500) }],
])('%s: %s', (_, expected, filter) => expect(dear(filter)).toBe(expected))
