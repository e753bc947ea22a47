// What the outside sees: the JSON of invoices, payments, deliveries and users, exactly. The typed client is built on
// these types. Members are only ever added.
import type { ErrorView } from '../../http/index.js'
import type { InboxState, RelayState, TillStatus } from '../api.js'
import type { DeliveryState, EventType, FiatQuote, InvoiceStatus, MatchMode, RailName, Settlement } from '../model.js'

/** Whole nanogrin. A plain number up to 2^53-1, above that a bigint: either way the JSON shows the exact digits. */
export type NanogrinJson = number | bigint

/** `YYYY-MM-DDTHH:MM:SSZ`. */
export type Timestamp = string

/** Answer of POST /invoice and GET /invoice/{id} (specification: invoicing, 2.4). All members are always there. */
export interface InvoiceView {
  readonly invoice_id: string
  readonly token: string
  readonly pay_url: string
  readonly recipient_pubkey: string
  readonly npub: string
  readonly nprofile: string
  readonly pay_link: string
  readonly qr_svg: string
  /** For people: `1.5 GRIN`, or `12.50 usd (~150 GRIN)`. */
  readonly amount: string
  readonly amount_nanogrin: NanogrinJson
  readonly fiat: FiatView | null
  readonly status: InvoiceStatus
  readonly confirmations: number
  readonly confirmations_required: number
  readonly order_ref: string | null
  readonly memo: string | null
  readonly match_mode: MatchMode
  readonly created_at: Timestamp
  readonly expires_at: Timestamp | null
  readonly paid_at: Timestamp | null
  readonly confirmed_at: Timestamp | null
  readonly payment_id: string | null
  readonly return_url: string | null
}

/** GET /pay/{token}/status: what a payer may know without the API token. */
export interface CheckoutStatusView {
  readonly invoice_id: string
  readonly status: InvoiceStatus
  readonly expected_amount: NanogrinJson
  readonly confirmations: number
  readonly confirmations_required: number
}

/** GET /payment/{id}. `payer`, `invoice_id`, `user_id` and `rail` are there only for the admin token. */
export interface PaymentView {
  readonly payment_id: string
  readonly amount: NanogrinJson
  readonly payer?: string | null
  readonly invoice_id?: string | null
  readonly user_id?: string | null
  readonly rail?: RailName
  readonly status: Settlement
  readonly confirmed_height: number | null
  readonly confirmed_at: Timestamp | null
  readonly created_at: Timestamp
  readonly confirmations: number
  readonly confirmations_required: number
  /** `spent-or-missing`: the kernel counts, but our output was not on the chain beside it. */
  readonly output: 'spent-or-missing' | null
}

/** One row of GET /admin/payments, and the answer of POST /admin/payments/{id}/match and …/resend. */
export interface PaymentRecordView extends PaymentView {
  readonly payer: string | null
  readonly invoice_id: string | null
  readonly user_id: string | null
  readonly rail: RailName
}

/** The locked price. `rate` is fiat per GRIN, `rate_at` when the source was asked for it; null on invoices of earlier versions. */
export interface FiatView extends Omit<FiatQuote, 'rateAt'> {
  readonly rate_at: Timestamp | null
}

/** One row of GET /admin/webhooks, and the answer of a replay. */
export interface DeliveryView {
  readonly event_id: string
  readonly event_type: EventType
  readonly payment_id: string | null
  readonly invoice_id: string | null
  readonly created_at: Timestamp
  readonly state: DeliveryState
  readonly delivered: boolean
  readonly attempts: number
  readonly next_attempt_at: Timestamp | null
  readonly last_error: string | null
  /** Number of the receiver, as the settings count them; each has its own row. */
  readonly receiver: number
  /** Where it is sent now; null when this receiver is no longer configured. */
  readonly receiver_host: string | null
}

