import { ApiCommand, examplesOf, idArg } from '../../cli/index.js'

export default class InvoiceCancel extends ApiCommand {
  static override summary = 'cancel an open invoice'
  static override examples = examplesOf('9b1d6a3f0c5e4d7a8b2f1e0d9c8b7a65', '"$id" --json')
  static override args = { invoice: idArg('invoice') }

  async run() {
    const { args, flags } = await this.parse(InvoiceCancel)
    const api = await this.api(flags)
    const invoice = await api.cancelInvoice(await this.wholeId(api, 'invoice', args.invoice))
    this.log(flags.quiet ? invoice.invoice_id : `invoice ${invoice.invoice_id} is ${invoice.status}`)
    return invoice
  }
}
