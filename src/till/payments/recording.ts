// Stores an accepted payment in one transaction with its event and messages, then wakes pages, webhooks and messages.

import type { PasteReply } from '../api.js'
import type { Tips } from '../confirmation/tips.js'
import type { Payment } from '../model.js'
import type { ReceivedSlate, TillParts } from '../parts.js'
import type { AcceptExtras } from '../ports.js'
import type { Rails } from '../rails.js'
import { paymentEvent } from '../webhooks/events.js'
import { type Acceptance, paymentOf, replyOf } from './acceptance.js'

export interface RecordingParts extends TillParts {
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
    parts.letters?.kick()
  }

  return async (acceptance, received, { keyIndex, finished }) => {
    const { invoice, cutoff, layout } = acceptance
    const now = clock.now()
    const payment = paymentOf(acceptance, received, { keyIndex, now, receivedHeight: tips.lastKnown() })
    const event = paymentEvent({ type: 'payment.received', payment, invoice }, settings.webhooks, random, now)
    const extras = { letters: rails.messagesOnReceipt(payment, settings, layout), ...(finished && { finished }) }
    const reply = replyOf(await store.acceptPayment(payment, event, now, cutoff, extras), payment, acceptance)
    if (!reply.repeated) announcePayment(payment)
    return reply
  }
}
