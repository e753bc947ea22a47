// The check of texts against the matcher of filters: two ways to say the same.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Filter, matches } from '../../../../src/nostr/filter/index.js'
import { wholeCheckFor } from '../../../../src/storage/events/query/plan.js'
import { aText, keyOf, NOW } from '../../../support/event-builders.js'

/** What stands in the text of an event, and what looks like it. */
const words = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    '"',
    '\\',
    '\\"',
    '[',
    ']',
    '["t","',
    '],["t","',
    '"]',
    ',',
    '\n',
    '\u0000',
    '\u007f',
    '\u2028',
  ),
  fc.constantFrom('],"content":"', '"tags":[', 'é', '日本', '😀', '\\u0061', 'a"', '\\\\', keyOf(1), keyOf(2)),
  fc.string({ unit: 'grapheme', maxLength: 5 }),
)
const values = fc.array(words, { maxLength: 3 }).map((parts) => parts.join(''))
const names = fc.constantFrom('t', 'p', 'e', 'd', 'T', 'tt', '', '"', '\\', '-')
const tags = fc.array(
  fc.tuple(names, fc.array(values, { maxLength: 3 })).map(([name, rest]) => [name, ...rest]),
  { maxLength: 5 },
)
const events = fc.record({
  pubkey: fc.constantFrom(keyOf(1), keyOf(2)),
  created_at: fc.integer({ min: NOW - 2, max: NOW + 2 }),
  kind: fc.constantFrom(0, 1, 7, 30_000, 65_535),
  tags,
  content: values,
})
const times = fc.option(fc.integer({ min: NOW - 2, max: NOW + 2 }), { nil: undefined })

test('a text is a match where its event is one, whatever its tags and content hold', () => {
  fc.assert(
    fc.property(
      fc.array(events, { minLength: 1, maxLength: 4 }),
      fc.infiniteStream(fc.nat()),
      times,
      times,
      fc.context(),
      (members, picks, since, until, context) => {
        const texts = members.map(aText)
        const pick = <T>(all: readonly T[]): T | undefined => all[(picks.next().value as number) % all.length]
        const own = texts.flatMap(({ event }) =>
          event.tags.flatMap((tag) => tag.slice(1, 2).map((value) => [tag[0], value])),
        )
        const chosen = own
          .filter(([name = '']) => /^[A-Za-z]$/.test(name))
          .filter(() => (picks.next().value as number) % 2 === 0)
        const filter: Filter = {
          ...(pick([0, 1, 2]) === 0 && { ids: [pick(texts)?.event.id ?? '', keyOf(9)] }),
          ...(pick([0, 1]) === 0 && { authors: [keyOf(1)] }),
          ...(pick([0, 1]) === 0 && { kinds: [1, 7] }),
          ...(since !== undefined && { since }),
          ...(until !== undefined && { until }),
          tags: chosen
            .slice(0, 2)
            .map(([letter = '', value = '']) => ({ letter, values: [value, 'a'].slice(0, value === 'a' ? 1 : 2) })),
        }
        context.log(JSON.stringify(filter))
        const check = wholeCheckFor(filter)
        const bytes = Buffer.concat(texts.flatMap((text) => [text.bytes, Buffer.from('\n')]))
        let start = 0
        for (const text of texts) {
          const end = start + text.bytes.length
          expect(check(bytes, start, end)).toBe(matches(filter, text.event))
          start = end + 1
        }
      },
    ),
    { numRuns: 500 },
  )
})
