// A stage beside plain lists of events: whatever is added and removed, both answer the same.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EventText } from '../../../../src/nostr/event/index.js'
import { type IndexKeys, indexKeysOf, KeyColumns } from '../../../../src/storage/events/index/index-keys.js'
import { createShuffle } from '../../../../src/storage/events/staging/key-table.js'
import { createStage, createTwoStages } from '../../../../src/storage/events/staging/stage.js'
import { aText, keyOf, NOW } from '../../../support/event-builders.js'
import { columnsOf } from '../columns-of.js'

const SHUFFLE = createShuffle(Buffer.from('sixteen bytes of'))

interface Entry {
  readonly seq: number
  readonly text: EventText
  readonly keys: IndexKeys
}

const LENGTHS = [10, 3000, 70_000]
const KINDS = [0, 1, 7, 1059, 30_078]

function entryOf(seq: number, [kind, author, tags, age]: readonly [number, number, readonly number[], number]): Entry {
  const text = aText({
    kind,
    pubkey: keyOf(author + 1),
    created_at: NOW - age,
    tags: [...tags.map((tag) => ['t', `tag ${tag}`]), ...(age % 5 === 0 ? [['expiration', String(NOW + age)]] : [])],
    content: `${seq} `.padEnd(LENGTHS[age % LENGTHS.length] ?? 0, 'x'),
  })
  return { seq, text, keys: indexKeysOf(text.event) }
}

const someEvents = fc.array(
  fc.tuple(
    fc.constantFrom(...KINDS),
    fc.integer({ min: 0, max: 5 }),
    fc.uniqueArray(fc.integer({ min: 0, max: 8 }), { maxLength: 4 }),
    fc.integer({ min: 0, max: 500 }),
  ),
  { maxLength: 90 },
)

function entriesOf(made: readonly (readonly [number, number, readonly number[], number])[]): readonly Entry[] {
  return made.map((numbers, at) => entryOf(3 * at + 1, numbers))
}

test('numbers, texts, ids, addresses and lists are those of the events that were added and not removed', () => {
  fc.assert(
    fc.property(someEvents, fc.array(fc.nat(), { maxLength: 40 }), fc.nat({ max: 89 }), (made, gone, rotatesAt) => {
      const stage = createTwoStages(SHUFFLE)
      const entries = entriesOf(made)
      for (const [at, entry] of entries.entries()) {
        if (at === rotatesAt) stage.rotate()
        stage.add(entry)
      }
      const removed = new Set(gone.map((pick) => entries[pick % Math.max(1, entries.length)]?.seq ?? 0))
      for (const seq of removed) {
        stage.remove(seq)
        stage.remove(seq + 1)
      }
      const present = entries.filter(({ seq }) => !removed.has(seq))
      expect(stage.size).toBe(present.length)
      for (const { seq, text } of entries)
        if (stage.holds(seq) === removed.has(seq) || stage.has(text.event.id) === removed.has(seq)) throw new Error()
      for (const { text, keys, seq } of present) {
        const staged = stage.get(text.event.id)
        if (!staged?.bytes.subarray(staged.start, staged.end).equals(text.bytes)) throw new Error('another text')
        expect([staged.keys, staged.seq, staged.place]).toEqual([keys, seq, keys.place])
      }
      const found = (by: 'time' | 'author' | 'tag' | 'kind', first: readonly number[], kinds?: readonly number[]) => {
        const seqs: number[] = []
        for (const { events, list } of stage.listsFor({ by, first, kinds }, []))
          events.lists.each(list, (one) => seqs.push(events.columns.seq[one] ?? 0))
        return seqs.sort((a, b) => a - b)
      }
      const wanted = (is: (keys: IndexKeys) => boolean) => present.filter(({ keys }) => is(keys)).map(({ seq }) => seq)
      expect(found('time', [])).toEqual(wanted(() => true))
      for (const kind of KINDS) expect(found('kind', [], [kind])).toEqual(wanted((keys) => keys.kind === kind))
      for (const author of new Set(present.map(({ keys }) => keys.author)))
        expect(found('author', [author])).toEqual(wanted((keys) => keys.author === author))
      for (const hash of new Set(present.flatMap(({ keys }) => keys.tags)))
        expect(found('tag', [hash])).toEqual(wanted((keys) => keys.tags.includes(hash)))
      for (const address of new Set(present.flatMap(({ keys }) => keys.address ?? []))) {
        const under = stage.underAddress(address).map(({ seq }) => seq)
        expect(under.sort((a, b) => a - b)).toEqual(wanted((keys) => keys.address === address))
      }
    }),
    { numRuns: 30 },
  )
})

test('rotation copies the keys of all events that were not removed, and the next stage begins empty', () => {
  const stage = createTwoStages(SHUFFLE)
  const entries = Array.from({ length: 1200 }, (_, at) => entryOf(at + 1, [1, at % 6, [at % 9], at % 500]))
  for (const entry of entries) stage.add(entry)
  for (let seq = 1; seq <= 1200; seq += 3) stage.remove(seq)
  const snapshot = stage.rotate()
  const left = entries.filter(({ seq }) => seq % 3 !== 1)
  expect([snapshot.length, snapshot.lastSeq]).toEqual([800, 1200])
  // Events that are removed before they are copied belong to the keys of that moment.
  stage.remove(2)
  const keys = columnsOf(snapshot.copying())
  expect(Array.from({ length: keys.length }, (_, at) => keys.keys(at))).toEqual(left.map(({ keys: of }) => of))
  expect([...keys.seq.subarray(0, keys.length)]).toEqual(left.map(({ seq }) => seq))
  expect(stage.size).toBe(799)
  stage.drop()
  expect(stage.size).toBe(0)
  expect(stage.has(left[0]?.text.event.id ?? '')).toBe(false)
})

test('two thousand tags of one event make room for themselves', () => {
  const columns = new KeyColumns()
  const tags = Array.from({ length: 5000 }, (_, at) => at)
  const keys = { prefix: 1, place: 2, kind: 3, author: 4, tags, address: undefined, expires: undefined }
  columns.add(1, keys)
  columns.add(2, { ...keys, tags: [7] })
  expect(columns.keys(0)).toEqual(keys)
  expect(columns.keys(1).tags).toEqual([7])
  expect([columns.find(1), columns.find(2), columns.find(3)]).toEqual([0, 1, -1])
})

test('an unknown id, number or address is not staged', () => {
  const stage = createStage()
  expect(stage.has(keyOf(1))).toBe(false)
  expect(stage.get(keyOf(1))).toBeUndefined()
  expect(stage.underAddress(5)).toEqual([])
  stage.remove(4)
  expect(stage.holds(4)).toBe(false)
  expect(stage.listsFor({ by: 'kind', first: [], kinds: [1] }, [])).toEqual([])
})