export interface AttemptView {
  readonly number: number
  readonly started_at: Timestamp
  readonly duration_ms: number
  readonly http_status: number | null
  readonly error: string | null
  readonly answer_head: string
}

/** GET /admin/webhooks/{event_id}: the delivery to one receiver with every try, the bytes that are signed and sent, and the deliveries to all receivers. */
export interface DeliveryDetailView extends DeliveryView {
  readonly body: string
  readonly tries: readonly AttemptView[]
  readonly deliveries: readonly DeliveryView[]
}

/** POST /admin/webhooks/test. */
export interface WebhookTestView {
  readonly event_id: string
  readonly receiver: number
  readonly receiver_host: string | null
  readonly attempt: AttemptView
}

/** POST /admin/users, GET /admin/users/{id} and a rotation: the receiving key in force. */
export interface EndpubView {
  readonly user_id: string
  readonly epoch: number
  readonly pubkey: string
  readonly npub: string
  readonly nprofile: string
  readonly qr_svg: string
  readonly rotate_interval: number | null
}

/** One row of GET /admin/users. */
export interface UserRecordView {
  readonly user_id: string
  readonly epoch: number
  readonly endpub: string
  readonly npub: string
  readonly balance: NanogrinJson
}

/** A relay as it is now. */
export interface RelayView {
  readonly url: string
  readonly state: RelayState['state']
  /** Whether it has been asked for everything the till listens to. */
  readonly subscribed: boolean
  readonly since: Timestamp
  readonly last_error: string | null
  readonly round_trip_ms: number | null
  readonly received: number
  /** Forgeries it brought. */
  readonly blamed: number
  /** It asked who we are (NIP-42). */
  readonly challenges: boolean
  readonly one_time_keys: RelayState['oneTimeKeys']
}

/** How many payments, and what they come to. */
interface SumView {
  readonly count: number
  readonly amount: NanogrinJson
  readonly amount_grin: string
}

/** GET /admin/status. */
export interface StatusView {
  readonly version: string
  readonly chain: string
  readonly public_url: string
  readonly wallet_address: string
  readonly npub: string
  readonly node: TillStatus['node']
  readonly webhooks: {
    readonly pending: number
    readonly abandoned: number
    readonly oldest_seconds: number | null
  }
  /** Messages that are owed over Nostr. */
  readonly letters: { readonly pending: number; readonly oldest_seconds: number | null }
  /** Empty without the Nostr rail. */
  readonly relays: readonly RelayView[]
  /** Messages that came over Nostr since the start; null without the rail. */
  readonly inbox: InboxState | null
  /** Payments by where they stand. */
  readonly balance: Readonly<Record<string, SumView>>
  /** Since midnight UTC: payments that came, and that became confirmed. */
  readonly today: { readonly since: Timestamp; readonly received: SumView; readonly confirmed: SumView }
  readonly open_invoices: number
  /** Payments without an invoice or user that are not abandoned. */
  readonly unmatched_payments: number
  readonly alarms: readonly string[]
}

/** GET /admin/ids. */
export interface IdListView {
  readonly ids: readonly string[]
}

/** Every list: newest first, under its plural noun, with the cursor of the next page. */
type ListView<Noun extends string, Item> = { readonly [noun in Noun]: readonly Item[] } & {
  readonly next_cursor: string | null
}
export type InvoiceListView = ListView<'invoices', InvoiceView>
export type PaymentListView = ListView<'payments', PaymentRecordView>
export type DeliveryListView = ListView<'deliveries', DeliveryView>
export type UserListView = ListView<'users', UserRecordView>

/** POST /pay/{token}/slatepack with `Accept: application/json`. A refusal is also a whole ErrorView. */
export type PasteView =
  | { readonly ok: true; readonly slatepack: string; readonly payment_id: string; readonly repeated: boolean }
  | ({ readonly ok: false } & ErrorView)

export type { ClientView, ErrorView, HealthView, ReadyView } from '../../http/index.js'
