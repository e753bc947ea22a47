// From the till's model to the JSON of its API. Pure; every time and amount of an answer is printed here.
import { formatGrin } from '../../grin/amount/index.js'
import { momentText } from '../../lib/moment-text.js'
import type { FoundDelivery, RelayState, Till, TillStatus, UserView, WebhookTarget } from '../api.js'
import type { Attempt, Delivery, FiatQuote, Invoice, Payment } from '../model.js'
import type { KeyTexts } from '../nostr/links.js'
import { grinText } from '../reports/fiat.js'
import type {
  AttemptView,
  CheckoutStatusView,
  DeliveryDetailView,
  DeliveryView,
  EndpubView,
  InvoiceView,
  NanogrinJson,
  PaymentRecordView,
  PaymentView,
  StatusView,
  UserRecordView,
} from './schemas.js'

/** What an invoice's view needs besides the invoice. */
export interface ViewSettings {
  /** Without trailing slash, mount path included. */
  readonly publicUrl: string
  readonly confirmations: number
  /** bech32 texts of a 64-hex key; the nprofile names the till's relays. */
  readonly keyTexts: (pubkey: string) => KeyTexts
}

const timeOrNull = (ms: number | null): string | null => (ms === null ? null : momentText(ms))

/** The exact amount as JSON shows it: a number while numbers are exact. */
export const nanogrinJson = (amount: bigint): NanogrinJson =>
  amount <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(amount) : amount

const fiatView = ({ amount, currency, rate, source, rateAt }: FiatQuote): NonNullable<InvoiceView['fiat']> => ({
  amount,
  currency,
  rate,
  source,
  rate_at: timeOrNull(rateAt ?? null),
})

/** The amount for people (specification: invoicing, 2.4): the fiat text and currency stand as the request wrote them. */
export const displayAmount = ({ amount, fiat }: Pick<Invoice, 'amount' | 'fiat'>): string =>
  fiat ? `${fiat.amount} ${fiat.sentAs ?? fiat.currency} (~${formatGrin(amount)} GRIN)` : `${formatGrin(amount)} GRIN`

/** Where the payer goes. */
const payUrl = (publicUrl: string, token: string): string => `${publicUrl}/pay/${token}`

export function invoiceView(invoice: Invoice, { publicUrl, confirmations, keyTexts }: ViewSettings): InvoiceView {
  const { npub, nprofile } = keyTexts(invoice.recipientPubkey)
  return {
    invoice_id: invoice.id,
    token: invoice.token,
    pay_url: payUrl(publicUrl, invoice.token),
    recipient_pubkey: invoice.recipientPubkey,
    npub,
    nprofile,
    pay_link: invoice.payLink,
    qr_svg: invoice.qrSvg,
    amount: displayAmount(invoice),
    amount_nanogrin: nanogrinJson(invoice.amount),
    fiat: invoice.fiat && fiatView(invoice.fiat),
    status: invoice.status,
    confirmations: invoice.confirmations,
    confirmations_required: confirmations,
    order_ref: invoice.orderRef,
    memo: invoice.memo,
    match_mode: invoice.matchMode,
    created_at: momentText(invoice.createdAt),
    expires_at: timeOrNull(invoice.expiresAt),
    paid_at: timeOrNull(invoice.paidAt),
    confirmed_at: timeOrNull(invoice.confirmedAt),
    payment_id: invoice.paymentId,
    return_url: invoice.returnUrl,
  }
}

/** Without the payment id: it would open /payment/{id} to everybody who has the link. */
export const checkoutStatusView = (invoice: Invoice, confirmations: number): CheckoutStatusView => ({
  invoice_id: invoice.id,
  status: invoice.status,
  expected_amount: nanogrinJson(invoice.amount),
  confirmations: invoice.confirmations,
  confirmations_required: confirmations,
})

export const paymentView = (payment: Payment, confirmations: number): PaymentView => ({
  payment_id: payment.id,
  amount: nanogrinJson(payment.amount),
  status: payment.settlement,
  confirmed_height: payment.minedHeight,
  confirmed_at: timeOrNull(payment.confirmedAt),
  created_at: momentText(payment.createdAt),
  confirmations: payment.confirmations,
  confirmations_required: confirmations,
  output: payment.output,
})

