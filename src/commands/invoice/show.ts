import { ApiCommand, amountText, examplesOf, facts, idArg, settlementsOf, wordOfInvoice } from '../../cli/index.js'
import type { InvoiceView } from '../../client/index.js'

export default class InvoiceShow extends ApiCommand {
  static override summary = 'show one invoice'
  static override examples = examplesOf('9b1d6a3f0c5e4d7a8b2f1e0d9c8b7a65', '9b1d6a3f0c5e4d7a8b2f1e0d9c8b7a65 --json')
  static override args = { invoice: idArg('invoice') }

  async run() {
    const { args, flags } = await this.parse(InvoiceShow)
    const api = await this.api(flags)
    const invoice = await api.invoice(await this.wholeId(api, 'invoice', args.invoice))
    if (flags.quiet) {
      this.log(invoice.invoice_id)
      return invoice
    }
    if (this.jsonEnabled()) return invoice
    this.log(
      facts([
        ['invoice', invoice.invoice_id],
        ['status', wordOfInvoice(invoice, await settlementsOf(api, [invoice]))],
        ['amount', invoice.amount],
        ['in grin', invoice.fiat === null ? null : amountText(invoice.amount_nanogrin)],
        ['rate', invoice.fiat && rateText(invoice.fiat)],
        ['confirmations', `${invoice.confirmations} of ${invoice.confirmations_required}`],
        ['order', invoice.order_ref],
        ['memo', invoice.memo],
        ['payment', invoice.payment_id],
        ['created', invoice.created_at],
        ['expires', invoice.expires_at],
        ['signed', invoice.paid_at],
        ['confirmed', invoice.confirmed_at],
        ['checkout', invoice.pay_url],
        ['back to', invoice.return_url],
      ]),
    )
    return invoice
  }
}

function rateText({ rate, currency, source, rate_at }: NonNullable<InvoiceView['fiat']>): string {
  const asOf = rate_at === null ? '' : `, as of ${rate_at}`
  return `${rate} ${currency.toLowerCase()} per GRIN (${source}${asOf})`
}
