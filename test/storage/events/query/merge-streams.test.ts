// Events that several filters match, where one of them must read before it goes on.
import { expect, test } from 'vitest'
import type { LocatedEvent, LocatedRows } from '../../../../src/storage/events/query/located-rows.js'
import { createMerge } from '../../../../src/storage/events/query/merge-streams.js'

const event = (seq: number): LocatedEvent => ({ seq, place: seq, staged: undefined })

/** Rows of these batches; each needs one read, and `waits` of them wait once. */
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
  expect(first.map(({ located, shares }) => [located.seq, shares.length])).toEqual([
    [9, 2],
    [7, 2],
  ])
  expect(merge.waiting).toBeDefined()
  expect(merge.take(10, true).map(({ located, shares }) => [located.seq, shares.length])).toEqual([[3, 2]])
  expect([merge.waiting, merge.isDone]).toEqual([undefined, true])
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
