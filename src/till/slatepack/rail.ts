// Slatepacks that a payer pastes on the checkout page; the page shows the reply (specification: invoicing, 2.7).
import type { PaymentRail } from '../rail.js'

export const slatepackRail: PaymentRail = { name: 'slatepack', unmatched: 'accept' }