export const paymentRecordView = (payment: Payment, confirmations: number): PaymentRecordView => ({
  ...paymentView(payment, confirmations),
  payer: payment.payer,
  invoice_id: payment.invoiceId,
  user_id: payment.userId,
  rail: payment.rail,
})

type Targets = readonly WebhookTarget[]

/** Host and port of a receiver; null when it is not configured. */
export function receiverHost(webhooks: Targets, receiver: number): string | null {
  const target = webhooks.find((one) => one.receiver === receiver)
  return target ? new URL(target.url).host : null
}

export const deliveryView = (delivery: Delivery, webhooks: Targets): DeliveryView => ({
  event_id: delivery.eventId,
  event_type: delivery.type,
  payment_id: delivery.paymentId,
  invoice_id: delivery.invoiceId,
  created_at: momentText(delivery.createdAt),
  state: delivery.state,
  delivered: delivery.state === 'delivered',
  attempts: delivery.attempts,
  next_attempt_at: timeOrNull(delivery.nextAttemptAt),
  last_error: delivery.lastError,
  receiver: delivery.receiver,
  receiver_host: receiverHost(webhooks, delivery.receiver),
})

export const attemptView = (attempt: Attempt): AttemptView => ({
  number: attempt.number,
  started_at: momentText(attempt.startedAt),
  duration_ms: attempt.durationMs,
  http_status: attempt.httpStatus,
  error: attempt.error,
  answer_head: attempt.answerHead,
})

export const deliveryDetailView = (
  { delivery, attempts, all }: FoundDelivery,
  webhooks: Targets,
): DeliveryDetailView => ({
  ...deliveryView(delivery, webhooks),
  body: delivery.body,
  tries: attempts.map(attemptView),
  deliveries: all.map((one) => deliveryView(one, webhooks)),
})

export const endpubView = (user: UserView): EndpubView => ({
  user_id: user.id,
  epoch: user.epoch,
  pubkey: user.pubkey,
  npub: user.npub,
  nprofile: user.nprofile,
  qr_svg: user.qrSvg,
  rotate_interval: user.rotateInterval,
})

export const userRecordView = (user: UserView & { readonly balance: bigint }): UserRecordView => ({
  user_id: user.id,
  epoch: user.epoch,
  endpub: user.pubkey,
  npub: user.npub,
  balance: nanogrinJson(user.balance),
})

const relayView = (relay: RelayState): StatusView['relays'][number] => ({
  url: relay.url,
  state: relay.state,
  subscribed: relay.subscribed,
  since: momentText(relay.since),
  last_error: relay.lastError,
  round_trip_ms: relay.roundTripMs,
  received: relay.received,
  blamed: relay.blamed,
  challenges: relay.challenges,
  one_time_keys: relay.oneTimeKeys,
})

type Balance = Readonly<Record<string, { readonly count: number; readonly amount: bigint }>>

interface StatusSums {
  readonly balance: Balance
  readonly today: Awaited<ReturnType<Till['today']>>
}

/** Amounts of payments that are not confirmed are what their senders wrote: a sum may outgrow 64 bits. */
const sumView = ({ count, amount }: { readonly count: number; readonly amount: bigint }) => ({
  count,
  amount: nanogrinJson(amount),
  amount_grin: grinText(amount),
})

/** What `statusView` puts beside the till's own status. */
export interface StatusContext {
  readonly version: string
  readonly chain: string
  readonly publicUrl: string
}

export const statusView = (status: TillStatus, { balance, today }: StatusSums, context: StatusContext): StatusView => ({
  version: context.version,
  chain: context.chain,
  public_url: context.publicUrl,
  wallet_address: status.walletAddress,
  npub: status.npub,
  node: status.node,
  webhooks: {
    pending: status.webhooks.pending,
    abandoned: status.webhooks.abandoned,
    oldest_seconds: status.webhooks.oldestSeconds,
  },
  letters: { pending: status.messages.pending, oldest_seconds: status.messages.oldestSeconds },
  relays: status.relays.map(relayView),
  inbox: status.inbox,
  balance: Object.fromEntries(Object.entries(balance).map(([settlement, sum]) => [settlement, sumView(sum)])),
  today: {
    since: momentText(today.since),
    received: sumView(today.received),
    confirmed: sumView(today.confirmed),
  },
  open_invoices: today.openInvoices,
  unmatched_payments: today.unmatched,
  alarms: status.alarms,
})
