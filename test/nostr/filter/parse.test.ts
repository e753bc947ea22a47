import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Filter, NOTHING, parseFilter } from '../../../src/nostr/filter/index.js'
import { someFilter } from '../../support/filters.js'

const LIMITS = { maxValues: 100 }
const A = 'a'.repeat(64)
const B = 'b'.repeat(64)

const read = (value: unknown) => parseFilter(value, LIMITS)

const ACCEPTED: readonly (readonly [string, unknown, Filter])[] = [
  ['everything', {}, { tags: [] }],
  ['ids and authors', { ids: [A], authors: [B, A] }, { ids: [A], authors: [B, A], tags: [] }],
  ['the lowest and the highest kind', { kinds: [0, 65_535] }, { kinds: [0, 65_535], tags: [] }],
  ['times and a limit of nothing', { since: 0, until: 9, limit: 0 }, { since: 0, until: 9, limit: 0, tags: [] }],
  [
    'tags, whose letters are case-sensitive',
    { '#e': [A], '#E': ['x'], '#t': [''] },
    {
      tags: [
        { letter: 'e', values: [A] },
        { letter: 'E', values: ['x'] },
        { letter: 't', values: [''] },
      ],
    },
  ],
  [
    'a value that is there twice',
    { kinds: [1, 1, 2, 1], '#p': [A, A] },
    { kinds: [1, 2], tags: [{ letter: 'p', values: [A] }] },
  ],
  ['unknown members', { color: 'red', '#title': ['x'], '#': [], '#1': 3, idds: [] }, { tags: [] }],
  ['a range of time that is empty', { since: 9, until: 3 }, { since: 9, until: 3, tags: [] }],
]

test.each(ACCEPTED)('%s can be asked for', (_, value, filter) => {
  expect(read(value)).toEqual(filter)
})

test.each([
  ['no ids', { ids: [] }],
  ['no authors beside a kind', { authors: [], kinds: [1] }],
  ['no kinds', { kinds: [] }],
  ['no values of a tag', { '#t': [] }],
  ['a search (NIP-50)', { search: 'apples', kinds: [0] }],
  ['a search of another type', { search: 5 }],
])('who asks for %s gets nothing', (_, value) => {
  expect(read(value)).toBe(NOTHING)
})

const REFUSED: readonly (readonly [unknown, string])[] = [
  [null, 'a filter is an object'],
  [[], 'a filter is an object'],
  ['{}', 'a filter is an object'],
  [7, 'a filter is an object'],
  [{ ids: A }, `ids is a list, not "${A.slice(0, 40)}"`],
  [{ ids: null }, 'ids is a list, not null'],
  [{ ids: {} }, 'ids is a list, not an object'],
  [{ ids: [A.slice(1)] }, `ids holds 64 lower-case hex digits, not "${A.slice(0, 40)}"`],
  [{ ids: [`${A}a`] }, `ids holds 64 lower-case hex digits, not "${A.slice(0, 40)}"`],
  [{ ids: [`${A}\n`] }, `ids holds 64 lower-case hex digits, not "${A.slice(0, 40)}"`],
  [{ authors: [A, A.toUpperCase()] }, `authors holds 64 lower-case hex digits, not "${A.toUpperCase().slice(0, 40)}"`],
  [{ authors: [5] }, 'authors holds 64 lower-case hex digits, not 5'],
  [{ authors: [[A]] }, 'authors holds 64 lower-case hex digits, not a list'],
  [{ '#e': ['short'] }, '#e holds 64 lower-case hex digits, not "short"'],
  [{ '#p': [''] }, '#p holds 64 lower-case hex digits, not ""'],
  [{ '#p': 5 }, '#p is a list, not 5'],
  [{ '#t': [5] }, '#t holds texts, not 5'],
  [{ '#t': [null] }, '#t holds texts, not null'],
  [{ kinds: ['1'] }, 'kinds holds whole numbers from 0 to 65535, not "1"'],
  [{ kinds: [65_536] }, 'kinds holds whole numbers from 0 to 65535, not 65536'],
  [{ kinds: [-1] }, 'kinds holds whole numbers from 0 to 65535, not -1'],
  [{ kinds: [1.5] }, 'kinds holds whole numbers from 0 to 65535, not 1.5'],
  [{ kinds: [true] }, 'kinds holds whole numbers from 0 to 65535, not true'],
  [{ since: '5' }, 'since is a whole number from 0 on, not "5"'],
  [{ until: -1 }, 'until is a whole number from 0 on, not -1'],
  [{ until: 2 ** 53 }, 'until is a whole number from 0 on, not 9007199254740992'],
  [{ limit: 0.5 }, 'limit is a whole number from 0 on, not 0.5'],
  [{ limit: null }, 'limit is a whole number from 0 on, not null'],
  [{ kinds: Array(101).fill(1) }, 'too many values, with kinds'],
  [{ kinds: Array(60).fill(1), '#t': Array(41).fill('') }, 'too many values, with #t'],
  [{ ids: [], kinds: ['1'] }, 'kinds holds whole numbers from 0 to 65535, not "1"'],
  [{ '#t': ['\u202eevil\n', 9] }, '#t holds texts, not 9'],
  [{ '#e': ['\u202eevil\u0007"\n'] }, '#e holds 64 lower-case hex digits, not " evil \\" "'],
]

test.each(REFUSED)('%j is refused, and the client learns why', (value, problem) => {
  expect(read(value)).toEqual({ problem })
})

test('what a filter says when it is printed is what it asked for', () => {
  fc.assert(
    fc.property(someFilter, ({ tags, ...others }) => {
      const printed = { ...others, ...Object.fromEntries(tags.map(({ letter, values }) => [`#${letter}`, values])) }
      const filter = parseFilter(JSON.parse(JSON.stringify(printed)), { maxValues: 200 })
      expect({ ...filter, tags: 'tags' in filter ? [...filter.tags] : [] }).toEqual({ tags, ...others })
    }),
  )
})

test('no JSON breaks the reader, and every problem is one short line', () => {
  const names = fc.constantFrom('ids', 'authors', 'kinds', 'since', 'until', 'limit', 'search', '#e', '#t', '__proto__')
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(names, fc.jsonValue())), (value) => {
      const result = read(value)
      if ('problem' in result) expect(result.problem).toMatch(/^[\P{Cc}]{1,200}$/u)
    }),
    { numRuns: 1000 },
  )
})
