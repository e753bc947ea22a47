// Where the payment of an invoice stands, in the words that everybody reads: the API calls an invoice `paid` from the signature on.
import type { InvoiceView, InvoicingClient } from '../client/index.js'
import { GrinpayError } from '../lib/errors.js'
import { invoiceWord } from '../lib/payment-words.js'

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
