// What the state of an invoice means for the grant that waits for it (specification: names, 9).
import type { InvoiceState } from '../ports.js'

/** `settled`: it is paid for. `ended`: it can never be, another invoice is due. */
export type Verdict = 'settled' | 'ended' | 'waiting'

/** A status that is missing here, `paid` and `open` included, means: not yet. */
const MEANING: ReadonlyMap<string, Verdict> = new Map([
  ['confirmed', 'settled'],
  ['expired', 'ended'],
  ['cancelled', 'ended'],
])

export const verdictOn = (state: InvoiceState | 'gone'): Verdict =>
  state === 'gone' ? 'ended' : (MEANING.get(state.status) ?? 'waiting')
