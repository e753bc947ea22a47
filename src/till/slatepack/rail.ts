// Slatepacks that a payer pastes on the checkout page; the page shows the reply (specification: invoicing, 2.7).
import type { CheckoutTab, PaymentRail } from '../rail.js'

/** Works with every wallet, so the checkout falls back to it. */
export const PASTE_TAB: CheckoutTab = {
  id: 'slatepack',
  position: 4,
  label: ({ text }) => text('tabSlatepack'),
  template: 'method-slatepack',
  isUsable: (_, { methods }) => methods.includes('slatepack'),
  form: 'getReply',
  terminal: { rail: 'slatepack', hasSend: true },
}

export const slatepackRail: PaymentRail = {
  name: 'slatepack',
  unmatched: 'accept',
  isPasted: true,
  tabs: [PASTE_TAB],
}
