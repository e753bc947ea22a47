// The fields of the report's form as a question, and addresses that ask it again.
import { GROUPINGS, type Grouping, type ReportRequest } from '../../reports/model.js'

type Query = Readonly<Record<string, string>>

const LONGEST = 64

const isGrouping = (word: string): word is Grouping => GROUPINGS.some((one) => one === word)

/** Empty fields are those that were not filled in. */
export function questionOf({ by = '', from = '', to = '', zone = '' }: Query): ReportRequest {
  const given = (text: string): string | undefined => text.trim().slice(0, LONGEST) || undefined
  return { by: isGrouping(by) ? by : 'day', from: given(from), to: given(to), zone: given(zone) }
}

/** The place of a page in a long report: 0 for the first. */
export const pageOf = ({ page = '' }: Query): number => (/^[1-9]\d{0,3}$/.test(page) ? Number(page) - 1 : 0)

/** `path` with the question and, but for the first, the page. */
export function addressOf(path: string, { by, from, to, zone }: ReportRequest, page = 0): string {
  const fields = Object.entries({ by, from, to, zone, page: page === 0 ? undefined : String(page + 1) })
  return `${path}?${new URLSearchParams(fields.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))}`
}

/** A few usual questions; days are those of UTC. */
export function usualQuestions(now: number, zone: string | undefined): readonly (readonly [string, ReportRequest])[] {
  const today = new Date(now).toISOString().slice(0, 10)
  const [year = 0, month = 0] = today.split('-').map(Number)
  const monthText = (back: number): string => new Date(Date.UTC(year, month - 1 - back)).toISOString().slice(0, 7)
  return [
    ['Today', { by: 'day', from: today, to: today, zone }],
    ['This month', { by: 'day', from: monthText(0), to: monthText(0), zone }],
    ['Last month', { by: 'day', from: monthText(1), to: monthText(1), zone }],
    ['This year', { by: 'month', from: `${year}-01`, to: `${year}-12`, zone }],
    ['Last year', { by: 'month', from: `${year - 1}-01`, to: `${year - 1}-12`, zone }],
  ]
}
