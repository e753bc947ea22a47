// From a request to the days and moments of a report. Every refusal names the value.
import { type Calendar, createCalendar, dayOfDate, dayText } from './calendar.js'
import { reportDateInvalid, reportRangeBackwards, reportRangeTooLong, reportZoneUnknown } from './errors.js'
import type { ReportRequest } from './model.js'

/** Of a report by day: a year and a month, so that its groups are added up and printed within a few milliseconds. */
const MOST_DAYS = 400
const FIRST_YEAR = 1970
const LAST_YEAR = 2999

interface Span {
  readonly calendar: Calendar
  /** Both are included. */
  readonly from: string
  readonly to: string
  readonly startsAt: number
  /** The first moment after the last day. */
  readonly endsAt: number
}

/** Throws REPORT_ZONE_UNKNOWN, REPORT_DATE_INVALID, REPORT_RANGE_BACKWARDS, REPORT_RANGE_TOO_LONG. */
export function spanOf(request: ReportRequest, now: number): Span {
  const { zone = 'UTC', by } = request
  const calendar = createCalendar(zone)
  if (!calendar) throw reportZoneUnknown(shortened(zone))
  const today = calendar.dayAt(now)
  const to = request.to === undefined ? today : daysOf('to', request.to).last
  const from = request.from === undefined ? firstOfMonth(Math.min(today, to)) : daysOf('from', request.from).first
  const texts = { from: dayText(from), to: dayText(to) }
  if (from > to) throw reportRangeBackwards(texts.from, texts.to)
  const days = to - from + 1
  if (by === 'day' && days > MOST_DAYS) throw reportRangeTooLong(days, MOST_DAYS)
  return { calendar, ...texts, startsAt: calendar.startOf(from), endsAt: calendar.startOf(to + 1) }
}

const firstOfMonth = (day: number): number => daysOf('from', dayText(day).slice(0, 7)).first

/** The first and the last day of what is written: a day, or a month. */
function daysOf(member: 'from' | 'to', text: string): { readonly first: number; readonly last: number } {
  const [, year, month, date] = /^(\d{4})-(\d\d)(?:-(\d\d))?$/.exec(text.trim()) ?? []
  const [y, m] = [Number(year), Number(month)]
  const first = dayOfDate(y, m, Number(date ?? 1))
  const inBounds = y >= FIRST_YEAR && y <= LAST_YEAR && m >= 1 && m <= 12
  if (first === undefined || !inBounds) throw reportDateInvalid(member, shortened(text))
  return { first, last: date === undefined ? Date.UTC(y, m, 0) / 86_400_000 : first }
}

const shortened = (text: string): string => text.slice(0, 40)
