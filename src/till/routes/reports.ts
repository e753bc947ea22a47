// Sums of sales for the operator's books, with the admin token.
import { z } from 'zod'
import { ok, parseQuery } from '../../http/index.js'
import { reportCsv } from '../reports/csv.js'
import { grinText } from '../reports/grin-text.js'
import type { Report, ReportGroup, SaleSum, Sum } from '../reports/model.js'
import { formatTime } from '../time.js'
import type { TillRoute } from './parts.js'
import { nanogrinJson } from './print.js'
import { type ReportView, reportQuery, reportSchema } from './report-schemas.js'
import { failing, guarded } from './responses.js'

const DESCRIPTION =
  'A payment counts on the day on which it was confirmed. A fiat sum adds up the prices of the invoices as they were locked when they were paid. A sale priced in GRIN counts at the rate stored with it, if there is one, rounded to the digits of the currency.'

export const REPORT_ROUTES: readonly TillRoute[] = [
  {
    method: 'get',
    path: '/admin/report',
    id: 'readReport',
    tag: 'admin',
    summary: 'Add up sales by day, month, currency or rail',
    description: DESCRIPTION,
    auth: 'admin',
    query: reportQuery,
    responses: { ...ok('The report.', reportSchema), ...failing(400, 422, ...guarded) },
    handler:
      ({ till }) =>
      async ({ query }): Promise<ReportView> =>
        reportView(await till.report(parseQuery(reportQuery, query))),
  },
  {
    method: 'get',
    path: '/admin/report.csv',
    id: 'downloadReport',
    tag: 'admin',
    summary: 'The same report as a CSV file',
    description: `${DESCRIPTION} Each sale is in one line only, so a column can be added up.`,
    auth: 'admin',
    query: reportQuery,
    responses: {
      200: { description: 'RFC 4180, with a header, in UTF-8.', schema: z.string(), contentType: 'text/csv' },
      ...failing(400, 422, ...guarded),
    },
    handler:
      ({ till }) =>
      async ({ query }, reply): Promise<string> => {
        const text = reportCsv(await till.report(parseQuery(reportQuery, query)))
        reply.type('text/csv; charset=utf-8; header=present')
        return text
      },
  },
]

const sumView = ({ count, amount }: Sum) => ({
  count,
  amount: nanogrinJson(amount),
  amount_grin: grinText(amount),
})

const salesView = (sum: SaleSum) => ({
  ...sumView(sum),
  prices: sum.prices.map(({ count, amount, ...price }) => ({ ...price, ...sumView({ count, amount }) })),
})

const groupView = ({ key, ...sum }: ReportGroup) => ({ group: key, ...salesView(sum) })

const reportView = (report: Report): ReportView => ({
  by: report.by,
  from: report.from,
  to: report.to,
  zone: report.zone,
  starts_at: formatTime(report.startsAt),
  ends_at: formatTime(report.endsAt),
  groups: report.groups.map(groupView),
  total: salesView(report.total),
  users: sumView(report.users),
  unmatched: sumView(report.unmatched),
  confirmed: sumView(report.confirmed),
  fees: 0,
})
