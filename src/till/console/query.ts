// The query of a list as filters: what is not understood is left out, so that an old bookmark still shows a page.

import type { DeliveryChoice, PaymentChoice } from '../console-reads.js'
import type { InvoiceStatus, Settlement } from '../model.js'
import { INVOICE_STATUSES, SETTLEMENTS } from './labels.js'
import type { InvoiceSearch } from './search.js'

type Query = Readonly<Record<string, string>>

const LONGEST_TEXT = 100
const DAY_MS = 86_400_000

/** The fields of the filter as they were typed. */
export interface InvoiceFields {
  readonly q: string
  readonly status: string
  readonly from: string
  readonly to: string
}

const isStatus = (word: string): word is InvoiceStatus => Object.hasOwn(INVOICE_STATUSES, word)
const isSettlement = (word: string): word is Settlement => Object.hasOwn(SETTLEMENTS, word)

export const fieldsOf = ({ q = '', status = '', from = '', to = '' }: Query): InvoiceFields => ({
  q: q.trim().slice(0, LONGEST_TEXT),
  status: isStatus(status) ? status : '',
  from: midnightOf(from) === undefined ? '' : from,
  to: midnightOf(to) === undefined ? '' : to,
})

/** Days are UTC; the last one counts whole. */
export function searchOf({
  q,
  status,
  from,
  to,
}: InvoiceFields): Pick<InvoiceSearch, 'text' | 'status' | 'from' | 'to'> {
  const last = midnightOf(to)
  return {
    text: q,
    status: isStatus(status) ? status : undefined,
    from: midnightOf(from),
    to: last === undefined ? undefined : last + DAY_MS,
  }
}

function midnightOf(day: string): number | undefined {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}

export function paymentChoiceOf({ show = 'all' }: Query): PaymentChoice {
  if (show === 'waiting' || isSettlement(show)) return show
  return 'all'
}

const DELIVERIES: Readonly<Record<string, DeliveryChoice>> = {
  failed: { by: 'failed' },
  waiting: { by: 'state', state: 'pending' },
  'given-up': { by: 'state', state: 'abandoned' },
}

/** `receiver-2` and the like are choices too. */
export function deliveryChoiceOf({ show = 'all' }: Query): { readonly show: string; readonly choice: DeliveryChoice } {
  const [, receiver] = /^receiver-([1-8])$/.exec(show) ?? []
  if (receiver !== undefined) return { show, choice: { by: 'receiver', receiver: Number(receiver) } }
  const choice = Object.hasOwn(DELIVERIES, show) ? DELIVERIES[show] : undefined
  return choice ? { show, choice } : { show: 'all', choice: { by: 'all' } }
}
