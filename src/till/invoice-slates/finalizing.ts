// An I2 that comes back for an invoice's own slate (specification: invoicing, 2.7 and 5.4; grin-wallet, 4.3).
//
// When the process dies between two steps: before the store's transaction nothing was released, and the next start closes the
// slate, so the payer answers a fresh one; after it everything is there (I3, transaction, event), the push loop finds the
// transaction due, and the same I2 is answered with the stored I3. Signing happens before the transaction and may happen twice
// with the same nonce, but what is signed leaves this function only when the transaction took it: exactly one I2 per slate.
import { equalBytes } from '../../lib/bytes.js'
import type { PasteReply } from '../api.js'
import { checkSlateTime, type Tips } from '../confirmation/tips.js'
import {
  invoiceNotFound,
  invoiceSlateClosed,
  invoiceSlateElsewhere,
  invoiceSlateUnknown,
  invoiceSlateUsed,
  notAnInvoiceReply,
} from '../errors.js'
import type { Lock } from '../locks.js'
import { type Invoice, type InvoiceSlate, invoiceMeant, type RailName } from '../model.js'
import type { IncomingSlate, TillParts } from '../parts.js'
import { checkPayable, type Recording, refuseClosed } from '../payments/acceptance.js'
import { type InvoiceProgress, withProgress } from '../payments/slate-states.js'

export interface FinalizingParts extends Pick<TillParts, 'store'> {
  readonly lock: Lock
  readonly tips: Tips
  readonly record: Recording
  /** A transaction is due for the node. */
  readonly kickPushes: () => void
}

/** Where an I2 came from. */
interface InvoiceReply {
  readonly slate: IncomingSlate
  readonly rail: RailName
  /** Invoices that ended by then are closed; epoch milliseconds. */
  readonly cutoff: number
  /** The invoice on whose page it was pasted. */
  readonly page?: Invoice & InvoiceProgress
}

export type Finalize = (reply: InvoiceReply) => Promise<PasteReply>

/** Answers the I3. Throws the refusal that the payer reads; the honest I2 still works after every refused one. */
export function createFinalizing({ store, lock, tips, record, kickPushes }: FinalizingParts): Finalize {
  /** The stored I3 for the same I2; another I2 for the same slate is refused, as is an I2 under the id of an ordinary payment. */
  async function repeatOf({ slate, page }: InvoiceReply): Promise<PasteReply | undefined> {
    const payment = await store.paymentById(slate.id)
    if (!payment) return undefined
    if (page && invoiceMeant(payment) !== page.id) throw invoiceSlateElsewhere()
    if (!equalBytes(payment.s1Digest, slate.digest)) throw invoiceSlateUsed()
    return { payment, slatepack: payment.reply, repeated: true }
  }

  /** The slate this I2 answers, if it may be answered here. */
  async function openSlate({ slate, page }: InvoiceReply): Promise<InvoiceSlate> {
    const open = await store.invoiceSlate(slate.id)
    if (!open) throw invoiceSlateUnknown()
    if (page && open.invoiceId !== page.id) throw invoiceSlateElsewhere()
    return open
  }

  /** Status, time and price of the invoice are judged before anything is signed. */
  async function payableInvoice(open: InvoiceSlate, cutoff: number): Promise<Invoice> {
    const invoice = await store.invoiceById(open.invoiceId)
    if (!invoice) throw invoiceNotFound()
    checkPayable(await withProgress(invoice, store), invoice, cutoff)
    if (open.state !== 'open' || open.amount !== invoice.amount) throw invoiceSlateClosed()
    return invoice
  }

  async function complete(reply: InvoiceReply): Promise<PasteReply> {
    const { slate, rail, cutoff } = reply
    const open = await openSlate(reply)
    const invoice = await payableInvoice(open, cutoff)
    const { i3, reply: armor, excess, transaction } = await slate.finalize(open, tips.lastKnown())
    const { amount } = invoice
    const answer = await record(
      { slate: { ...slate, amount }, rail, invoice, userId: null, cutoff },
      { s2: i3, reply: armor, commitment: open.commitment, excess, proof: null },
      { keyIndex: open.keyIndex, finished: { slateId: open.slateId, transaction } },
    )
    if (!answer.repeated) kickPushes()
    return answer
  }

  return async (reply) => {
    const { slate, page } = reply
    if (slate.state !== 'I2') throw notAnInvoiceReply(slate.state)
    const repeat = await repeatOf(reply)
    if (repeat) return repeat
    const { invoiceId } = await openSlate(reply)
    if (page) refuseClosed(page)
    await checkSlateTime(slate, tips)
    return lock(`slate:${slate.id}`, () =>
      lock(`invoice:${invoiceId}`, async () => (await repeatOf(reply)) ?? complete(reply)),
    )
  }
}
