// Waiting: the real clock, the stop signals, and an invoice that a script waits for. Commands may not import the system themselves.
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

export interface WaitParts<View extends Waited> {
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
export const wordOf = (status: string): string => invoiceWord({ status, confirmations: 0 })

/**
 * Resolves with the invoice once it is there. Throws WAIT_TIMED_OUT, or ENDED_OTHERWISE when it expired or was cancelled.
 * A till that is away in between is waited for; one that is away from the start is not.
 */
export async function waitForInvoice<View extends Waited>(parts: WaitParts<View>): Promise<View> {
  const { read, until, timeoutSeconds, everyMs, clock, onChange } = parts
  const end = clock.now() + timeoutSeconds * 1000
  let view = await read()
  onChange?.(wordOf(view.status))
  while (!REACHED[until].includes(view.status)) {
    if (OVER.includes(view.status)) throw endedOtherwise(`invoice ${view.invoice_id} is ${view.status}`)
    const left = end - clock.now()
    if (left <= 0) throw waitTimedOut(view.invoice_id, wordOf(until), wordOf(view.status), timeoutSeconds)
    await clock.sleep(Math.min(everyMs, left))
    const next = await readAgain(read, view, onChange)
    if (next.status !== view.status) onChange?.(wordOf(next.status))
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
