import { expect, test } from 'vitest'
import { chartOf } from '../../../src/till/console/chart.js'
import { DAY, NOON } from '../../support/till-builders.js'

const TODAY = NOON - 12 * 3_600_000
const days = (...amounts: readonly bigint[]) =>
  amounts.map((amount, at) => ({ day: TODAY - (amounts.length - 1 - at) * DAY, count: amount === 0n ? 0 : 1, amount }))
const GRIN = 1_000_000_000n

test('the scale ends at a round number that no day exceeds', () => {
  const chart = chartOf(days(3n * GRIN, 12n * GRIN, 0n))
  expect(chart.lines.map(({ label }) => label)).toEqual(['12', '6'])
  expect(chart.bars.map(({ height }) => height)).toEqual([25, 100, 0])
  expect(chart.bars.every(({ y, height }) => y + height === chart.height)).toBe(true)
})

test('a day with the least sum is still seen', () => {
  expect(chartOf(days(1n, 1000n * GRIN)).bars[0]?.height).toBeGreaterThan(1)
})

test('bars keep to their day, and today is marked as not over', () => {
  const { bars, width, marks, rows } = chartOf(days(GRIN, GRIN, GRIN, 2n * GRIN))
  expect(bars.map(({ isOpen }) => isOpen)).toEqual([false, false, false, true])
  expect(bars.at(-1)?.x).toBeLessThan(width)
  expect(marks).toEqual(['06-28', '06-29', '07-01'])
  expect(rows.map(({ day }) => day)).toEqual(['2026-07-01', '2026-06-30', '2026-06-29', '2026-06-28'])
})

test('the summary says what the picture shows', () => {
  expect(chartOf(days(GRIN / 2n, 12n * GRIN)).summary).toBe(
    'Confirmed in the last 2 days: 12.5 GRIN in 2 payments. The highest day was 2026-07-01 with 12 GRIN.',
  )
  expect(chartOf(days(0n, 0n)).summary).toBe('No payment was confirmed in the last 2 days.')
})

test('thirty empty days have a scale too', () => {
  const { bars, lines } = chartOf(days(...Array.from({ length: 30 }, () => 0n)))
  expect([bars.length, lines[0]?.label]).toEqual([30, '1'])
})
