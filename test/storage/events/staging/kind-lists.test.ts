import fc from 'fast-check'
import { expect, test } from 'vitest'
import { indexKeysOf } from '../../../../src/storage/events/index/index-keys.js'
import { createKindLists } from '../../../../src/storage/events/staging/kind-lists.js'
import { type Postings, stagedIn } from '../../../../src/storage/events/staging/postings.js'
import type { Staged } from '../../../../src/storage/events/staging/staged-event.js'
import { aText, keyOf, NOW } from '../../../support/event-builders.js'

const AUTHOR = 7
const bytes = Buffer.alloc(0)

function staged(seq: number, kind: number): Staged {
  const { event } = aText({ kind, pubkey: keyOf(1), created_at: NOW + (seq % 40), content: String(seq), tags: [] })
  return { seq, keys: indexKeysOf(event), bytes, start: 0, end: 0 }
}

function seqsOf(lists: ReturnType<typeof createKindLists>, kinds?: readonly number[]): readonly number[] {
  const found: Postings[] = []
  lists.collect(AUTHOR, kinds, found)
  return found.flatMap((list) => stagedIn(list).map(({ seq }) => seq)).sort((a, b) => a - b)
}

/** Kinds of which few are common, and more than have a list of their own. */
const kindsOf = fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 0, max: 2 }) }, fc.integer({ min: 0, max: 90 }))

test('every event of the requested kinds is in the lists, each once, however many kinds and removals there were', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(kindsOf, fc.boolean()), { maxLength: 300 }),
      fc.uniqueArray(kindsOf, { minLength: 1, maxLength: 4 }),
      (steps, kinds) => {
        const lists = createKindLists()
        const present: Staged[] = []
        for (const [at, [kind, removes]] of steps.entries()) {
          if (removes && present.length > 0) {
            const [gone] = present.splice(at % present.length, 1)
            if (gone) lists.remove(AUTHOR, gone)
          } else {
            const one = staged(at, kind)
            present.push(one)
            lists.add(AUTHOR, one)
          }
        }
        const all = present.map(({ seq }) => seq).sort((a, b) => a - b)
        expect(seqsOf(lists)).toEqual(all)
        const found = seqsOf(lists, kinds)
        const wanted = present.filter(({ keys }) => kinds.includes(keys.kind))
        expect(found).toEqual(expect.arrayContaining(wanted.map(({ seq }) => seq)))
        expect(new Set(found).size).toBe(found.length)
        for (const one of present) lists.remove(AUTHOR, one)
        expect(seqsOf(lists)).toEqual([])
      },
    ),
  )
})

test('a long list gives only the events of the requested kinds', () => {
  const lists = createKindLists()
  for (let seq = 0; seq < 1000; seq++) lists.add(AUTHOR, staged(seq, seq === 500 ? 0 : 1))
  expect(seqsOf(lists, [0])).toEqual([500])
  expect(seqsOf(lists, [10_050])).toEqual([])
})

test('a kind that found no list of its own keeps its events when a list becomes free', () => {
  const lists = createKindLists()
  const some = Array.from({ length: 100 }, (_, kind) => staged(kind, kind))
  for (const one of some) lists.add(AUTHOR, one)
  for (const one of some.slice(0, 30)) lists.remove(AUTHOR, one)
  const again = staged(200, 90)
  lists.add(AUTHOR, again)
  expect(seqsOf(lists, [90])).toEqual(expect.arrayContaining([90, 200]))
  for (const one of [...some.slice(30), again]) lists.remove(AUTHOR, one)
  expect(seqsOf(lists)).toEqual([])
})
