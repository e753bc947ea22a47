import { Flags } from '@oclif/core'
import {
  ApiCommand,
  amountText,
  type Column,
  examplesOf,
  pageFlags,
  SETTLEMENT_WORDS,
  statusTint,
} from '../../cli/index.js'
import type { PaymentRecordView } from '../../client/index.js'

export const COLUMNS: readonly Column<PaymentRecordView>[] = [
  { title: 'PAYMENT', id: true, value: ({ payment_id }) => payment_id },
  { title: 'STATUS', value: ({ status }) => SETTLEMENT_WORDS[status], tint: ({ status }) => statusTint(status) },
  { title: 'AMOUNT', value: ({ amount }) => amountText(amount) },
  { title: 'DEPTH', value: (payment) => `${payment.confirmations}/${payment.confirmations_required}`, spare: 2 },
  { title: 'RAIL', value: ({ rail }) => rail, spare: 1 },
  { title: 'CREATED', value: ({ created_at }) => created_at, spare: 3 },
  { title: 'INVOICE', value: ({ invoice_id }) => invoice_id ?? '-', shrinks: true, spare: 0 },
]

export default class PaymentList extends ApiCommand {
  static override summary = 'list payments, newest first'
  static override examples = examplesOf('--unmatched', '--status mined --json')
  static override flags = {
    ...pageFlags,
    unmatched: Flags.boolean({ description: 'only payments without an invoice' }),
    status: Flags.string({
      description: 'only these (received and replied: signed)',
      options: Object.keys(SETTLEMENT_WORDS),
    }),
  }

  async run() {
    const { flags } = await this.parse(PaymentList)
    const api = await this.api(flags)
    const filter = { unmatched: flags.unmatched ? true : undefined, status: flags.status }
    return this.logPages((page) => api.payments({ ...filter, ...page }), flags, COLUMNS)
  }
}
