// A till's reports in memory: what their page is tested and looked at with. One time zone answers that the report is still being made.
import type { ReportJobs } from '../../src/till/console/reports/jobs.js'
import { grin, NOON } from './till-builders.js'

type Answer = Extract<Awaited<ReturnType<ReportJobs['ask']>>, { state: 'made' }>

export const SLOW_ZONE = 'Europe/Berlin'

const salesOf = (count: number): Answer['report']['total'] => {
  const sum = { count, amount: grin(count * 12.345678901) }
  const price = {
    ...sum,
    currency: 'USD',
    fiat: (count * 0.6).toFixed(2),
    sources: ['fixed'],
    tips: '1.20',
    converted: 1,
  }
  return { ...sum, prices: [price] }
}

export const createFakeReportJobs = (): ReportJobs => ({
  async ask({ by, from = '2026-06-01', to = '2026-06-30', zone = 'UTC' }) {
    if (zone === SLOW_ZONE) return { state: 'running', payments: 184_000 }
    const keys = ['2026-06-01', '2026-06-02', '2026-06-03']
    const apart = { count: 1, amount: grin(7) }
    const groups = keys.map((key, at) => ({ key, ...salesOf(at + 1) }))
    const sums = { total: salesOf(6), users: apart, unmatched: apart, confirmed: apart }
    const report = { by, from, to, zone, startsAt: 0, endsAt: NOON, groups, ...sums }
    return { state: 'made', madeAt: NOON, report }
  },
  csv: async () => ({ from: '', to: '', text: '' }),
})
