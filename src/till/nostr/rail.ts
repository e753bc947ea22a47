// Payments in gift wraps over Nostr relays, and the messages that the till owes there (specification: invoicing, 4).
import type { TillSettings } from '../api.js'
import type { LetterDraft, LetterLayout, Payment } from '../model.js'
import type { PaymentRail } from '../rail.js'
import { linksOf } from './links.js'

type Notices = Pick<TillSettings, 'notifyMerchant' | 'merchantPubkey' | 'notifyPayer'>

const notifiesMerchant = ({ notifyMerchant, merchantPubkey }: Notices): boolean =>
  notifyMerchant === true && merchantPubkey !== undefined

/** For a payment over any rail. Only a payer who paid over Nostr gets the reply there, in the layout of the payer's message. */
export function messagesOnReceipt(
  { rail, payer }: Pick<Payment, 'rail' | 'payer'>,
  settings: Notices,
  layout: LetterLayout = 'plain',
): readonly LetterDraft[] {
  const drafts: LetterDraft[] = []
  const isAnswerable = rail === nostrRail.name && payer !== null
  if (isAnswerable) drafts.push({ kind: 'reply', layout })
  if (isAnswerable && settings.notifyPayer === true) drafts.push({ kind: 'thanks', layout: 'plain' })
  if (notifiesMerchant(settings)) drafts.push({ kind: 'merchant-received', layout: 'plain' })
  return drafts
}

export const messagesOnConfirmation = (settings: Notices): readonly LetterDraft[] =>
  notifiesMerchant(settings) ? [{ kind: 'merchant-confirmed', layout: 'plain' }] : []

export const nostrRail: PaymentRail = {
  name: 'nostr',
  unmatched: 'accept',
  linksOf,
  messagesOnReceipt,
  messagesOnConfirmation,
}
