// The pure half of accepting a payment: who pays what, what is stored, and which reply or refusal the payer gets.
import { equalBytes } from '../../lib/bytes.js'
import type { PasteReply } from '../api.js'
import { invoiceExpired, invoiceSlateClosed, slateIdUsed, wrongAmount } from '../errors.js'
import { next } from '../invoices/transitions.js'
import type { Invoice, LetterLayout, Payment, RailName } from '../model.js'
import type { IncomingSlate, ReceivedSlate } from '../parts.js'
import type { AcceptPaymentAnswer } from '../ports.js'
import { closedRefusal } from './slate-states.js'
import type { Standing } from './standing.js'

/** An S1 that came over a rail other than an invoice's own page. */
export interface RailOffer {
  readonly slate: IncomingSlate
  readonly rail: RailName
  /** 64 hex: the key it was addressed to. */
  readonly recipientPubkey?: string
  readonly subject?: string
  /** 64 hex: who sent it. */
  readonly payer?: string
  /** How the sender's message was laid out, where the reply is a letter. */
  readonly layout?: LetterLayout
  /** Epoch milliseconds, now by default: an invoice that ended since then can still be paid by it. */
  readonly arrivedAt?: number
}

/** Who pays what to whom, once that is decided. */
export interface Acceptance extends RailOffer {
  readonly invoice: Invoice | null
  readonly userId: string | null
  /** Invoices that ended by then are closed. */
  readonly cutoff: number
}

/** The stored reply for the same slate of the same payer; anything else with this id is refused. Throws SLATE_ID_USED. */
export function repeatedReply(
  payment: Payment,
  slate: IncomingSlate,
  belongs: (payment: Payment) => boolean,
): PasteReply {
  if (!belongs(payment) || !equalBytes(payment.s1Digest, slate.digest)) throw slateIdUsed()
  return { payment, slatepack: payment.reply, repeated: true }
}

/** Throws the refusal for an invoice that is no longer open. */
export function refuseClosed(invoice: Standing): void {
  const refusal = closedRefusal(invoice)
  if (refusal) throw refusal
}

/** Throws the refusal for an invoice that takes no payment, also before the sweep has closed it. */
export function refuseEnded(invoice: Standing): never {
  refuseClosed(invoice)
  throw invoiceExpired()
}

/** What the payer gets for the store's answer; throws the refusal. */
export function replyOf(answer: AcceptPaymentAnswer, payment: Payment, { slate, invoice }: Acceptance): PasteReply {
  switch (answer.outcome) {
    case 'accepted':
      return { payment, slatepack: payment.reply, repeated: false }
    case 'known-slate':
      return repeatedReply(answer.payment, slate, ({ invoiceId }) => invoiceId === (invoice?.id ?? null))
    case 'other-amount':
      throw wrongAmount(slate.amount, answer.amount)
    case 'not-open':
      return refuseEnded(answer)
    case 'slate-closed':
      throw invoiceSlateClosed()
  }
}

/** What the acceptance itself does not know. Times in epoch milliseconds. */
export interface Circumstances {
  readonly keyIndex: number
  readonly now: number
  readonly receivedHeight: number
}

/** The payment as it is stored, before its reply leaves. */
export function paymentOf(
  { slate, rail, invoice, userId, payer, recipientPubkey }: Acceptance,
  { s2, reply, commitment, excess, proof }: ReceivedSlate,
  { keyIndex, now, receivedHeight }: Circumstances,
): Payment {
  return {
    id: slate.id,
    invoiceId: invoice?.id ?? null,
    userId,
    amount: slate.amount,
    feeFields: slate.feeFields,
    rail,
    payer: payer ?? null,
    recipientPubkey: recipientPubkey ?? null,
    settlement: 'received',
    s1Digest: slate.digest,
    s2,
    reply,
    keyIndex,
    commitment,
    excess,
    proof,
    receivedHeight,
    minedHeight: null,
    confirmations: 0,
    createdAt: now,
    minedAt: null,
    confirmedAt: null,
    nextCheckAt: now,
    output: null,
    intendedInvoiceId: null,
  }
}

/** Throws unless this invoice can take this slate: it names no payment, had not ended by `cutoff`, and asks for the same amount. */
export function checkPayable(
  invoice: Invoice & Standing,
  { amount }: Pick<IncomingSlate, 'amount'>,
  cutoff: number,
): void {
  if (invoice.paymentId !== null || !next(invoice.status, 'payment-accepted')) refuseClosed(invoice)
  if (invoice.expiresAt !== null && invoice.expiresAt <= cutoff) throw invoiceExpired()
  if (invoice.amount !== amount) throw wrongAmount(amount, invoice.amount)
}
