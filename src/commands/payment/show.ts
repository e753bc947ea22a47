import { ApiCommand, amountText, examplesOf, idArg, SETTLEMENT_WORDS } from '../../cli/index.js'

export default class PaymentShow extends ApiCommand {
  static override summary = 'show one payment'
  static override examples = examplesOf(
    '0436430c-2b02-624c-2032-570501212b00',
    '0436430c-2b02-624c-2032-570501212b00 --json',
  )
  static override args = { payment: idArg('payment', ' (the slate id)') }

  async run() {
    const { args, flags } = await this.parse(PaymentShow)
    const api = await this.api(flags)
    const payment = await api.payment(await this.wholeId(api, 'payment', args.payment))
    this.logFacts(flags, payment.payment_id, [
      ['payment', payment.payment_id],
      ['status', SETTLEMENT_WORDS[payment.status]],
      ['amount', amountText(payment.amount)],
      ['confirmations', `${payment.confirmations} of ${payment.confirmations_required}`],
      ['height', payment.confirmed_height],
      ['note', payment.output === null ? null : 'its output is spent or missing; the kernel counts'],
      ['rail', payment.rail],
      ['invoice', payment.invoice_id],
      ['user', payment.user_id],
      ['payer', payment.payer],
      ['created', payment.created_at],
      ['confirmed', payment.confirmed_at],
    ])
    return payment
  }
}
