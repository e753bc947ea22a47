// The narrative of the sandbox: one invoice from its creation to its second signed event, printed as it happens.
import chalk from 'chalk'
import type { InvoicingClient, ReceivedEvent } from '../client/index.js'
import { fetchBounded, NoAnswer } from '../lib/http-request.js'
import { qrText } from '../lib/qr.js'
import type { SystemClock } from '../system/index.js'
import { forwardFailed, storyStuck } from './errors.js'
import type { SignedPayment } from './payer.js'

// Prints lines of the sandbox. Each says SANDBOX, so that it is not mistaken for real money.

export type Print = (line?: string) => void

/** Prints lines with the mark in front; colours only where chalk sees a terminal that wants them. */
export function createPrinter(write: (text: string) => void): Print {
  return (line = '') => write(`${chalk.black.bgYellow(' SANDBOX ')} ${line}`.trimEnd().concat('\n'))
}

// The shop's side of the sandbox: webhook events, verified by the receiver, as they come in and go on to the developer's own shop.

/** The members of an event that the sandbox looks at (specification: invoicing, 8.1). */
export interface SeenEvent {
  readonly eventId: string
  readonly type: string
  readonly invoiceId: string | null
}

export interface EventFeed {
  /** Takes an event from the receiver. Repeats of an event id are printed once. */
  take(event: ReceivedEvent): void
  /** Resolves when this kind of event came for this invoice, also when it came before. Rejects on abort. */
  wait(type: string, invoiceId: string, signal: AbortSignal): Promise<SeenEvent>
}

function read({ eventId, payload }: ReceivedEvent): SeenEvent {
  const members: Readonly<Record<string, unknown>> =
    typeof payload === 'object' && payload !== null ? { ...payload } : {}
  const { event_type: type, invoice_id: invoiceId } = members
  return {
    eventId,
    type: typeof type === 'string' ? type : 'unknown',
    invoiceId: typeof invoiceId === 'string' ? invoiceId : null,
  }
}

/** Calls `tell` once per event. */
export function createEventFeed(tell: (event: SeenEvent) => void): EventFeed {
  const seen: SeenEvent[] = []
  const waiting = new Set<() => void>()

  return {
    take(received) {
      const event = read(received)
      if (seen.some(({ eventId }) => eventId === event.eventId)) return
      seen.push(event)
      tell(event)
      for (const look of waiting) look()
    },
    wait(type, invoiceId, signal) {
      return new Promise((resolve, reject) => {
        const look = () => {
          const found = seen.find((event) => event.type === type && event.invoiceId === invoiceId)
          if (!found) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
        look()
      })
    },
  }
}

const TIMEOUT_MS = 15_000
const SIGNED = /^(content-type|user-agent|x-pay-.*|x-goblinpay-.*|webhook-.*)$/

/**
 * Passes an event on byte for byte with its signatures. Throws SANDBOX_FORWARD_FAILED unless the shop answers 2xx: the till then tries again, as it would with the shop itself.
 */
export async function forwardTo(url: string, { body, headers }: ReceivedEvent): Promise<void> {
  const kept = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    SIGNED.test(name) && typeof value === 'string' ? [[name, value]] : [],
  )
  const init = { method: 'POST', body, headers: kept }
  const { status } = await fetchBounded(url, init, { timeoutMs: TIMEOUT_MS, mostBytes: 0 }).catch((thrown) => {
    throw forwardFailed(url, thrown instanceof NoAnswer && thrown.isOver ? thrown.message : 'no answer')
  })
  if (status < 200 || status > 299) throw forwardFailed(url, `HTTP ${status}`)
}

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
