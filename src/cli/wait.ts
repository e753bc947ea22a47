// Waiting: the real clock, the stop signals, and an invoice that a script waits for. Commands may not import the system themselves.
import type { InvoiceView, InvoicingClient } from '../client/index.js'
import { GrinpayError } from '../lib/errors.js'
import { invoiceWord } from '../lib/payment-words.js'
import { onStopSignal, type SystemClock, systemClock } from '../system/index.js'
import { endedOtherwise, waitTimedOut } from './errors.js'

export const openClock = (): SystemClock => systemClock

/** `done` resolves at the first stop signal, or when `stop` is called. */
export function stopSignal(): { readonly done: Promise<void>; readonly stop: () => void } {
  let finish: () => void = () => undefined
  const done = new Promise<void>((resolve) => {
    finish = resolve
  })
  const forget = onStopSignal(() => finish())
  return { done: done.finally(forget), stop: () => finish() }
}

/** What waiting needs to know of an invoice. */
interface Waited {
  readonly invoice_id: string
  readonly status: string
}

interface WaitParts<View extends Waited> {
  readonly read: () => Promise<View>
  readonly until: 'paid' | 'confirmed'
  readonly timeoutSeconds: number
  readonly everyMs: number
  readonly clock: SystemClock
  /** Called with the word for people when the status is another than before, and when the till does not answer for a while. */
  readonly onChange?: (text: string) => void
}

const REACHED = { paid: ['paid', 'confirmed'], confirmed: ['confirmed'] }
const OVER = ['expired', 'cancelled']

/** Of a status alone: of `paid` no more is certain than that the till has signed. */
export const statusWord = (status: string): string => invoiceWord({ status, confirmations: 0 })

/**
 * Resolves with the invoice once it is there. Throws WAIT_TIMED_OUT, or ENDED_OTHERWISE when it expired or was cancelled.
 * A till that is away in between is waited for; one that is away from the start is not.
 */
export async function waitForInvoice<View extends Waited>(parts: WaitParts<View>): Promise<View> {
  const { read, until, timeoutSeconds, everyMs, clock, onChange } = parts
  const end = clock.now() + timeoutSeconds * 1000
  let view = await read()
  onChange?.(statusWord(view.status))
  while (!REACHED[until].includes(view.status)) {
    if (OVER.includes(view.status)) throw endedOtherwise(`invoice ${view.invoice_id} is ${view.status}`)
    const left = end - clock.now()
    if (left <= 0) throw waitTimedOut(view.invoice_id, statusWord(until), statusWord(view.status), timeoutSeconds)
    await clock.sleep(Math.min(everyMs, left))
    const next = await readAgain(read, view, onChange)
    if (next.status !== view.status) onChange?.(statusWord(next.status))
    view = next
  }
  return view
}

async function readAgain<View>(
  read: () => Promise<View>,
  last: View,
  onChange?: (text: string) => void,
): Promise<View> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof GrinpayError) || error.status < 500) throw error
    onChange?.(error.message)
    return last
  }
}

// Where the payment of an invoice stands, in the words that everybody reads: the API calls an invoice `paid` from the signature on.

/** Look-ups for one page; of further invoices the list says no more than that they are signed. */
const MOST = 50
const AT_ONCE = 8

export type Settlements = ReadonlyMap<string, string>

/** By payment id, of invoices that do not say it themselves. A payment that cannot be read is left out. */
export async function settlementsOf(
  api: Pick<InvoicingClient, 'payment'>,
  invoices: readonly InvoiceView[],
): Promise<Settlements> {
  const unsaid = invoices.flatMap(({ status, confirmations, payment_id: id }) =>
    status === 'paid' && confirmations === 0 && id !== null ? [id] : [],
  )
  const known = new Map<string, string>()
  for (let at = 0; at < Math.min(unsaid.length, MOST); at += AT_ONCE)
    await Promise.all(
      unsaid.slice(at, Math.min(at + AT_ONCE, MOST)).map(async (id) => {
        const payment = await api.payment(id).catch(absent)
        if (payment) known.set(id, payment.status)
      }),
    )
  return known
}

function absent(thrown: unknown): undefined {
  if (!(thrown instanceof GrinpayError)) throw thrown
}

/** The status of an invoice for people. */
export const wordOfInvoice = (
  { status, confirmations, payment_id: id }: Pick<InvoiceView, 'status' | 'confirmations' | 'payment_id'>,
  settlements?: Settlements,
): string => invoiceWord({ status, confirmations, settlement: id === null ? null : settlements?.get(id) })
