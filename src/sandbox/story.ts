// The narrative of the sandbox: one invoice from its creation to its second signed event, printed as it happens.
import type { InvoicingClient } from '../client/index.js'
import { qrText } from '../lib/qr.js'
import type { SystemClock } from '../system/index.js'
import { storyStuck } from './errors.js'
import type { EventFeed } from './events.js'
import type { SignedPayment } from './payer.js'
import type { Print } from './printer.js'

export interface StoryParts {
  readonly api: Pick<InvoicingClient, 'createInvoice' | 'invoice'>
  /** Pays as a customer with a Nostr wallet does. */
  readonly pay: (invoice: View) => Promise<SignedPayment>
  readonly events: EventFeed
  readonly print: Print
  readonly clock: SystemClock
  /** When the person pressed enter, epoch milliseconds. */
  readonly startedAt: number
  readonly signal: AbortSignal
  /** Nanogrin. */
  readonly amount?: number
  /** Called when the payment is with the node. */
  readonly afterPaying?: () => void
}

export interface ScriptResult {
  readonly invoiceId: string
  readonly payUrl: string
  /** From `startedAt` to the second event. */
  readonly seconds: number
  /** The name that resolves in the end, when its script ran too. */
  readonly name?: string
}

const AMOUNT = 1_500_000_000
const LOOK_EVERY_MS = 100
const PATIENCE_MS = 120_000

export type View = Awaited<ReturnType<InvoicingClient['invoice']>>

type FollowParts = Pick<StoryParts, 'clock' | 'print' | 'signal'> & { readonly api: Pick<StoryParts['api'], 'invoice'> }

/** What a line says of an invoice as it is now. */
const progressOf = ({ status, confirmations, confirmations_required }: View): string =>
  status === 'paid' ? `paid, ${confirmations} of ${confirmations_required} confirmations` : status

/** Prints every change until the invoice is confirmed. Throws SANDBOX_STUCK after two minutes. */
export async function follow(created: View, parts: FollowParts): Promise<void> {
  const { api, clock, print, signal } = parts
  const deadline = clock.now() + PATIENCE_MS
  let seen = created
  while (clock.now() < deadline) {
    signal.throwIfAborted()
    const view = await api.invoice(created.invoice_id)
    const change = view.status === seen.status ? '' : `${seen.status} → `
    if (progressOf(view) !== progressOf(seen)) print(`     ${change}${progressOf(view)}`)
    seen = view
    if (view.status === 'confirmed') return
    await clock.sleep(LOOK_EVERY_MS, signal)
  }
  throw storyStuck(created.invoice_id, progressOf(seen))
}

function showCheckout(view: View, print: Print): void {
  print(`     invoice   ${view.invoice_id}`)
  print(`     amount    ${view.amount}, worth nothing`)
  print(`     checkout  ${view.pay_url}`)
}

/** Ends with something to do: the first invoice is paid, and its page only says so. */
export async function offerInvoice({
  api,
  print,
  amount = AMOUNT,
}: Pick<StoryParts, 'api' | 'print' | 'amount'>): Promise<View> {
  print('An open invoice: scan the code, or open its page')
  const view = await api.createInvoice({ amount_grin: amount, order_ref: 'SANDBOX-2', memo: 'SANDBOX, play money' })
  for (const row of qrText(view.pay_url)?.split('\n') ?? []) print(`     ${row}`)
  showCheckout(view, print) // behind the code: it fills a small terminal
  return view
}

/** Creates an invoice, shows it, pays it and waits for both events. */
export async function runScript(parts: StoryParts): Promise<ScriptResult> {
  const { api, pay, events, print, clock, signal, startedAt, amount = AMOUNT, afterPaying } = parts
  print('1  The shop creates an invoice')
  const invoice = await api.createInvoice({ amount_grin: amount, order_ref: 'SANDBOX-1', memo: 'SANDBOX, play money' })
  showCheckout(invoice, print)

  print('2  The customer scans the code on that page: a slatepack goes to the till in a gift wrap,')
  print('   the answer comes back in another, and the wallet hands the transaction to the node')
  const payment = await pay(invoice)
  afterPaying?.()
  print(`     slate     ${payment.slateId}`)
  print(`     kernel    ${payment.excess}`)
  const received = events.wait('payment.received', invoice.invoice_id, signal)
  const confirmed = events.wait('payment.confirmed', invoice.invoice_id, signal)
  await Promise.all([follow(invoice, parts), received, confirmed])
  const seconds = (clock.now() - startedAt) / 1000
  print(`3  Confirmed, with both events verified, ${seconds.toFixed(1)} s after the start`)
  return { invoiceId: invoice.invoice_id, payUrl: invoice.pay_url, seconds }
}
