import { Flags } from '@oclif/core'
import { ApiCommand, type Column, listFlags, parseMoment, statusTint } from '../../cli/index.js'
import type { InvoiceView } from '../../client/index.js'

export const COLUMNS: readonly Column<InvoiceView>[] = [
  { title: 'INVOICE', id: true, value: ({ invoice_id }) => invoice_id },
  { title: 'STATUS', value: ({ status }) => status, tint: ({ status }) => statusTint(status) },
  { title: 'AMOUNT', value: ({ amount }) => amount, shrinks: true },
  { title: 'DEPTH', value: (invoice) => `${invoice.confirmations}/${invoice.confirmations_required}`, spare: 2 },
  { title: 'CREATED', value: ({ created_at }) => created_at, spare: 3 },
  { title: 'ORDER', value: ({ order_ref }) => order_ref, shrinks: true, spare: 1 },
]

export default class InvoiceList extends ApiCommand {
  static override summary = 'list invoices, newest first'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --status open',
    '<%= config.bin %> <%= command.id %> --order-ref order-1001 --json',
  ]
  static override enableJsonFlag = true
  static override flags = {
    ...listFlags,
    status: Flags.string({
      description: 'only this status',
      options: ['open', 'paid', 'confirmed', 'expired', 'cancelled'],
    }),
    'order-ref': Flags.string({ description: 'only this order', helpValue: 'TEXT' }),
    from: Flags.string({ description: 'created at or after', helpValue: 'DATE' }),
    to: Flags.string({ description: 'created before', helpValue: 'DATE' }),
  }

  async run() {
    const { flags } = await this.parse(InvoiceList)
    const api = await this.api(flags)
    const { invoices, next_cursor } = await api.invoices({
      status: flags.status,
      order_ref: flags['order-ref'],
      from: flags.from === undefined ? undefined : parseMoment(flags.from),
      to: flags.to === undefined ? undefined : parseMoment(flags.to),
      limit: flags.limit,
      cursor: flags.cursor,
    })
    if (flags.quiet) for (const { invoice_id } of invoices) this.log(invoice_id)
    else this.logTable(invoices, COLUMNS)
    if (next_cursor !== null) this.say(`more: --cursor ${next_cursor}`)
    return { items: invoices, next: next_cursor }
  }
}
