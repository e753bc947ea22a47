// Payments in gift wraps over Nostr relays, and the messages that the till owes there (specification: invoicing, 4).
import { formatGrin } from '../../grin/amount/index.js'
import type { TillSettings } from '../api.js'
import type { MessageDraft, MessageLayout, Payment } from '../model.js'
import type { CheckoutTab, PaymentRail } from '../rail.js'
import { linksOf } from './links.js'

type Notices = Pick<TillSettings, 'notifyMerchant' | 'merchantPubkey' | 'notifyPayer'>

const notifiesMerchant = ({ notifyMerchant, merchantPubkey }: Notices): boolean =>
  notifyMerchant === true && merchantPubkey !== undefined

/** For a payment over whichever rail. Only a payer who paid over Nostr gets the reply there, in the layout of the payer's message. */
export function messagesOnReceipt(
  { rail, payer }: Pick<Payment, 'rail' | 'payer'>,
  settings: Notices,
  layout: MessageLayout = 'plain',
): readonly MessageDraft[] {
  const drafts: MessageDraft[] = []
  const isAnswerable = rail === nostrRail.name && payer !== null
  if (isAnswerable) drafts.push({ kind: 'reply', layout })
  if (isAnswerable && settings.notifyPayer === true) drafts.push({ kind: 'thanks', layout: 'plain' })
  if (notifiesMerchant(settings)) drafts.push({ kind: 'merchant-received', layout: 'plain' })
  return drafts
}

export const messagesOnConfirmation = (settings: Notices): readonly MessageDraft[] =>
  notifiesMerchant(settings) ? [{ kind: 'merchant-confirmed', layout: 'plain' }] : []

/** The QR code of an invoice is drawn once, with an English label; the labels of the pages hold nothing to escape. */
const labelled = (svg: string, label: string): string => svg.replace(/ aria-label="[^"]*"/, ` aria-label="${label}"`)

/** A Nostr wallet opens the pay link. The id is that of the links of earlier versions. */
const WALLET_TAB: CheckoutTab = {
  id: 'goblin',
  position: 1,
  label: ({ text }) => text('tabNostr'),
  template: 'method-nostr',
  isUsable: (_, { methods }) => methods.includes('nostr'),
  view: ({ amount, payLink, qrSvg, recipientPubkey }, { nprofile }, { text }) => ({
    payLink,
    qrSvg: labelled(qrSvg, text('codeOfPayment', { amount: formatGrin(amount) })),
    nprofile: nprofile(recipientPubkey),
  }),
  terminal: { rail: 'nostr', hasSend: false },
}

export const nostrRail: PaymentRail = {
  name: 'nostr',
  unmatched: 'accept',
  tabs: [WALLET_TAB],
  linksOf,
  messagesOnReceipt,
  messagesOnConfirmation,
}
