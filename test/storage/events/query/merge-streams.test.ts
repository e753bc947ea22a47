// Events that several filters match, where one of them must read before it goes on.
import { expect, test } from 'vitest'
import type { LocatedEvent, LocatedRows } from '../../../../src/storage/events/query/cursor.js'
import { createMerge } from '../../../../src/storage/events/query/merged-query.js'

const event = (seq: number): LocatedEvent => ({ seq, place: Math.floor(seq), staged: undefined })

/** Rows of these batches; numbers with the same whole part share a place; each needs one read, and `waits` of them wait once. */
function rowsOf(batches: readonly (readonly number[])[], waits = 0): LocatedRows {
  const left = batches.map((seqs) => seqs.map(event))
  let head = left.shift() ?? []
  let waitsLeft = waits
  return {
    get head() {
      return head[0]
    },
    get isDone() {
      return head.length === 0 && left.length === 0
    },
    mayWait: waits > 0,
    shift() {
      head = head.slice(1)
    },
    read() {
      if (waitsLeft-- > 0) return { whenReady: () => {} }
      head = left.shift() ?? []
      return undefined
    },
    heldBytes: () => 0,
    drop: () => {},
  }
}

const share = () => ({ check: undefined, left: 10 })

test('an event comes with all filters that match it, also if one of them must wait for more rows behind it', () => {
  const [one, other] = [share(), share()]
  const merge = createMerge([
    { share: one, rows: rowsOf([[9, 7], [3]], 1) },
    { share: other, rows: rowsOf([[9, 7, 3]]) },
  ])
  const first = merge.take(10, true)
  expect(first.map(({ located, shares }) => [located.seq, shares.length])).toEqual([[9, 2]])
  expect(merge.waiting).toBeDefined()
  expect(merge.take(10, true).map(({ located, shares }) => [located.seq, shares.length])).toEqual([
    [7, 2],
    [3, 2],
  ])
  expect([merge.waiting, merge.isDone]).toEqual([undefined, true])
})

test('events of one place come together, also if reads or waits end a call between them', () => {
  const calls = (rows: LocatedRows, mayWait: boolean): readonly (readonly number[])[] => {
    const merge = createMerge([
      { share: share(), rows },
      { share: share(), rows: rowsOf([[7.8, 7.6, 2]]) },
    ])
    const found: (readonly number[])[] = []
    while (!merge.isDone) found.push(merge.take(10, mayWait).map(({ located }) => located.seq))
    return found.filter((seqs) => seqs.length > 0)
  }
  expect(
    calls(
      rowsOf(
        [
          [9, 7.9],
          [7.7, 3],
        ],
        1,
      ),
      true,
    ),
  ).toEqual([[9], [7.9, 7.8, 7.7, 7.6, 3, 2]])
  expect(calls(rowsOf([[9, 7.9], [], [], [7.7, 3]]), false)).toEqual([[9], [7.9, 7.8, 7.7, 7.6, 3, 2]])
  // The end of all rows needs no more.
  expect(calls(rowsOf([[9, 7.9]]), false)).toEqual([[9, 7.9, 7.8, 7.6, 2]])
})

test('very many events of one place come apart', () => {
  const many = Array.from({ length: 80 }, (_, at) => 8 - (at + 1) / 1000)
  const merge = createMerge([{ share: share(), rows: rowsOf([many, [7.001]], 1) }])
  expect(merge.take(10, true)).toHaveLength(74)
  expect(merge.take(10, true).length + merge.take(10, true).length).toBe(7)
  expect(merge.isDone).toBe(true)
})

test('the same where the reads of one call are used up', () => {
  const merge = createMerge([
    { share: share(), rows: rowsOf([[9], [], [], [], [3]]) },
    { share: share(), rows: rowsOf([[9, 3]]) },
  ])
  const found: (readonly [number, number])[] = []
  while (!merge.isDone)
    found.push(...merge.take(10, false).map(({ located, shares }) => [located.seq, shares.length] as const))
  expect(found).toEqual([
    [9, 2],
    [3, 2],
  ])
})
