// What may happen to an invoice, as SQL: precondition and new status of every write come from the table in till/invoices/transitions.ts.
import { type Happening, statusAfter, statusesBefore } from '../../till/invoices/transitions.js'

/** `status = 'open'`, or `status IN (…)`: word by word as partial indexes have it. */
export function mayBe(happening: Happening): string {
  const [first, ...more] = statusesBefore(happening).map((status) => `'${status}'`)
  return more.length === 0 ? `status = ${first}` : `status IN (${[first, ...more].join(', ')})`
}

/** `status = 'paid'`, for SET. */
export const becomes = (happening: Happening): string => `status = '${statusAfter(happening)}'`
