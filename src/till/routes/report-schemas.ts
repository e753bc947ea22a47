// The JSON of a report and the query that asks for it, as zod schemas. Members are only ever added.
import { z } from 'zod'
import type { ViewOf } from '../../http/index.js'
import { countSchema as count, timeSchema as time } from '../../lib/api-schemas.js'
import { GROUPINGS } from '../reports/model.js'
import { nanogrin } from './schemas.js'

const bound = (what: string) => z.string().max(64, { error: 'must be a day or a month' }).optional().describe(what)

export const reportQuery = z.object({
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
