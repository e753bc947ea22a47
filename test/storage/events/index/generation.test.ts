// Lists of very many tags on their way into the index tables, in several parts.
import { expect, test } from 'vitest'
import { preparing } from '../../../../src/storage/events/index/generation.js'
import { indexKeysOf } from '../../../../src/storage/events/index/index-keys.js'
import { createStage } from '../../../../src/storage/events/staging/stage.js'
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

test('a generation of thousands of events is prepared in steps, and holds what was staged when it began', () => {
  const stage = createStage()
  const text = aText({ tags: [['t', 'x']] })
  const keys = indexKeysOf(text.event)
  for (let seq = 1; seq <= 20_000; seq++) stage.add({ seq, text, keys: { ...keys, prefix: seq } })
  stage.remove(7)
  const steps = preparing(stage.keys(), new Map([[-1, keys]]))
  const values: number[] = []
  let step = steps.next()
  for (; !step.done; step = steps.next()) {
    values.push(step.value)
    stage.remove(1000 + values.length)
  }
  expect(values.length).toBeGreaterThan(12)
  expect(Math.max(...values)).toBeLessThanOrEqual(32_768)
  // By id, time, kind, author and tag; the address of a note has no row.
  expect([step.value.entries.length, step.value.rows]).toEqual([20_000, 100_000])
})
