import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { ReportStore } from '../../../src/till/index.js'
import { createReports } from '../../../src/till/reports/reports.js'
import { aConfirmedRow, grin, NOON } from '../../support/till-builders.js'

const ROW = aConfirmedRow()
const clock = { now: () => NOON, monotonic: () => 0 }

/** So many rows, handed out page by page. */
function storeOf(rows: number): ReportStore & { readonly pages: number[] } {
  const pages: number[] = []
  return {
    pages,
    async confirmedRows({ limit, cursor = '0' }) {
      const from = Number(cursor)
      const items = Array.from({ length: Math.min(limit, rows - from) }, () => ROW)
      pages.push(items.length)
      return { items, next: from + items.length < rows ? String(from + items.length) : null }
    },
  }
}

test('rows are read in bounded pages, and the event loop is free between them', async () => {
  const store = storeOf(10_000)
  let turns = 0
  let isMade = false
  const counting = (async () => {
    while (!isMade) {
      turns += 1
      await setImmediate()
    }
  })()
  const { total } = await createReports({ store, clock }).make({ by: 'day' })
  isMade = true
  await counting
  expect(total).toMatchObject({ count: 10_000, amount: grin(10_000) })
  expect(Math.max(...store.pages)).toBeLessThanOrEqual(128)
  expect(turns).toBeGreaterThanOrEqual(store.pages.length - 1)
})

test('nothing is read in the step that asks, which makes the calendar', async () => {
  const store = storeOf(100)
  const report = createReports({ store, clock }).make({ by: 'day' })
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
  expect(store.pages).toEqual([])
  expect((await report).total.count).toBe(100)
})

test('one report at a time; the ninth who asks is told to come again', async () => {
  const store = storeOf(600)
  const { make: report } = createReports({ store, clock })
  const answers = await Promise.allSettled(Array.from({ length: 9 }, () => report({ by: 'rail' })))
  expect(answers.map(({ status }) => status)).toEqual([...Array(8).fill('fulfilled'), 'rejected'])
  expect(answers[8]).toMatchObject({ reason: { code: 'REPORTS_BUSY', status: 503 } })
  expect((await report({ by: 'rail' })).total.count).toBe(600)
})

test('bad input takes no turn, and an aborted report reads no further', async () => {
  const store = storeOf(5_000)
  const { make: report } = createReports({ store, clock })
  await expect(report({ by: 'day', zone: 'Nowhere/Land' })).rejects.toMatchObject({ code: 'REPORT_ZONE_UNKNOWN' })
  const abort = new AbortController()
  const seen: number[] = []
  const onProgress = (payments: number): void => {
    seen.push(payments)
    if (payments > 300) abort.abort(new Error('gone'))
  }
  await expect(report({ by: 'day' }, { onProgress, signal: abort.signal })).rejects.toThrow('gone')
  expect(seen).toEqual([32, 96, 224, 352])
})
