import { Flags } from '@oclif/core'
import {
  ApiCommand,
  type Column,
  createdBetween,
  createdFlags,
  examplesOf,
  pageFlags,
  type Settlements,
  settlementsOf,
  statusTint,
  wordOfInvoice,
} from '../../cli/index.js'
import type { InvoiceView } from '../../client/index.js'

/** `settlements`: of the payments on the page. */
export const columnsWith = (settlements: Settlements): readonly Column<InvoiceView>[] => [
  { title: 'INVOICE', id: true, value: ({ invoice_id }) => invoice_id },
  {
    title: 'STATUS',
    value: (invoice) => wordOfInvoice(invoice, settlements),
    tint: ({ status }) => statusTint(status),
  },
  { title: 'AMOUNT', value: ({ amount }) => amount, shrinks: true },
  { title: 'DEPTH', value: (invoice) => `${invoice.confirmations}/${invoice.confirmations_required}`, spare: 2 },
  { title: 'CREATED', value: ({ created_at }) => created_at, spare: 3 },
  { title: 'ORDER', value: ({ order_ref }) => order_ref, shrinks: true, spare: 1 },
]

export default class InvoiceList extends ApiCommand {
  static override summary = 'list invoices, newest first'
  static override description =
    'An invoice with the status "paid" is shown by how far its payment is: signed (nothing is sent yet), seen (on the network) or mined. --json keeps the status.'
  static override examples = examplesOf(
    '--status open',
    '--order-ref order-1001 --json',
    '--from 2026-07 --to 2026-07 --all',
  )
  static override flags = {
    ...pageFlags,
    status: Flags.string({
      description: 'only this status (paid: signed, seen or mined)',
      options: ['open', 'paid', 'confirmed', 'expired', 'cancelled'],
    }),
    'order-ref': Flags.string({ description: 'only this order', helpValue: 'TEXT' }),
    ...createdFlags,
  }

  async run() {
    const { flags } = await this.parse(InvoiceList)
    const api = await this.api(flags)
    const settlements = new Map<string, string>()
    const filter = { status: flags.status, order_ref: flags['order-ref'], ...createdBetween(flags) }
    const pageOf = async (page: { readonly limit: number }) => {
      const found = await api.invoices({ ...filter, ...page })
      if (!flags.quiet && !this.jsonEnabled())
        for (const [id, status] of await settlementsOf(api, found.items)) settlements.set(id, status)
      return found
    }
    return this.logPages(pageOf, flags, columnsWith(settlements))
  }
}
