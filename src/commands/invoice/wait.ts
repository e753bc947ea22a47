import { Flags } from '@oclif/core'
import {
  ApiCommand,
  examplesOf,
  idArg,
  openClock,
  parseDuration,
  statusWord,
  waitForInvoice,
  wordOfInvoice,
} from '../../cli/index.js'

export default class InvoiceWait extends ApiCommand {
  static override summary = 'wait until an invoice is signed (paid) or confirmed'
  static override description =
    '--until paid waits for the signature of the till: nothing is sent yet then, so ship on confirmed. Exits 0 in that state, 5 after --timeout, 6 if the invoice expired or was cancelled.'
  static override examples = examplesOf(
    '9b1d6a3f0c5e4d7a8b2f1e0d9c8b7a65 --until confirmed --timeout 900',
    '"$id" --until paid --timeout 15m && echo signed',
  )
  static override args = { invoice: idArg('invoice') }
  static override flags = {
    until: Flags.option({
      options: ['paid', 'confirmed'] as const,
      default: 'confirmed',
      description: 'state to wait for (paid: signed, or further)',
    })(),
    timeout: Flags.string({ description: 'longest time to wait', default: '15m', helpValue: 'DURATION' }),
    every: Flags.string({ description: 'how often to ask', default: '2s', helpValue: 'DURATION' }),
  }

  async run() {
    const { args, flags } = await this.parse(InvoiceWait)
    const [timeoutSeconds, everySeconds] = [parseDuration(flags.timeout), parseDuration(flags.every)]
    const api = await this.api(flags)
    const id = await this.wholeId(api, 'invoice', args.invoice)
    const parts = {
      read: () => api.invoice(id),
      until: flags.until,
      timeoutSeconds,
      everyMs: Math.max(everySeconds, 1) * 1000,
      clock: openClock(),
      onChange: (text: string) => this.say(text),
    }
    const invoice = await this.waiting(`waiting until it is ${statusWord(flags.until)}`, () => waitForInvoice(parts))
    this.log(flags.quiet ? invoice.invoice_id : wordOfInvoice(invoice))
    return invoice
  }
}
