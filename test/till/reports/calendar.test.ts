import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Calendar, createCalendar, dayOfDate, dayText } from '../../../src/till/reports/calendar.js'

const HOUR = 3_600_000

function calendarOf(zone: string): Calendar {
  const calendar = createCalendar(zone)
  if (!calendar) throw new Error(zone)
  return calendar
}

const dayOn = (text: string): number => {
  const [year = 0, month = 0, date = 0] = text.split('-').map(Number)
  return dayOfDate(year, month, date) ?? Number.NaN
}

describe('a day', () => {
  test.each([
    ['UTC', '2026-03-29', '2026-03-29T00:00:00Z', 24],
    ['Asia/Kathmandu', '2026-03-29', '2026-03-28T18:15:00Z', 24],
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00Z', 23],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00Z', 25],
    ['Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00:00Z', 24.5],
    // Clocks go forward at midnight: the day begins at one o'clock.
    ['America/Havana', '2026-03-08', '2026-03-08T05:00:00Z', 23],
    // The islands crossed the date line: a day without a moment.
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00Z', 0],
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00Z', 24],
    ['Pacific/Kiritimati', '2026-01-01', '2025-12-31T10:00:00Z', 24],
  ])('in %s: %s begins at %s and has %d hours', (zone, text, start, hours) => {
    const { startOf } = calendarOf(zone)
    const day = dayOn(text)
    expect(new Date(startOf(day)).toISOString().replace('.000', '')).toBe(start)
    expect((startOf(day + 1) - startOf(day)) / HOUR).toBe(hours)
  })

  test('every moment belongs to exactly one, whatever the zone and the order of questions', () => {
    const zones = ['Europe/Berlin', 'America/St_Johns', 'America/Havana', 'Pacific/Apia', 'Africa/Casablanca', 'UTC']
    const moments = fc.integer({ min: 0, max: Date.UTC(2040, 0) })
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.array(moments, { maxLength: 5 }), (zone, times) => {
        const calendar = calendarOf(zone)
        for (const at of times) {
          const day = calendar.spanOf(at).day
          expect([calendar.startOf(day) <= at, at < calendar.startOf(day + 1)]).toEqual([true, true])
        }
      }),
      { numRuns: 60 },
    )
  })

  test('is what the calendars of the zone say', () => {
    const calendar = calendarOf('America/New_York')
    expect(dayText(calendar.spanOf(Date.parse('2026-07-02T03:59:59.999Z')).day)).toBe('2026-07-01')
    expect(dayText(calendar.spanOf(Date.parse('2026-07-02T04:00:00Z')).day)).toBe('2026-07-02')
  })
})

test.each(['Mars/Olympus', '', '+02:00', 'Europe/Berlin ', '../etc/passwd', 'Europe/', '1', 'é'])(
  'no zone is called "%s"',
  (name) => expect(createCalendar(name)).toBeUndefined(),
)

test.each([
  [2026, 2, 29],
  [2026, 13, 1],
  [2026, 0, 1],
  [2026, 4, 31],
  [2026, 1, 0],
])('%d-%d-%d is no day', (...date) => expect(dayOfDate(...date)).toBeUndefined())
