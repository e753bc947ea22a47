import { Flags } from '@oclif/core'
import {
  ApiCommand,
  allItems,
  amountText,
  createdBetween,
  createdFlags,
  examplesOf,
  wholeList,
} from '../../cli/index.js'
import type { InvoiceView } from '../../client/index.js'
import { type CsvField, csvLines } from '../../lib/csv.js'

/** Columns of the CSV; only ever added at the end. */
const FIELDS: readonly CsvField<InvoiceView>[] = [
  ['invoice_id', (invoice) => invoice.invoice_id],
  ['order_ref', (invoice) => invoice.order_ref],
  ['status', (invoice) => invoice.status],
  ['amount_grin', (invoice) => amountText(invoice.amount_nanogrin).replace(' GRIN', '')],
  ['fiat_amount', ({ fiat }) => fiat?.amount ?? null],
  ['fiat_currency', ({ fiat }) => fiat?.currency ?? null],
  ['rate', ({ fiat }) => fiat?.rate ?? null],
  ['rate_source', ({ fiat }) => fiat?.source ?? null],
  ['created_at', (invoice) => invoice.created_at],
  ['paid_at', (invoice) => invoice.paid_at],
  ['confirmed_at', (invoice) => invoice.confirmed_at],
  ['confirmations', (invoice) => invoice.confirmations],
  ['payment_id', (invoice) => invoice.payment_id],
  ['memo', (invoice) => invoice.memo],
]

export default class InvoiceExport extends ApiCommand {
  static override summary = 'export invoices for accounting'
  static override description =
    'Invoices by the day on which they were created; "report" counts sales by the day on which they were confirmed. Both take the same --from and --to: a day or month is whole, the last one included.'
  static override examples = examplesOf('--from 2026-01 --to 2026-12 > 2026.csv', '--status confirmed --format json')
  static override flags = {
    format: Flags.option({
      options: ['csv', 'json'] as const,
      default: 'csv',
      description: 'csv, or json (one document, as with --json)',
    })(),
    status: Flags.string({
      description: 'only these',
      options: ['open', 'paid', 'confirmed', 'expired', 'cancelled'],
    }),
    ...createdFlags,
  }

  async run(): Promise<unknown> {
    const { flags } = await this.parse(InvoiceExport)
    const api = await this.api(flags)
    const filter = { status: flags.status, ...createdBetween(flags) }
    const invoices = allItems((page) => api.invoices({ ...filter, ...page }))
    if (this.jsonEnabled() || flags.format === 'json') {
      const list = await wholeList(invoices)
      if (!this.jsonEnabled()) this.logJson(list)
      return list
    }
    const { head, line } = csvLines(FIELDS)
    process.stdout.write(head)
    for await (const invoice of invoices) process.stdout.write(line(invoice))
    return undefined
  }
}
