// Plain sends to the till's grin1 address over the Foreign API, and native invoice slates (specification: invoicing, 5).
import { ENOUGH, GRACE_MS, type Match, onlyOne } from '../payments/matching.js'
import type { PaymentRail } from '../rail.js'

/** Plain sends name nothing but an amount: only one payable invoice on this rail may ask for it, whatever its mode (5.3). */
async function matchByAmount(
  ...[amount, { store }, now]: Parameters<NonNullable<PaymentRail['match']>>
): Promise<Match> {
  const equal = await store.payableOnRail(amount, now - GRACE_MS, ENOUGH)
  const match = onlyOne(equal, 'several open invoices ask for this amount, so the address alone does not tell which')
  return match ?? { kind: 'unmatched', reason: 'none asks for this amount' }
}

export const grin1Rail: PaymentRail = {
  name: 'grin1',
  // A refused plain send costs its sender nothing.
  unmatched: 'refuse',
  match: matchByAmount,
  isOffered: ({ grin1Rail: isOn }) => isOn === true,
}
