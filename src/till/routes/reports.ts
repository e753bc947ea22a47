// Sums of sales for the operator's books, with the admin token.
import { z } from 'zod'
import { ok, parseQuery, type ViewOf } from '../../http/index.js'
import { countSchema as count, timeSchema as time } from '../../lib/api-schemas.js'
import { momentText } from '../../lib/moment-text.js'
import { grinText } from '../reports/fiat.js'
import { reportCsv } from '../reports/fold.js'
import { GROUPINGS, type Report, type ReportGroup, type SaleSum, type Sum } from '../reports/model.js'
import { failing, guarded, type TillRoute } from './parts.js'
import { nanogrinJson } from './print.js'
import { nanogrin } from './schemas.js'

// The JSON of a report and the query that asks for it, as zod schemas. Members are only ever added.

const bound = (what: string) => z.string().max(64, { error: 'must be a day or a month' }).optional().describe(what)

const reportQuery = z.object({
  by: z
    .enum(GROUPINGS, { error: 'by must be day, month, currency or rail' })
    .describe('What the sales are grouped by.'),
  from: bound('First day (`2026-07-01`) or month (`2026-07`); absent: this month.'),
  to: bound('Last day or month, included; absent: today.'),
  zone: z
    .string()
    .max(64, { error: 'zone must be a name of the IANA list, such as Europe/Berlin' })
    .optional()
    .describe('Time zone of the days, a name of the IANA list; absent: UTC.'),
})

const sum = { count, amount: nanogrin, amount_grin: z.string() }
const sales = {
  ...sum,
  prices: z
    .array(
      z.strictObject({
        currency: z.string().describe('Upper case; `GRIN` for sales without a value in fiat money.'),
        ...sum,
        fiat: z.string().nullable().describe('Sum of the values, exact; null for `GRIN`.'),
        sources: z.array(z.string()).describe('Where the rates came from.'),
        tips: z.string().nullable().describe('The part that is tips, in `currency`; null: none.'),
        converted: count.describe('Sales priced in GRIN that count at the rate stored with them.'),
      }),
    )
    .describe('By the currency of the value. Their sums are the sums of the group.'),
}

const day = z.string().meta({ format: 'date', examples: ['2026-07-01'] })

/** GET /admin/report. */
export const reportSchema = z
  .strictObject({
    by: z.enum(GROUPINGS),
    from: day,
    to: day.describe('Included.'),
    zone: z.string(),
    starts_at: time,
    ends_at: time.describe('The first moment that no longer counts.'),
    groups: z
      .array(z.strictObject({ group: z.string().describe('A day, a month, a currency or a rail.'), ...sales }))
      .describe('Only groups with a sale.'),
    total: z.strictObject(sales).describe('All sales: confirmed payments that settled an invoice.'),
    users: z.strictObject(sum).describe('Confirmed payments to the keys of users.'),
    unmatched: z.strictObject(sum).describe('Confirmed payments without an invoice or user.'),
    confirmed: z.strictObject(sum).describe('All three; over all time `balance.confirmed` of the status.'),
    fees: z.literal(0).describe('The till takes none, and payers pay those of the chain.'),
  })
  .meta({ id: 'Report' })
export type ReportView = ViewOf<typeof reportSchema>

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
  starts_at: momentText(report.startsAt),
  ends_at: momentText(report.endsAt),
  groups: report.groups.map(groupView),
  total: salesView(report.total),
  users: sumView(report.users),
  unmatched: sumView(report.unmatched),
  confirmed: sumView(report.confirmed),
  fees: 0,
})
