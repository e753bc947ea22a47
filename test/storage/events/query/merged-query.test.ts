// Answers to several filters: which filter an event counts for.
import { expect, test } from 'vitest'
import type { LocatedEvent, LocatedRows, Sources } from '../../../../src/storage/events/query/cursor.js'
import { createMergedQuery, type FilterShare } from '../../../../src/storage/events/query/merged-query.js'
import { createPageSize, placeAt } from '../../../../src/storage/events/query/text-rows.js'
import { aText, NOW } from '../../../support/event-builders.js'

const [newer, older] = [aText({ created_at: NOW, content: 'newer' }), aText({ created_at: NOW - 1, content: 'older' })]
const texts = new Map([newer, older].map((text, seq) => [seq, text.bytes]))

/** The text's number is its place in `texts`. */
const inTables = (seq: number): LocatedEvent => ({ seq, place: placeOf(seq), staged: undefined })
const inStage = (seq: number): LocatedEvent => {
  const bytes = bytesOf(seq)
  const staged = { seq, place: placeOf(seq), bytes, start: 0, end: bytes.length, keys: [] as never }
  return { seq, place: staged.place, staged }
}
const bytesOf = (seq: number): Buffer => texts.get(seq) ?? Buffer.alloc(0)
const placeOf = (seq: number): number => placeAt(bytesOf(seq), 0)

const sources = {
  disk: {
    textsOf: (seqs: readonly number[]) => Buffer.from(seqs.map((seq) => bytesOf(seq).toString()).join('\n')),
  },
  now: () => NOW,
} as unknown as Sources

function rowsOf(events: readonly LocatedEvent[]): LocatedRows {
  let left = events
  return {
    get head() {
      return left[0]
    },
    get isDone() {
      return left.length === 0
    },
    mayWait: false,
    shift() {
      left = left.slice(1)
    },
    read: () => undefined,
    heldBytes: () => 0,
    drop: () => {},
  }
}

test('an event that one filter found staged and another in the tables counts for the other only if its text matches', () => {
  const all: FilterShare = { check: undefined, left: 1 }
  const onlyOlder: FilterShare = { check: (bytes) => bytes.includes('older'), left: 1 }
  const query = createMergedQuery(
    sources,
    [
      { share: all, rows: rowsOf([inStage(0)]) },
      // The keys of both events look alike, and the newer one was indexed before this filter read its rows.
      { share: onlyOlder, rows: rowsOf([inTables(0), inTables(1)]) },
    ],
    createPageSize(),
    {},
  )
  const answer = (): string => query.next()?.bytes.toString() ?? ''
  const found = `${answer()}\n${answer()}`
  expect(found).toContain(newer.bytes.toString())
  expect(found).toContain(older.bytes.toString())
  expect([all.left, onlyOlder.left]).toEqual([0, 0])
})
