import { Flags } from '@oclif/core'
import { ApiCommand, allItems, grinText, parseMoment, wholeList } from '../../cli/index.js'
import type { InvoiceView } from '../../client/index.js'
import { type CsvField, csvLines } from '../../lib/csv.js'

/** Columns of the CSV; only ever added at the end. */
const FIELDS: readonly CsvField<InvoiceView>[] = [
  ['invoice_id', (invoice) => invoice.invoice_id],
  ['order_ref', (invoice) => invoice.order_ref],
  ['status', (invoice) => invoice.status],
  ['amount_grin', (invoice) => grinText(invoice.amount_nanogrin).replace(' GRIN', '')],
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
  static override examples = [
    '<%= config.bin %> <%= command.id %> --from 2026-01-01 --to 2027-01-01 > 2026.csv',
    '<%= config.bin %> <%= command.id %> --status confirmed --format json',
  ]
  static override enableJsonFlag = true
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
    from: Flags.string({ description: 'created at or after', helpValue: 'DATE' }),
    to: Flags.string({ description: 'created before', helpValue: 'DATE' }),
  }

  async run(): Promise<unknown> {
    const { flags } = await this.parse(InvoiceExport)
    const api = await this.api(flags)
    const filter = {
      status: flags.status,
      from: flags.from === undefined ? undefined : parseMoment(flags.from),
      to: flags.to === undefined ? undefined : parseMoment(flags.to),
    }
    const invoices = allItems(async (page) => {
      const { invoices: items, next_cursor: next } = await api.invoices({ ...filter, ...page })
      return { items, next }
    })
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
