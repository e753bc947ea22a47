// Accepting a payment: everything is checked before a key is taken, and all that must be kept is kept before the reply leaves.
import { messageOf } from '../../lib/errors.js'
import type { PasteReply } from '../api.js'
import { checkSlateTime, type Tips } from '../confirmation/tips.js'
import { invoiceNotFound, noInvoiceMatches, slateRefused, tooManyUnmatched, wrongState } from '../errors.js'
import type { Finalize } from '../invoice-slates/finalizing.js'
import type { Lock } from '../locks.js'
import { type Invoice, invoiceMeant, type Payment } from '../model.js'
import type { IncomingSlate, TillParts } from '../parts.js'
import type { Rails } from '../rails.js'
import {
  type Acceptance,
  checkPayable,
  type RailOffer,
  type Recording,
  refuseClosed,
  refuseEnded,
  repeatedReply,
} from './acceptance.js'
import { GRACE_MS, type Match, matchPayment } from './matching.js'
import { closedForOthers, type InvoiceProgress, stateRefusal, withProgress } from './slate-states.js'

export interface PaymentsParts extends TillParts {
  readonly mainPubkey: string
  readonly rails: Rails
  readonly lock: Lock
  readonly tips: Tips
  readonly record: Recording
  readonly finalize: Finalize
  /** The invoice as it is now, overdue ones expired. */
  readonly current: (invoice: Invoice | undefined) => Promise<Invoice | undefined>
}

/**
 * Payments without an invoice that one key takes. An S1 costs its maker nothing, new senders are free, and every one that is taken
 * costs a range proof, a place in the database and eight days of looking for its kernel. A payment over the limit
 * is retried later rather than refused for good, so that a flood cannot shut out other payers.
 */
const UNMATCHED = { kind: 'unmatched', limit: 300, windowMs: 3_600_000 } as const

/** The two entries: a paste on an invoice's own page, and a rail. Both throw the refusal that the payer reads. */
export function createPayments(parts: PaymentsParts) {
  const { store, clock, wallet, tips, lock, log, record } = parts

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

  /** Throws what the payer should do with a slate that begins no payment; `invoice` as in `stateRefusal`. */
  async function checkState(slate: IncomingSlate, invoice: InvoiceProgress): Promise<void> {
    if (slate.state === 'S1') return
    const [payment, invoiceSlate] = await Promise.all([store.paymentById(slate.id), store.invoiceSlate(slate.id)])
    const refusal = stateRefusal(slate, { payment, invoiceSlate }, invoice)
    if (refusal) throw refusal
  }

  async function checkSlate(slate: IncomingSlate): Promise<void> {
    if (slate.refusal !== undefined) throw slateRefused(slate.refusal)
    await checkSlateTime(slate, tips)
  }

  async function receive(acceptance: Acceptance): Promise<PasteReply> {
    const keyIndex = await store.takeKeyIndex()
    return record(acceptance, await acceptance.slate.receive(keyIndex), { keyIndex })
  }

  /** Records that the reply is about to be handed out. A failure is only logged: payment and reply are stored. */
  async function markReplied(paymentId: string): Promise<void> {
    await store
      .markReplied(paymentId)
      .catch((cause: unknown) => log.warn({ payment: paymentId, cause: messageOf(cause) }, 'reply not marked'))
  }

  const pasted = parts.rails.thatCan('isPasted')

  async function paste(token: string, text: string): Promise<PasteReply> {
    const arrivedAt = clock.now()
    const found = await parts.current(await store.invoiceByToken(token))
    if (!found) throw invoiceNotFound()
    const invoice = await withProgress(found, store)
    const slate = await openFor(invoice, text)
    await checkState(slate, invoice)
    if (slate.state === 'I2') return parts.finalize({ slate, rail: pasted, cutoff: arrivedAt, page: invoice })
    const belongs = (payment: Payment) => invoiceMeant(payment) === invoice.id
    const repeat = await repeatOf(slate, belongs)
    if (repeat) return repeat
    refuseClosed(invoice)
    await checkSlate(slate)
    const offer = { slate, rail: pasted, userId: null, cutoff: arrivedAt }
    return oneByOne(slate, invoice.id, async () => {
      const known = await repeatOf(slate, belongs)
      if (known) return known
      return receive({ ...offer, invoice: await payable(invoice.id, slate, arrivedAt) })
    })
  }

  /** On a closed page the state of the invoice is the answer, whatever was pasted, unless it is the payer asking again. */
  async function openFor(invoice: InvoiceProgress, text: string): Promise<IncomingSlate> {
    try {
      return await wallet.open(text)
    } catch (cause) {
      throw closedForOthers(invoice) ?? cause
    }
  }

  /** The invoice as it is under the lock; an earlier payment may have settled it meanwhile. */
  async function payable(id: string, slate: IncomingSlate, cutoff: number): Promise<Invoice> {
    const invoice = await store.invoiceById(id)
    if (!invoice) throw invoiceNotFound()
    checkPayable(await withProgress(invoice, store), slate, cutoff)
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
    await checkState(slate, { status: 'open' })
    if (slate.state !== 'S1') throw wrongState(slate.state)
    await checkSlate(slate)
    const rail = parts.rails.named(offer.rail)
    const { match, user } = rail.match
      ? { match: await rail.match(slate.amount, parts, arrivedAt), user: undefined }
      : await matchPayment({ amount: slate.amount, recipientPubkey, subject }, parts, arrivedAt)
    const invoice = await invoiceFor(match, offer)
    return oneByOne(slate, invoice?.id ?? null, async () => {
      const known = await repeatOf(slate, belongs)
      if (known) return known
      const cutoff = arrivedAt - GRACE_MS
      const fresh = invoice && (await payable(invoice.id, slate, cutoff))
      return receive({ ...offer, invoice: fresh, userId: user?.id ?? null, cutoff })
    })
  }

  /** Throws the refusal of a payment to a key whose invoice is over. */
  async function refuseMatch(reason: string, key: string | undefined): Promise<never> {
    const owner = key === undefined ? undefined : await store.invoiceByRecipient(key)
    if (owner) refuseEnded(await withProgress(owner, store))
    throw noInvoiceMatches(reason)
  }

  async function invoiceFor(match: Match, { recipientPubkey: key, rail }: RailOffer): Promise<Invoice | null> {
    if (match.kind === 'invoice') return match.invoice
    if (match.kind === 'refused') return refuseMatch(match.reason, key)
    if ((parts.settings.unmatched ?? parts.rails.named(rail).unmatched) === 'refuse')
      throw noInvoiceMatches(match.reason)
    if (!(await store.takeUse({ ...UNMATCHED, key: key ?? rail, now: clock.now() }))) throw tooManyUnmatched()
    return null
  }

  return {
    async paste(token: string, text: string): Promise<PasteReply> {
      const reply = await paste(token, text)
      if (reply.payment.settlement === 'received') await markReplied(reply.payment.id)
      return reply
    },
    accept,
    finalize: (slate: IncomingSlate) =>
      parts.finalize({ slate, rail: parts.rails.thatCan('finalizes'), cutoff: clock.now() - GRACE_MS }),
    markReplied,
  }
}
