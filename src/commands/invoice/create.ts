import { Args, Flags } from '@oclif/core'
import {
  ApiCommand,
  amountText,
  examplesOf,
  parseAmount,
  parseDuration,
  terminalWidth,
  usage,
} from '../../cli/index.js'
import type { CreateInvoiceBody } from '../../client/index.js'
import { INVOICE_EXPIRY } from '../../lib/invoice-expiry.js'

export default class InvoiceCreate extends ApiCommand {
  static override summary = 'create an invoice and print its checkout address'
  static override examples = examplesOf(
    '1.5 --order-ref order-1001',
    '--fiat 12.50 --currency usd --memo "two coffees" --qr',
    'id=$(<%= config.bin %> <%= command.id %> 1.5 --quiet)',
  )
  static override args = { amount: Args.string({ description: 'amount in GRIN, e.g. 1.5' }) }
  static override flags = {
    nanogrin: Flags.boolean({ description: 'read AMOUNT as whole nanogrin' }),
    fiat: Flags.string({
      description: 'price in a currency instead of AMOUNT',
      dependsOn: ['currency'],
      helpValue: 'PRICE',
    }),
    currency: Flags.string({ description: 'currency of --fiat', dependsOn: ['fiat'], helpValue: 'CODE' }),
    'order-ref': Flags.string({
      description: "the shop's own reference, returned in every answer and event",
      helpValue: 'TEXT',
    }),
    memo: Flags.string({ description: 'text shown to the customer', helpValue: 'TEXT' }),
    'match-mode': Flags.string({
      description: 'how a payment is matched to the invoice',
      options: ['derived', 'memo', 'amount'],
    }),
    expires: Flags.string({ description: 'how long the invoice can be paid, e.g. 15m, 24h', helpValue: 'DURATION' }),
    'return-url': Flags.string({
      description: 'shop page that the checkout page links back to',
      helpValue: 'URL',
    }),
    'idempotency-key': Flags.string({
      description: 'repeating the command with the same key creates no second invoice',
      helpValue: 'KEY',
    }),
    qr: Flags.boolean({ description: 'print the checkout address as a QR code' }),
  }

  async run() {
    const { args, flags } = await this.parse(InvoiceCreate)
    const body = { ...priceOf(args.amount, flags), ...detailsOf(flags) }
    const api = await this.api(flags)
    const invoice = await api.createInvoice(body, flags['idempotency-key'])
    if (flags.quiet) {
      this.log(invoice.invoice_id)
      return invoice
    }
    this.log(`${invoice.pay_url}`)
    if (flags.qr) this.log(await drawn(invoice.pay_url, terminalWidth()))
    const price = invoice.fiat === null ? '' : ` for ${invoice.fiat.amount} ${invoice.fiat.currency}`
    this.say(`invoice ${invoice.invoice_id}: ${amountText(invoice.amount_nanogrin)}${price}, ${invoice.status}`)
    this.say(`next: grinpay invoice wait ${invoice.invoice_id} --until confirmed --timeout 24h`)
    return invoice
  }
}

interface PriceFlags {
  readonly nanogrin: boolean
  readonly fiat?: string | undefined
  readonly currency?: string | undefined
}

function priceOf(amount: string | undefined, { nanogrin, fiat, currency }: PriceFlags): CreateInvoiceBody {
  if (amount !== undefined && fiat !== undefined) throw usage('give either AMOUNT or --fiat, not both')
  if (amount !== undefined) return { amount_grin: Number(parseAmount(amount, nanogrin)) }
  if (fiat === undefined || currency === undefined) throw usage('give an amount in GRIN, or --fiat and --currency')
  return { amount_fiat: fiat, currency }
}

interface DetailFlags {
  readonly 'order-ref'?: string | undefined
  readonly memo?: string | undefined
  readonly 'match-mode'?: string | undefined
  readonly expires?: string | undefined
  readonly 'return-url'?: string | undefined
}

const detailsOf = (flags: DetailFlags): CreateInvoiceBody => ({
  ...(flags['order-ref'] === undefined ? {} : { order_ref: flags['order-ref'] }),
  ...(flags.memo === undefined ? {} : { memo: flags.memo }),
  ...(flags['match-mode'] === undefined ? {} : { match_mode: flags['match-mode'] }),
  ...(flags.expires === undefined ? {} : { expiry_secs: parseExpiry(flags.expires) }),
  ...(flags['return-url'] === undefined ? {} : { return_url: flags['return-url'] }),
})

/** Seconds, as a till takes them. Throws USAGE, which names the flag and what it takes. */
function parseExpiry(text: string): number {
  const seconds = parseDuration(text)
  const { least, most } = INVOICE_EXPIRY
  if (seconds < least || seconds > most)
    throw usage(`--expires ${text} is out of range: it takes ${least / 60}m (${least} s) to ${most / 86_400}d`)
  return seconds
}

/** A code that a phone reads off the screen; the library is loaded only when it is wanted. */
async function drawn(address: string, width = Number.POSITIVE_INFINITY): Promise<string> {
  const { qrText } = await import('../../lib/qr.js')
  const code = qrText(address)
  if (code === undefined) return 'the address is too long for a QR code'
  const columns = code.indexOf('\n')
  return columns > width ? `the QR code needs ${columns} columns, this terminal has ${width}` : code
}
