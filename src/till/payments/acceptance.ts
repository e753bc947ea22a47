// Accepting a payment: who pays what, what is stored, and which reply or refusal the payer gets; `createRecording` below stores it.
import { equalBytes } from '../../lib/bytes.js'
import type { PasteReply } from '../api.js'
import type { Tips } from '../confirmation/tips.js'
import { invoiceExpired, invoiceSlateClosed, slateIdUsed, wrongAmount } from '../errors.js'
import { next } from '../invoices/transitions.js'
import type { Invoice, MessageLayout, Payment, RailName } from '../model.js'
import type { IncomingSlate, ReceivedSlate, TillParts } from '../parts.js'
import type { AcceptExtras, AcceptPaymentAnswer } from '../ports.js'
import type { Rails } from '../rails.js'
import { paymentEvent } from '../webhooks/events.js'
import { closedRefusal, type InvoiceProgress } from './slate-states.js'

/** An S1 that came over a rail other than an invoice's own page. */
export interface RailOffer {
  readonly slate: IncomingSlate
  readonly rail: RailName
  /** 64 hex: the key it was addressed to. */
  readonly recipientPubkey?: string
  readonly subject?: string
  /** 64 hex: who sent it. */
  readonly payer?: string
  /** How the sender's message was laid out, where the reply is a message. */
  readonly layout?: MessageLayout
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
export function refuseClosed(invoice: InvoiceProgress): void {
  const refusal = closedRefusal(invoice)
  if (refusal) throw refusal
}

/** Throws the refusal for an invoice that takes no payment, also before the sweep has closed it. */
export function refuseEnded(invoice: InvoiceProgress): never {
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
interface PaymentContext {
  readonly keyIndex: number
  readonly now: number
  readonly receivedHeight: number
}

/** The payment as it is stored, before its reply leaves. */
function paymentOf(
  { slate, rail, invoice, userId, payer, recipientPubkey }: Acceptance,
  { s2, reply, commitment, excess, proof }: ReceivedSlate,
  { keyIndex, now, receivedHeight }: PaymentContext,
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

/** Throws unless this invoice can take this slate: it has no payment yet, had not ended by `cutoff`, and asks for the same amount. */
export function checkPayable(
  invoice: Invoice & InvoiceProgress,
  { amount }: Pick<IncomingSlate, 'amount'>,
  cutoff: number,
): void {
  if (invoice.paymentId !== null || !next(invoice.status, 'payment-accepted')) refuseClosed(invoice)
  if (invoice.expiresAt !== null && invoice.expiresAt <= cutoff) throw invoiceExpired()
  if (invoice.amount !== amount) throw wrongAmount(amount, invoice.amount)
}

// Stores an accepted payment in one transaction with its event and messages, then wakes pages, webhooks and messages.

interface RecordingParts extends TillParts {
  readonly rails: Rails
  readonly tips: Tips
  readonly announce: (invoiceId: string) => void
  readonly kickWebhooks: () => void
}

export type Recording = (
  acceptance: Acceptance,
  received: ReceivedSlate,
  extras: { readonly keyIndex: number } & Pick<AcceptExtras, 'finished'>,
) => Promise<PasteReply>

/** No reply may be handed out before this resolves. Throws the refusal when the invoice was paid or ended meanwhile. */
export function createRecording(parts: RecordingParts): Recording {
  const { store, clock, settings, random, rails, tips, log } = parts

  function announcePayment({ id, invoiceId, userId, rail }: Payment): void {
    if (invoiceId === null) log.info({ payment: id, rail, user: userId }, 'unmatched payment')
    else {
      log.info({ invoice: invoiceId, to: 'paid', payment: id, rail }, 'invoice paid')
      parts.announce(invoiceId)
    }
    parts.kickWebhooks()
    parts.messages?.kick()
  }

  return async (acceptance, received, { keyIndex, finished }) => {
    const { invoice, cutoff, layout } = acceptance
    const now = clock.now()
    const payment = paymentOf(acceptance, received, { keyIndex, now, receivedHeight: tips.lastKnown() })
    const event = paymentEvent({ type: 'payment.received', payment, invoice }, settings.webhooks, random, now)
    const extras = { messages: rails.messagesOnReceipt(payment, settings, layout), ...(finished && { finished }) }
    const reply = replyOf(await store.acceptPayment(payment, event, now, cutoff, extras), payment, acceptance)
    if (!reply.repeated) announcePayment(payment)
    return reply
  }
}
