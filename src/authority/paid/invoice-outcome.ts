// What the state of an invoice means for its pending grant (specification: names, 9).
import type { InvoiceState } from '../ports.js'

/** `settled`: paid. `ended`: can never be paid, a new invoice is due. */
export type InvoiceOutcome = 'settled' | 'ended' | 'waiting'

/** Any other status, `paid` and `open` included, means `waiting`. */
const MEANING: ReadonlyMap<string, InvoiceOutcome> = new Map([
  ['confirmed', 'settled'],
  ['expired', 'ended'],
  ['cancelled', 'ended'],
])

export const invoiceOutcome = (state: InvoiceState | 'gone'): InvoiceOutcome =>
  state === 'gone' ? 'ended' : (MEANING.get(state.status) ?? 'waiting')
