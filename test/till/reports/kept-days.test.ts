// What is over is read once: reports with kept days say what reports without any say.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ConfirmedRow, ReportStore } from '../../../src/till/index.js'
import { GROUPINGS, type ReportRequest } from '../../../src/till/reports/model.js'
import { createReports } from '../../../src/till/reports/reports.js'
import { aConfirmedRow, DAY, HOUR, MINUTE, NOON, SECOND } from '../../support/till-builders.js'

const aRow = (confirmedAt: number, over: Partial<ConfirmedRow> = {}): ConfirmedRow =>
  aConfirmedRow({ confirmedAt, ...over })

function storeOf(rows: ConfirmedRow[]): ReportStore & { read: number } {
  const store = {
    read: 0,
    confirmedRows: async ({ from, to, limit, cursor = '0' }: Parameters<ReportStore['confirmedRows']>[0]) => {
      const within = rows.filter(({ confirmedAt }) => confirmedAt >= from && confirmedAt < to)
      const sorted = within.sort((a, b) => a.confirmedAt - b.confirmedAt)
      const end = Number(cursor) + limit
      const items = sorted.slice(Number(cursor), end)
      store.read += items.length
      return { items, next: end < sorted.length ? String(end) : null }
    },
  }
  return store
}

function aTill(rows: ConfirmedRow[]) {
  const time = { now: NOON, ticks: 0 }
  const pass = (ms: number): void => {
    time.now += ms
    time.ticks += ms
  }
  const store = storeOf(rows)
  const clock = { now: () => time.now, monotonic: () => time.ticks }
  return { time, pass, store, clock, rows, ...createReports({ store, clock }) }
}

const MONTHS = { by: 'day', from: '2026-05', to: '2026-07' } as const

test('days that are over are not read again, of today only what came since', async () => {
  const till = aTill([...[40, 39, 20, 1].map((days) => aRow(NOON - days * DAY)), aRow(NOON - HOUR)])
  const first = await till.make(MONTHS)
  expect(first.total.count).toBe(5)
  till.store.read = 0
  expect(await till.make(MONTHS)).toEqual(first)
  expect(till.store.read).toBe(0)
  till.rows.push(aRow(NOON - 30 * SECOND), aRow(NOON + SECOND))
  till.pass(10 * MINUTE)
  expect((await till.make({ ...MONTHS, by: 'rail' })).total.count).toBe(7)
  expect(till.store.read).toBe(2)
})

test('a payment that is assigned counts in its new way at once', async () => {
  const till = aTill([aRow(NOON - 3 * DAY, { kind: 'unmatched' }), aRow(NOON - 2 * DAY)])
  expect((await till.make(MONTHS)).unmatched.count).toBe(1)
  till.rows[0] = aRow(NOON - 3 * DAY)
  till.store.read = 0
  till.forget(NOON - 3 * DAY)
  expect(await till.make(MONTHS)).toMatchObject({ total: { count: 2 }, unmatched: { count: 0 } })
  expect(till.store.read).toBeLessThanOrEqual(2)
})

test('what is read while a payment is assigned is not kept', async () => {
  const till = aTill([aRow(NOON - 3 * DAY, { kind: 'unmatched' })])
  const { confirmedRows } = till.store
  till.store.confirmedRows = async (span) => {
    const page = await confirmedRows(span)
    till.rows[0] = aRow(NOON - 3 * DAY)
    till.forget(NOON - 3 * DAY)
    return page
  }
  expect((await till.make(MONTHS)).unmatched.count).toBe(1)
  expect((await till.make(MONTHS)).unmatched.count).toBe(0)
})

test('a clock that was ahead and is set back makes every day be read anew', async () => {
  const till = aTill([aRow(NOON)])
  till.time.now = NOON + 2 * DAY
  expect((await till.make(MONTHS)).total.count).toBe(1)
  till.time.now = NOON
  till.rows.push(aRow(NOON + SECOND))
  expect((await till.make(MONTHS)).total.count).toBe(2)
})

test('of any reports in any order, each is what a report without kept days is', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          minutes: fc.nat(3 * 24 * 60),
          sales: fc.array(fc.record({ ago: fc.nat(59), kind: fc.constantFrom('sale', 'user', 'unmatched') }), {
            maxLength: 3,
          }),
          by: fc.constantFrom(...GROUPINGS),
          zone: fc.constantFrom('UTC', 'Europe/Berlin', 'Pacific/Kiritimati'),
          from: fc.constantFrom('2026-06', '2026-07', '2026-07-02', '2026-07-04'),
          to: fc.constantFrom('2026-07-04', '2026-07', '2026-09'),
        }),
        { maxLength: 12 },
      ),
      async (turns) => {
        const till = aTill([])
        for (const { minutes, sales, ...request } of turns) {
          till.pass(minutes * MINUTE)
          const { now } = till.time
          till.rows.push(
            ...sales.map(({ ago, kind }, at) =>
              aRow(now - ago * SECOND, { kind, rail: at === 1 ? 'grin1' : 'nostr' } as Partial<ConfirmedRow>),
            ),
          )
          const fresh = createReports({ store: storeOf([...till.rows]), clock: till.clock })
          const asked: ReportRequest = request
          expect(await till.make(asked)).toEqual(await fresh.make(asked))
        }
      },
    ),
    { numRuns: 15 },
  ))
