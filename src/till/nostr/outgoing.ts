// A message in words: who writes to whom, and what (specification: invoicing, 4.3 and 4.7). Pure.
import { formatGrin } from '../../grin/amount/index.js'
import type { MessageKind, OutgoingMessage, Payment } from '../model.js'
import { replyContent } from './messages.js'

/** What goes into the envelope. Keys are 64 hex. */
export interface EnvelopeContent {
  readonly from: string
  readonly to: string
  readonly content: string
  readonly tags: readonly (readonly string[])[]
}

export interface Addresses {
  readonly mainPubkey: string
  readonly merchantPubkey?: string | undefined
}

/** Undefined when there is no recipient. Messages to a payer come only from the key that was paid. */
export function envelopeContentOf(
  { kind, layout }: Pick<OutgoingMessage, 'kind' | 'layout'>,
  payment: Pick<Payment, 'id' | 'amount' | 'payer' | 'recipientPubkey' | 'reply'>,
  { mainPubkey, merchantPubkey }: Addresses,
): EnvelopeContent | undefined {
  const { payer, recipientPubkey } = payment
  switch (kind) {
    case 'reply':
      if (payer === null || recipientPubkey === null) return undefined
      return {
        from: recipientPubkey,
        to: payer,
        content: replyContent(layout, { armor: payment.reply, slateId: payment.id }),
        tags: [
          ['goblin', '1'],
          ['p', payer],
        ],
      }
    case 'thanks':
      if (payer === null || recipientPubkey === null) return undefined
      return textMessage({ from: recipientPubkey, to: payer, text: noticeText(kind, payment) })
    case 'merchant-received':
    case 'merchant-confirmed':
      if (merchantPubkey === undefined) return undefined
      return textMessage({ from: mainPubkey, to: merchantPubkey, text: noticeText(kind, payment) })
  }
}

/** A message for people. */
export const textMessage = ({ from, to, text }: { from: string; to: string; text: string }): EnvelopeContent => ({
  from,
  to,
  content: text,
  tags: [['p', to]],
})

interface Facts {
  /** In GRIN, for people. */
  readonly amount: string
  readonly slateId: string
}

type Notice = Exclude<MessageKind, 'reply'>

const TEXTS: Readonly<Record<Notice, (facts: Facts) => string>> = {
  thanks: ({ amount }) => `[grinpay] Payment of ${amount} GRIN received. Thank you.`,
  'merchant-received': ({ amount, slateId }) => `[grinpay] Received ${amount} GRIN (slate ${slateId}).`,
  'merchant-confirmed': ({ amount, slateId }) => `[grinpay] Confirmed ${amount} GRIN (slate ${slateId}).`,
}

/** The words of a notice about this payment. */
export const noticeText = (kind: Notice, { id, amount }: Pick<Payment, 'id' | 'amount'>): string =>
  TEXTS[kind]({ amount: formatGrin(amount), slateId: id })
