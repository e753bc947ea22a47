import fc from 'fast-check'
import { expect, test } from 'vitest'
import { indexKeysOf, KeyColumns } from '../../../../src/storage/events/index/index-keys.js'
import { KindLists } from '../../../../src/storage/events/staging/key-table.js'
import { PostingLists } from '../../../../src/storage/events/staging/postings.js'
import { aText, keyOf, NOW } from '../../../support/event-builders.js'

const AUTHOR = 7

function openLists() {
  const columns = new KeyColumns()
  const postings = new PostingLists(columns)
  const lists = new KindLists(columns, postings)
  const keysOf = (kind: number, at: number) =>
    indexKeysOf(aText({ kind, pubkey: keyOf(1), created_at: NOW + (at % 40), content: String(at), tags: [] }).event)
  return {
    lists,
    kindOf: (one: number) => columns.kind[one] ?? -1,
    /** Returns the event. */
    add(kind: number): number {
      const one = columns.add(columns.length + 1, keysOf(kind, columns.length))
      lists.add(AUTHOR, one)
      return one
    },
    remove: (one: number) => lists.remove(AUTHOR, one),
    found(kinds?: readonly number[]): readonly number[] {
      const found: number[] = []
      const events: number[] = []
      lists.collect(AUTHOR, kinds, found)
      for (const list of found) postings.each(list, (one) => events.push(one))
      return events.sort((a, b) => a - b)
    },
  }
}

/** Kinds of which few are common, and more than have a list of their own. */
const kindsOf = fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 0, max: 2 }) }, fc.integer({ min: 0, max: 90 }))

test('every event of the requested kinds is in the lists, each once, however many kinds and removals there were', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(kindsOf, fc.boolean()), { maxLength: 300 }),
      fc.uniqueArray(kindsOf, { minLength: 1, maxLength: 4 }),
      (steps, kinds) => {
        const { add, remove, found, kindOf } = openLists()
        const present: number[] = []
        for (const [at, [kind, removes]] of steps.entries()) {
          if (removes && present.length > 0) {
            const [gone] = present.splice(at % present.length, 1)
            if (gone !== undefined) remove(gone)
          } else present.push(add(kind))
        }
        expect(found()).toEqual(present.sort((a, b) => a - b))
        const some = found(kinds)
        expect(some).toEqual(expect.arrayContaining(present.filter((one) => kinds.includes(kindOf(one)))))
        expect(new Set(some).size).toBe(some.length)
        for (const one of present) remove(one)
        expect(found()).toEqual([])
      },
    ),
  )
})

test('a long list gives only the events of the requested kinds', () => {
  const { add, found } = openLists()
  const all = Array.from({ length: 1000 }, (_, at) => add(at === 500 ? 0 : 1))
  expect(found([0])).toEqual([all[500]])
  expect(found([10_050])).toEqual([])
})

test('a kind that found no list of its own keeps its events when a list becomes free', () => {
  const { add, remove, found } = openLists()
  const some = Array.from({ length: 100 }, (_, kind) => add(kind))
  for (const one of some.slice(0, 30)) remove(one)
  const again = add(90)
  expect(found([90])).toEqual(expect.arrayContaining([some[90], again]))
  for (const one of [...some.slice(30), again]) remove(one)
  expect(found()).toEqual([])
})
