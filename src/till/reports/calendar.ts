// Days of a time zone. A day is the number of days since 1970-01-01 of the calendar; it lasts 23 or 25 hours where clocks change, and it
// begins later than at midnight where that midnight does not exist.
import { reportDateInvalid, reportRangeBackwards, reportRangeTooLong, reportZoneUnknown } from './errors.js'
import type { ReportRequest } from './model.js'

const DAY_MS = 86_400_000
/** Further from UTC than a zone ever was since 1970, one change of the clock included. */
const MOST_OFFSET_MS = 26 * 3_600_000
const NEARBY_MS = 1_800_000

export interface Calendar {
  /** As asked for. */
  readonly zone: string
  /** The day on the calendars of the zone at this moment. */
  dayAt(at: number): number
  /** The first moment of a day. Every moment belongs to one day: a day ends where the next one starts. */
  startOf(day: number): number
  /** The day of a sale, by those starts. Cheap for moments in order. */
  spanOf(at: number): DaySpan
}

/** A day with its first moment and that of the next. */
interface DaySpan {
  readonly day: number
  readonly start: number
  readonly end: number
}

/** `YYYY-MM-DD` of a day from 1970 to 9999. */
export const dayText = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** A day of the calendar; undefined when there is none, such as 30 February. */
export function dayOfDate(year: number, month: number, date: number): number | undefined {
  const at = Date.UTC(year, month - 1, date)
  const same = new Date(at)
  if (same.getUTCFullYear() !== year || same.getUTCMonth() !== month - 1) return undefined
  return at / DAY_MS
}

/** Names of the IANA list; offsets such as +02:00 are none. */
const ZONE = /^[A-Za-z][\w+-]*(\/[\w+-]+)*$/

/** Undefined for a name that the platform does not know. */
export function createCalendar(zone: string): Calendar | undefined {
  const format = formatOf(zone)
  if (!format) return undefined

  function dayAt(at: number): number {
    const parts = new Map(format?.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
    return Date.UTC(parts.get('year') ?? 0, (parts.get('month') ?? 1) - 1, parts.get('day') ?? 1) / DAY_MS
  }

  /** The start that was found last. */
  let last = { day: Number.NaN, start: Number.NaN }

  function startOf(day: number): number {
    const usual = last.start + (day - last.day) * DAY_MS
    const start = isStart(usual, day) ? usual : search(day)
    last = { day, start }
    return start
  }

  /** Only the days between change here, and the clocks do not. */
  const isStart = (at: number, day: number): boolean =>
    !Number.isNaN(at) &&
    dayAt(at) === day &&
    dayAt(at - 1) === day - 1 &&
    dayAt(at + NEARBY_MS) === day &&
    dayAt(at - NEARBY_MS) === day - 1

  /** By halving: about 28 looks at the zone. */
  function search(day: number): number {
    let before = day * DAY_MS - MOST_OFFSET_MS
    let after = day * DAY_MS + MOST_OFFSET_MS
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2)
      if (dayAt(middle) >= day) after = middle
      else before = middle
    }
    return after
  }

  let known: DaySpan = { day: 0, start: 0, end: 0 }

  function spanOf(at: number): DaySpan {
    if (at >= known.start && at < known.end) return known
    let day = dayAt(at)
    let start = startOf(day)
    // Where clocks went back over midnight, the first minutes of a day come twice.
    while (at < start) start = startOf(--day)
    let end = startOf(day + 1)
    while (at >= end) {
      day += 1
      start = end
      end = startOf(day + 1)
    }
    known = { day, start, end }
    return known
  }

  return { zone, dayAt, startOf, spanOf }
}

function formatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  if (!ZONE.test(timeZone)) return undefined
  try {
    return new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
      timeZone,
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
    })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

// From a request to the days and moments of a report. Every refusal names the value.

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
