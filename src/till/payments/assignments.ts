// An operator attaches an unmatched payment to an invoice (specification: invoicing, 2.2).
import { type Alarms, alarmSubject } from '../alarms.js'
import { assignRefused, invoiceNotFound, paymentNotFound } from '../errors.js'
import type { Lock } from '../locks.js'
import type { Payment, QueuedEvent } from '../model.js'
import type { TillParts } from '../parts.js'
import type { AssignAnswer } from '../ports.js'
import { paymentEvent } from '../webhooks/events.js'

export interface AssignParts extends TillParts {
  readonly lock: Lock
  readonly alarms: Alarms
  readonly announce: (invoiceId: string) => void
  readonly kickWebhooks: () => void
  /** Reports count a payment of this moment in another way from now on. */
  readonly forgetReported: (confirmedAt: number) => void
}

const REASONS: Readonly<Record<Exclude<AssignAnswer, 'assigned'>, () => Error>> = {
  'unknown-payment': paymentNotFound,
  'unknown-invoice': invoiceNotFound,
  'already-matched': () => assignRefused('it already belongs to an invoice'),
  'not-assignable': () => assignRefused('the payment is abandoned, or the invoice is cancelled or paid'),
  'other-amount': () => assignRefused('its amount is not the amount of the invoice'),
  moved: () => assignRefused('it changed at this very moment; try again'),
}

/** Throws PAYMENT_NOT_FOUND, INVOICE_NOT_FOUND, ASSIGN_REFUSED with the reason. */
export function createAssign(parts: AssignParts): (paymentId: string, invoiceId: string) => Promise<Payment> {
  const { store, settings, random, clock, log } = parts

  async function eventFor(payment: Payment, invoiceId: string, now: number): Promise<readonly QueuedEvent[]> {
    const invoice = (await store.invoiceById(invoiceId)) ?? null
    const type = payment.settlement === 'confirmed' ? 'payment.confirmed' : 'payment.received'
    return [paymentEvent({ type, payment, invoice }, settings.webhooks, random, now)]
  }

  async function assign(paymentId: string, invoiceId: string): Promise<Payment> {
    const payment = await store.paymentById(paymentId)
    if (!payment) throw paymentNotFound()
    const now = clock.now()
    const events = await eventFor(payment, invoiceId, now)
    const outcome = await store.assignPayment(paymentId, invoiceId, payment.settlement, events, now)
    if (outcome !== 'assigned') throw REASONS[outcome]()
    if (payment.confirmedAt !== null) parts.forgetReported(payment.confirmedAt)
    log.info({ invoice: invoiceId, payment: paymentId }, 'payment assigned by the operator')
    parts.alarms.clear(alarmSubject(paymentId)) // that its kernel settled no invoice is over
    parts.announce(invoiceId)
    parts.kickWebhooks()
    return { ...payment, invoiceId }
  }

  return (paymentId, invoiceId) => parts.lock(`payment:${paymentId}`, () => assign(paymentId, invoiceId))
}
