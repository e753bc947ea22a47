// Lists of very many tags on their way into the index tables, in several parts.
import { expect, test } from 'vitest'
import { aText, keyOf, NOW } from '../../../support/event-builders.js'
import { temporaryEvents, wrongRows } from '../../../support/event-store.js'

const LISTS = 40
const FOLLOWED = 450

const key = (index: number): string => index.toString(16).padStart(8, '0').repeat(8)
const listsOf = (offset: number) =>
  Array.from({ length: LISTS }, (_, author) =>
    aText({
      kind: 3,
      pubkey: keyOf(author + 1),
      created_at: NOW + offset,
      tags: Array.from({ length: FOLLOWED }, (_, at) => ['p', key((author * FOLLOWED + at + offset) * 99_991)]),
    }),
  )

test('thirty-six thousand rows, half of them of lists that were replaced, are written and erased to the last one', async () => {
  const files = temporaryEvents()
  for (const offset of [0, 225]) {
    const store = await files.open()
    expect(store.append(listsOf(offset))).toEqual(Array.from({ length: LISTS }, () => 'stored'))
    await store.close()
  }
  expect(wrongRows(files.path)).toEqual([])
})
