// Sets of kinds are those of a plain list, however their ranges overlap.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type KindEntry, kindSetOf } from '../../../src/relay/policy/rules.js'

const kind = fc.integer({ min: 0, max: 60 })
const entry = fc.oneof(
  kind,
  fc.tuple(kind, kind).map(([a, b]) => ({ first: Math.min(a, b), last: Math.max(a, b) })),
)
const entries = fc.array(entry, { maxLength: 12 })

const isListed = (list: readonly KindEntry[], kind: number): boolean =>
  list.some((one) => (typeof one === 'number' ? one === kind : one.first <= kind && kind <= one.last))

test('holds what is included and not excluded, in ascending order', () => {
  fc.assert(
    fc.property(entries, entries, (included, excluded) => {
      const kinds = kindSetOf(included, excluded)
      const expected = Array.from({ length: 70 }, (_, kind) => kind).filter(
        (kind) => isListed(included, kind) && !isListed(excluded, kind),
      )
      expect([...kinds.values()]).toEqual(expected)
      for (let kind = -2; kind < 70; kind++) expect(kinds.has(kind)).toBe(expected.includes(kind))
    }),
  )
})

test('listed without long ranges, also where a short one lies in a long one or is cut from it', () => {
  const long = { first: 100, last: 400 }
  const kinds = kindSetOf([1, { first: 3, last: 6 }, long, 250, 401], [4, 120])
  expect([...kinds.values(4)]).toEqual([1, 3, 5, 6, 401])
  expect([...kinds.values(3)]).toEqual([1, 401])
  expect([...kinds.values()]).toHaveLength(305)
  const singles = Array.from({ length: 9 }, (_, kind) => kind)
  expect([...kindSetOf(singles, []).values(4)]).toEqual(singles)
})

test('a number that is no kind is in no set', () => {
  const all = kindSetOf([{ first: 0, last: 65_535 }], [])
  for (const kind of [-1, 65_536, Number.NaN, Number.POSITIVE_INFINITY]) expect(all.has(kind)).toBe(false)
})
