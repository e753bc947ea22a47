import { ApiCommand, examplesOf, idArg } from '../../cli/index.js'

export default class PaymentResend extends ApiCommand {
  static override summary = 'resend the reply to a payment over Nostr'
  static override description =
    'For a payer whose wallet never received it. Sends the stored reply to every relay again; signs nothing new.'
  static override examples = examplesOf('0436430c-2b02-624c-2032-570501212b00', '"$payment" --json')
  static override args = { payment: idArg('payment') }

  async run() {
    const { args, flags } = await this.parse(PaymentResend)
    const api = await this.api(flags)
    const payment = await api.resendReply(await this.wholeId(api, 'payment', args.payment))
    this.log(flags.quiet ? payment.payment_id : `the reply to payment ${payment.payment_id} is on its way again`)
    return payment
  }
}
