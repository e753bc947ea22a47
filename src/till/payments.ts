// Accepting a payment: everything is checked before a key is taken, and all that must be kept is kept before the reply leaves.
import { messageOf } from '../lib/errors.js'
import {
  type Acceptance,
  checkPayable,
  paymentOf,
  type RailOffer,
  refuseClosed,
  refuseEnded,
  repeatedReply,
  replyOf,
} from './acceptance.js'
import type { PasteReply } from './api.js'
import {
  invoiceNotFound,
  noInvoiceMatches,
  slateExpired,
  slateRefused,
  slateTimeUnknown,
  wrongState,
} from './errors.js'
import { paymentEvent } from './events.js'
import type { Lock } from './locks.js'
import { GRACE_MS, type Match, matchPayment } from './matching.js'
import type { Invoice, Payment } from './model.js'
import { lettersOf } from './nostr/letters-of.js'
import type { IncomingSlate, TillParts } from './parts.js'
import type { Tips } from './tips.js'

/** A height this old still decides whether a slate's time is over. */
const TIP_AGE_MS = 60_000

export interface PaymentsParts extends TillParts {
  readonly mainPubkey: string
  readonly lock: Lock
  readonly tips: Tips
  readonly announce: (invoiceId: string) => void
  readonly kickWebhooks: () => void
  /** The invoice as it is now, overdue ones expired. */
  readonly current: (invoice: Invoice | undefined) => Promise<Invoice | undefined>
}

/** The two ways in: a paste on an invoice's own page, and a rail. Both throw the refusal that the payer reads. */
export function createPayments(parts: PaymentsParts) {
  const { store, clock, wallet, tips, lock, log } = parts

  /** The stored reply when this very S1 was answered before; a refusal when its id was used for another. Other states are refused later, by name. */
  async function repeatOf(
    slate: IncomingSlate,
    belongs: (payment: Payment) => boolean,
  ): Promise<PasteReply | undefined> {
    if (slate.state !== 'S1') return undefined
    const payment = await store.paymentById(slate.id)
    if (!payment) return undefined
    return repeatedReply(payment, slate, belongs)
  }

  async function checkTime({ ttl }: IncomingSlate): Promise<void> {
    if (ttl === 0n) return
    const height = await tips.recent(TIP_AGE_MS)
    if (height === undefined) throw slateTimeUnknown()
    if (ttl <= BigInt(height)) throw slateExpired(ttl, height)
  }

  async function checkSlate(slate: IncomingSlate): Promise<void> {
    if (slate.state !== 'S1') throw wrongState(slate.state)
    if (slate.refusal !== undefined) throw slateRefused(slate.refusal)
    await checkTime(slate)
  }

  async function receive(acceptance: Acceptance): Promise<PasteReply> {
    const { slate, invoice } = acceptance
    const keyIndex = await store.takeKeyIndex()
    const received = await slate.receive(keyIndex)
    const now = clock.now()
    const payment = paymentOf(acceptance, received, { keyIndex, now, receivedHeight: tips.lastKnown() })
    const event = parts.settings.webhook
      ? paymentEvent({ type: 'payment.received', payment, invoice }, parts.random, now)
      : null
    const letters = lettersOf(payment, parts.settings, acceptance.layout)
    const answer = await store.acceptPayment(payment, event, now, acceptance.cutoff, { letters })
    const reply = replyOf(answer, payment, acceptance)
    if (reply.repeated) return reply
    tell(payment)
    return reply
  }

  function tell({ id, invoiceId, userId, rail }: Payment): void {
    if (invoiceId === null) log.info({ payment: id, rail, user: userId }, 'unmatched payment')
    else {
      log.info({ invoice: invoiceId, to: 'paid', payment: id, rail }, 'invoice paid')
      parts.announce(invoiceId)
    }
    parts.kickWebhooks()
  }

  /** The reply is about to leave. A failure here must not keep it from the payer: all that matters is stored. */
  async function markReplied(paymentId: string): Promise<void> {
    await store
      .markReplied(paymentId)
      .catch((cause: unknown) => log.warn({ payment: paymentId, cause: messageOf(cause) }, 'reply not marked'))
  }

  async function paste(token: string, text: string): Promise<PasteReply> {
    const arrivedAt = clock.now()
    const invoice = await parts.current(await store.invoiceByToken(token))
    if (!invoice) throw invoiceNotFound()
    const slate = await openFor(invoice, text)
    const belongs = (payment: Payment) => payment.invoiceId === invoice.id
    const repeat = await repeatOf(slate, belongs)
    if (repeat) return repeat
    refuseClosed(invoice.status)
    await checkSlate(slate)
    const offer = { slate, rail: 'slatepack', userId: null, cutoff: arrivedAt } as const
    return oneByOne(slate, invoice.id, async () => {
      const known = await repeatOf(slate, belongs)
      if (known) return known
      return receive({ ...offer, invoice: await payable(invoice.id, slate, arrivedAt) })
    })
  }

  /** On a closed page the state of the invoice is the answer, whatever was pasted, unless it is the payer asking again. */
  async function openFor(invoice: Invoice, text: string): Promise<IncomingSlate> {
    try {
      return await wallet.open(text)
    } catch (cause) {
      refuseClosed(invoice.status)
      throw cause
    }
  }

  /** The invoice as it is when its turn has come; whoever came first may have taken it. */
  async function payable(id: string, slate: IncomingSlate, cutoff: number): Promise<Invoice> {
    const invoice = await store.invoiceById(id)
    if (!invoice) throw invoiceNotFound()
    checkPayable(invoice, slate, cutoff)
    return invoice
  }

  const oneByOne = <T>(slate: IncomingSlate, invoiceId: string | null, work: () => Promise<T>): Promise<T> =>
    lock(`slate:${slate.id}`, () => (invoiceId === null ? work() : lock(`invoice:${invoiceId}`, work)))

  async function accept(offer: RailOffer): Promise<PasteReply> {
    const { slate, recipientPubkey, subject, arrivedAt = clock.now() } = offer
    // A reply that was sent to a Nostr key goes to no other.
    const belongs = ({ payer }: Payment) => offer.payer === undefined || payer === offer.payer
    const repeat = await repeatOf(slate, belongs)
    if (repeat) return repeat
    await checkSlate(slate)
    const { match, user } = await matchPayment({ amount: slate.amount, recipientPubkey, subject }, parts, arrivedAt)
    const invoice = await invoiceFor(match, recipientPubkey)
    return oneByOne(slate, invoice?.id ?? null, async () => {
      const known = await repeatOf(slate, belongs)
      if (known) return known
      const cutoff = arrivedAt - GRACE_MS
      const fresh = invoice && (await payable(invoice.id, slate, cutoff))
      return receive({ ...offer, invoice: fresh, userId: user?.id ?? null, cutoff })
    })
  }

  async function invoiceFor(match: Match, key: string | undefined): Promise<Invoice | null> {
    if (match.kind === 'refused') {
      const owner = key === undefined ? undefined : await store.invoiceByRecipient(key)
      if (owner) refuseEnded(owner)
      throw noInvoiceMatches(match.reason)
    }
    if (match.kind === 'unmatched') {
      if (parts.settings.unmatched === 'refuse') throw noInvoiceMatches(match.reason)
      return null
    }
    return match.invoice
  }

  return {
    async paste(token: string, text: string): Promise<PasteReply> {
      const reply = await paste(token, text)
      if (reply.payment.settlement === 'received') await markReplied(reply.payment.id)
      return reply
    },
    accept,
    markReplied,
  }
}
