// Rows in table order: in parts or as a whole they are the same, also at the ends of the range of positions.
import { expect, test } from 'vitest'
import { countBetween, equalRanges, inTableOrder } from '../../../../src/storage/events/index/generation.js'
import { KeyColumns } from '../../../../src/storage/events/index/index-keys.js'
import { INDEX_TABLES } from '../../../../src/storage/events/index/index-tables.js'
import { columnsOf } from '../columns-of.js'

const [LEAST, MOST] = [-(2 ** 47), 2 ** 47 - 1]
const spread = (index: number): number => ((index * 48_271 * 65_537) % 2 ** 48) - 2 ** 47

/** Events with no tag, one and several; every third has an address. */
function someEvents(): KeyColumns {
  const events = new KeyColumns()
  const positions = [LEAST, MOST, 0, -1, ...Array.from({ length: 996 }, (_, index) => spread(index + 1))]
  for (const [index, position] of positions.entries())
    events.add(index + 1, {
      prefix: position,
      place: position,
      kind: index < 2 ? 65_535 * index : index % 40_000,
      author: position,
      tags: Array.from({ length: index % 4 }, (_, nth) => spread(index * 7 + nth)),
      address: index % 3 === 0 ? position : undefined,
      expires: undefined,
    })
  return events
}

test.each(INDEX_TABLES)('$name: seven parts hold each row of the whole once, in the same order', (table) => {
  const events = someEvents()
  const whole = inTableOrder(table, events)
  const parts = equalRanges(7).map(({ from, to }) => inTableOrder(table, events, from, to))
  const rowsOf = ({ length, row }: typeof whole) => Array.from({ length }, (_, at) => row(at).join())
  expect(parts.flatMap(rowsOf)).toEqual(rowsOf(whole))
  expect(new Set(rowsOf(whole)).size).toBe(whole.length)
})

test('numbers of rows: one per event, one per tag, one per address', () => {
  const events = someEvents()
  const counts = INDEX_TABLES.map((table) => [table.name, countBetween(table.near(events))])
  expect(Object.fromEntries(counts)).toEqual({
    by_id: 1000,
    by_time: 1000,
    by_kind: 1000,
    by_author: 1000,
    by_tag: 1500,
    by_address: 334,
  })
})

test('the copy of some events has their rows and no others', () => {
  const events = someEvents()
  const copy = columnsOf(events.copying(Int32Array.of(1, 3, 999)))
  copy.add(5000, { ...events.keys(7), expires: 9 })
  expect([0, 1, 2, 3].map((at) => copy.seq[at])).toEqual([2, 4, 1000, 5000])
  expect([0, 1, 2].map((at) => copy.keys(at))).toEqual([1, 3, 999].map((at) => events.keys(at)))
  expect(copy.keys(3)).toEqual({ ...events.keys(7), expires: 9 })
  expect([0, 1, 3, 4, 6].map((tag) => copy.ownerOfTag(tag))).toEqual([0, 1, 1, 2, 2])
})
