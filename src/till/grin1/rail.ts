// Plain sends to the till's grin1 address over the Foreign API, and native invoice slates (specification: invoicing, 5).
import { ENOUGH, GRACE_MS, type Match, onlyOne } from '../payments/matching.js'
import type { CheckoutTab, PaymentRail } from '../rail.js'

/** Plain sends name nothing but an amount: only one payable invoice on this rail may ask for it, whatever its mode (5.3). */
async function matchByAmount(
  ...[amount, { store }, now]: Parameters<NonNullable<PaymentRail['match']>>
): Promise<Match> {
  const equal = await store.payableOnRail(amount, now - GRACE_MS, ENOUGH)
  const match = onlyOne(equal, 'several open invoices ask for this amount, so the address alone does not tell which')
  return match ?? { kind: 'unmatched', reason: 'none asks for this amount' }
}

/** The till's own slatepack (I1), answered over Tor or by paste. */
const INVOICE_TAB: CheckoutTab = {
  id: 'invoice',
  position: 2,
  label: ({ text }) => text('tabInvoice'),
  template: 'method-invoice',
  isUsable: ({ offeredRail, slatepack }, { methods }) =>
    methods.includes('slatepack') && offeredRail === 'grin1' && slatepack !== null,
  view: ({ slatepack }, { code }, { text }) => {
    const i1 = slatepack ?? ''
    return { i1, i1Qr: i1 === '' ? '' : code(i1, { ariaLabel: text('codeOfInvoice'), level: 'L' }) }
  },
  form: 'handIn',
}

/** A plain send to the till's address over Tor. */
const ADDRESS_TAB: CheckoutTab = {
  id: 'address',
  position: 3,
  label: ({ text }) => text('tabAddress'),
  template: 'method-address',
  isUsable: (_, { methods, plainSend }) => methods.includes('slatepack') && plainSend,
  view: (_, { address, code }, { text }) => ({ addressQr: code(address, { ariaLabel: text('codeOfAddress') }) }),
  terminal: { rail: 'grin1', hasSend: true },
}

export const grin1Rail: PaymentRail = {
  name: 'grin1',
  // A refused plain send costs its sender nothing.
  unmatched: 'refuse',
  finalizes: true,
  issuesSlate: true,
  takesPlainSends: true,
  match: matchByAmount,
  isOffered: ({ grin1Rail: isOn }) => isOn === true,
  tabs: [INVOICE_TAB, ADDRESS_TAB],
}
