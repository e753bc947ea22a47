import { describe, expect, test } from 'vitest'
import { spanOf } from '../../../src/till/reports/calendar.js'
import { NOON } from '../../support/till-builders.js'

const daysOf = (request: Partial<Parameters<typeof spanOf>[0]>) => {
  const { from, to, startsAt, endsAt } = spanOf({ by: 'day', ...request }, NOON)
  return [from, to, new Date(startsAt).toISOString(), new Date(endsAt).toISOString()]
}

describe('the days of a report', () => {
  test('by default: this month up to today', () =>
    expect(daysOf({})).toEqual(['2026-07-01', '2026-07-01', '2026-07-01T00:00:00.000Z', '2026-07-02T00:00:00.000Z']))

  test('today and this month are those of the zone', () =>
    expect(spanOf({ by: 'day', zone: 'Pacific/Kiritimati' }, NOON)).toMatchObject({
      from: '2026-07-01',
      to: '2026-07-02',
    }))

  test('a month is its first and its last day', () =>
    expect(daysOf({ from: '2026-02', to: '2026-02' }).slice(0, 2)).toEqual(['2026-02-01', '2026-02-28']))

  test('both days are included, and one day may be both', () =>
    expect(daysOf({ from: '2026-10-25', to: '2026-10-25', zone: 'Europe/Berlin' })).toEqual([
      '2026-10-25',
      '2026-10-25',
      '2026-10-24T22:00:00.000Z',
      '2026-10-25T23:00:00.000Z',
    ]))

  test('a last day alone begins with its month', () =>
    expect(daysOf({ to: '2026-05-20' }).slice(0, 2)).toEqual(['2026-05-01', '2026-05-20']))

  test('by day a report has at most 400 of them', () => expect(daysOf({ from: '2025-05-28' })[0]).toBe('2025-05-28'))

  test('by month a report may have any length', () =>
    expect(spanOf({ by: 'month', from: '1970-01', to: '2999-12' }, NOON)).toMatchObject({ to: '2999-12-31' }))
})

describe('a refusal names the value and what to write', () => {
  test.each([
    [{ from: '2026-02-30' }, 'REPORT_DATE_INVALID', 'from is not a day'],
    [{ to: 'yesterday' }, 'REPORT_DATE_INVALID', '"yesterday"'],
    [{ from: '2026-07-01T00:00:00Z' }, 'REPORT_DATE_INVALID', '"2026-07-01T00:00:00Z"'],
    [{ from: '1969-12-31' }, 'REPORT_DATE_INVALID', '"1969-12-31"'],
    [{ to: '3000-01' }, 'REPORT_DATE_INVALID', '"3000-01"'],
    [{ from: '2026-00' }, 'REPORT_DATE_INVALID', '"2026-00"'],
    [{ from: '2026-08-01' }, 'REPORT_RANGE_BACKWARDS', 'from 2026-08-01 is after to 2026-07-01'],
    [{ from: '2025-05-27' }, 'REPORT_RANGE_TOO_LONG', '401 days are too many'],
    [{ from: '1990-01-01' }, 'REPORT_RANGE_TOO_LONG', '13331 days are too many'],
    [{ zone: 'Mars/Olympus' }, 'REPORT_ZONE_UNKNOWN', '"Mars/Olympus"'],
    [{ zone: '' }, 'REPORT_ZONE_UNKNOWN', '""'],
  ])('%j: %s', (request, code, text) => {
    expect(() => daysOf(request)).toThrow(
      expect.objectContaining({ code, status: 400, message: expect.stringContaining(text), hint: expect.any(String) }),
    )
  })
})
