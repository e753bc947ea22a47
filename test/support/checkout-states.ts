// Every state of the checkout that a payer can see, as a fake till holds it: for the browser tests and for pictures.
import { qrSvg } from '../../src/lib/qr.js'
import type { Invoice, Payment } from '../../src/till/index.js'
import { type FakeTill, I1 } from './fake-till.js'
import { aPayment, aSlateId, grin, MINUTE, NOON, SECOND } from './till-builders.js'

const LINK = `goblin:nprofile1${'qyt8wumn8ghj7un9d3shjtnyd3hj'.repeat(4)}?amount=1.5&memo=Coffee`
const fiat = { amount: '12.50', currency: 'usd', rate: '8.3333', source: 'coingecko', rateAt: NOON - 2 * MINUTE }

interface State {
  readonly invoice?: Partial<Invoice>
  readonly payment?: Partial<Payment>
  /** What follows the token in the address. */
  readonly query?: string
  /** Pasted into the form of that page. */
  readonly paste?: string
}

const COMMON: Partial<Invoice> = {
  amount: grin(1.5),
  fiat,
  memo: 'Two bags of coffee',
  orderRef: 'order-1001',
  expiresAt: NOON + 14 * MINUTE + 30 * SECOND,
  returnUrl: 'https://shop.example/orders/1001',
  payLink: LINK,
  qrSvg: qrSvg(LINK, { ariaLabel: 'Pay 1.5 GRIN' }),
  offeredRail: 'grin1',
}

export const CHECKOUT_STATES: Readonly<Record<string, State>> = {
  'open-app': { query: '?method=goblin' },
  'open-invoice': { query: '?method=invoice' },
  'open-address': { query: '?method=address' },
  'open-paste': { query: '?method=slatepack' },
  'open-refused': { query: '?method=slatepack', paste: 'BEGINSLATEPACK. bad. ENDSLATEPACK.' },
  reply: { query: '?method=slatepack', paste: 'BEGINSLATEPACK. good. ENDSLATEPACK.' },
  'reply-ready': { invoice: { status: 'paid' }, payment: { rail: 'slatepack', settlement: 'replied' } },
  'reply-again': {
    invoice: { status: 'paid' },
    payment: { rail: 'slatepack', settlement: 'replied' },
    query: '?method=slatepack',
  },
  'reply-sent': { invoice: { status: 'paid' }, payment: { rail: 'nostr', settlement: 'replied' } },
  seen: { invoice: { status: 'paid' }, payment: { rail: 'nostr', settlement: 'seen' } },
  confirming: { invoice: { status: 'paid', confirmations: 1 }, payment: { rail: 'nostr', settlement: 'mined' } },
  paid: {
    invoice: { status: 'confirmed', confirmations: 3, paidAt: NOON, confirmedAt: NOON + 4 * MINUTE },
    payment: { settlement: 'confirmed' },
  },
  expired: { invoice: { status: 'expired', fiat: null, expiresAt: NOON - MINUTE } },
  'expired-price': { invoice: { status: 'expired', expiresAt: NOON - MINUTE } },
  cancelled: { invoice: { status: 'cancelled' } },
}

/** Puts this state into the till and answers the path of its page. */
export function putState(till: FakeTill, { invoice = {}, payment, query = '' }: State): string {
  const paid = payment && aPayment(payment)
  if (paid) till.payments.set(paid.id, paid)
  const own = { slateId: aSlateId(), slatepack: I1, paymentId: paid?.id ?? null }
  const { id, token } = till.put({ ...COMMON, ...own, ...invoice })
  if (paid) till.payments.set(paid.id, { ...paid, invoiceId: id })
  return `/pay/${token}${query}`
}

/** A shop with everything that a page can show of it. */
export const SHOP = {
  name: 'Bean & Leaf',
  url: 'https://shop.example',
  logo: `data:image/svg+xml;base64,${Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="#7a4a21"/><path d="M10 22c-2-8 4-13 12-12 1 8-4 14-12 12z" fill="#f3dfc1"/></svg>',
  ).toString('base64')}`,
} as const
