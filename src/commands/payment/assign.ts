import { ApiCommand, examplesOf, idArg } from '../../cli/index.js'

export default class PaymentAssign extends ApiCommand {
  static override summary = 'attach an unmatched payment to an invoice of the same amount'
  static override aliases = ['payment:match']
  static override examples = examplesOf(
    '0436430c-2b02-624c-2032-570501212b00 9b1d6a3f0c5e4d7a8b2f1e0d9c8b7a65',
    '"$payment" "$invoice" --json',
  )
  static override args = {
    payment: idArg('payment'),
    invoice: idArg('invoice'),
  }

  async run() {
    const { args, flags } = await this.parse(PaymentAssign)
    const api = await this.api(flags)
    const id = await this.wholeId(api, 'payment', args.payment)
    const payment = await api.assignPayment(id, await this.wholeId(api, 'invoice', args.invoice))
    this.log(
      flags.quiet ? payment.payment_id : `payment ${payment.payment_id} now belongs to invoice ${payment.invoice_id}`,
    )
    return payment
  }
}
