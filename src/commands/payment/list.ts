import { Flags } from '@oclif/core'
import { ApiCommand, type Column, grinText, listFlags, statusTint } from '../../cli/index.js'
import type { PaymentRecordView } from '../../client/index.js'

export const COLUMNS: readonly Column<PaymentRecordView>[] = [
  { title: 'PAYMENT', id: true, value: ({ payment_id }) => payment_id },
  { title: 'STATUS', value: ({ status }) => status, tint: ({ status }) => statusTint(status) },
  { title: 'AMOUNT', value: ({ amount }) => grinText(amount) },
  { title: 'DEPTH', value: (payment) => `${payment.confirmations}/${payment.confirmations_required}`, spare: 2 },
  { title: 'RAIL', value: ({ rail }) => rail, spare: 1 },
  { title: 'CREATED', value: ({ created_at }) => created_at, spare: 3 },
  { title: 'INVOICE', value: ({ invoice_id }) => invoice_id ?? '-', shrinks: true, spare: 0 },
]

export default class PaymentList extends ApiCommand {
  static override summary = 'list payments, newest first'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --unmatched',
    '<%= config.bin %> <%= command.id %> --status mined --json',
  ]
  static override enableJsonFlag = true
  static override flags = {
    ...listFlags,
    unmatched: Flags.boolean({ description: 'only payments without an invoice' }),
    status: Flags.string({
      description: 'only these',
      options: ['received', 'replied', 'seen', 'mined', 'confirmed', 'abandoned'],
    }),
  }

  async run() {
    const { flags } = await this.parse(PaymentList)
    const api = await this.api(flags)
    const { payments, next_cursor } = await api.payments({
      unmatched: flags.unmatched ? true : undefined,
      status: flags.status,
      limit: flags.limit,
      cursor: flags.cursor,
    })
    if (flags.quiet) for (const { payment_id } of payments) this.log(payment_id)
    else this.logTable(payments, COLUMNS)
    if (next_cursor !== null) this.say(`more: --cursor ${next_cursor}`)
    return { items: payments, next: next_cursor }
  }
}
