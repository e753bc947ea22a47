// The operator sends a reply once more (specification: invoicing, 2.2).
import { ingestOff, paymentNotFound, replyNotByNostr } from '../errors.js'
import type { Payment } from '../model.js'
import type { TillParts } from '../parts.js'

/** Puts the stored S2 of a payment on its way again, to every relay. Throws PAYMENT_NOT_FOUND, REPLY_NOT_BY_NOSTR, IDENTITY_NOT_LOADED. */
export function createResend({ store, messages }: Pick<TillParts, 'store' | 'messages'>) {
  return async function resendReply(paymentId: string): Promise<Payment> {
    const payment = await store.paymentById(paymentId)
    if (!payment) throw paymentNotFound()
    if (payment.rail !== 'nostr') throw replyNotByNostr()
    if (!messages) throw ingestOff()
    const layout = (await store.messageOfPayment(paymentId, 'reply'))?.layout ?? 'plain'
    if ((await messages.requeue(paymentId, { kind: 'reply', layout })) === 'unknown-payment') throw paymentNotFound()
    return payment
  }
}
