// What a report refuses: each refusal names the value and says what to write instead.
import { defineError } from '../../lib/errors.js'

export const reportDateInvalid = defineError('REPORT_DATE_INVALID', {
  status: 400,
  text: (member: string, value: string) => `${member} is not a day or month from 1970-01-01 to 2999-12-31: "${value}"`,
  hint: 'write a day as 2026-07-31, or a month as 2026-07',
})
export const reportRangeBackwards = defineError('REPORT_RANGE_BACKWARDS', {
  status: 400,
  text: (from: string, to: string) => `from ${from} is after to ${to}`,
  hint: 'exchange the two; both days are included',
})
export const reportRangeTooLong = defineError('REPORT_RANGE_TOO_LONG', {
  status: 400,
  text: (days: number, most: number) => `${days} days are too many for one report by day (at most ${most})`,
  hint: 'ask for fewer days, or group by month',
})
export const reportZoneUnknown = defineError('REPORT_ZONE_UNKNOWN', {
  status: 400,
  text: (zone: string) => `no time zone has this name: "${zone}"`,
  hint: 'write a name of the IANA list, such as Europe/Berlin or UTC',
})
export const reportsBusy = defineError('REPORTS_BUSY', {
  status: 503,
  text: (waiting: number) => `${waiting} reports are being made already`,
  hint: 'ask again in a minute',
})
