import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMatcher, matches, NOTHING } from '../../../src/nostr/filter/index.js'
import { isAskedFor, someEvent, someFilter } from '../../support/filters.js'

test('an event matches a filter exactly when NIP-01 says so', () => {
  fc.assert(
    fc.property(someEvent, someFilter, (event, filter) => matches(filter, event) === isAskedFor(event, filter)),
    { numRuns: 2000 },
  )
})

test('a matcher wants what any of its filters wants', () => {
  fc.assert(
    fc.property(fc.array(someEvent), fc.array(someFilter, { maxLength: 3 }), (events, filters) => {
      const wants = createMatcher(filters)
      for (const event of events) expect(wants(event)).toBe(filters.some((filter) => isAskedFor(event, filter)))
    }),
    { numRuns: 500 },
  )
})

test('nothing is nothing', () => {
  fc.assert(fc.property(someEvent, (event) => !matches(NOTHING, event)))
})
