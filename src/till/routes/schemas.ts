// The JSON of invoices, payments, deliveries and users as zod schemas. The types, the OpenAPI document and the typed client follow from
// them. Members are only ever added.
import { z } from 'zod'
import type { ViewOf } from '../../http/index.js'
import { countSchema as count, errorSchema, hexSchema as hex, timeSchema as time } from '../../lib/api-schemas.js'
import {
  DELIVERY_STATES,
  EVENT_TYPES,
  INVOICE_STATUSES,
  MATCH_MODES,
  ONE_TIME_KEY_MODES,
  OUTPUT_NOTES,
  RELAY_STATES,
  SETTLEMENTS,
} from '../model.js'
import { RAIL_NAMES } from '../rails.js'

/** Whole nanogrin. A plain number up to 2^53-1, above that a bigint: either way the JSON shows the exact digits. */
export type NanogrinJson = number | bigint

/** Above 2^53-1 only exact readers keep it. */
export const nanogrin = z
  .custom<NanogrinJson>((value) => typeof value === 'bigint' || Number.isInteger(value))
  .meta({ type: 'integer', minimum: 0 })

/** Answer of POST /invoice and GET /invoice/{id} (specification: invoicing, 2.4). All members are always there. */
export const invoiceSchema = z
  .strictObject({
    invoice_id: hex(32),
    token: z.string().describe('43 characters; with it the checkout page opens.'),
    pay_url: z.string().describe('Where the payer goes.'),
    recipient_pubkey: hex(64),
    npub: z.string(),
    nprofile: z.string(),
    pay_link: z.string().describe('Deep link for wallets.'),
    qr_svg: z
      .string()
      .describe(
        'SVG text of a QR code, never empty. A long memo is shortened in it, a long reference of mode `memo` left out; `pay_link` holds both.',
      ),
    amount: z.string().describe('For people: `1.5 GRIN`, or `12.50 USD (~150 GRIN)`.'),
    amount_nanogrin: nanogrin,
    fiat: z
      .strictObject({
        amount: z.string(),
        currency: z.string().describe('Upper case.'),
        rate: z.string(),
        source: z.string(),
        rate_at: time.nullable(),
      })
      .describe('The locked price; `rate` is fiat per GRIN, `rate_at` when the source was asked for it.')
      .nullable(),
    status: z.enum(INVOICE_STATUSES),
    confirmations: count,
    confirmations_required: count,
    order_ref: z.string().nullable(),
    memo: z.string().nullable(),
    match_mode: z.enum(MATCH_MODES),
    created_at: time,
    expires_at: time.nullable(),
    paid_at: time.nullable(),
    confirmed_at: time.nullable(),
    payment_id: z.string().nullable(),
    return_url: z.string().describe('Where the customer goes back to from the checkout page.').nullable(),
  })
  .meta({ id: 'Invoice' })
export type InvoiceView = ViewOf<typeof invoiceSchema>

/** GET /pay/{token}/status: what a payer may know without the API token. */
export const checkoutStatusSchema = z
  .strictObject({
    invoice_id: hex(32),
    status: z.enum(INVOICE_STATUSES),
    expected_amount: nanogrin,
    confirmations: count,
    confirmations_required: count,
  })
  .meta({ id: 'CheckoutStatus' })
export type CheckoutStatusView = ViewOf<typeof checkoutStatusSchema>

const payment = {
  payment_id: z.string().describe('The UUID of the slate.'),
  amount: nanogrin,
  status: z.enum(SETTLEMENTS),
  confirmed_height: count.nullable(),
  confirmed_at: time.nullable(),
  created_at: time,
  confirmations: count,
  confirmations_required: count,
  output: z
    .literal(OUTPUT_NOTES)
    .nullable()
    .describe('A note: the kernel counts, but the output of the till was not on the chain beside it.'),
}
/** GET /payment/{id}. */
export const paymentSchema = z
  .strictObject({
    ...payment,
    payer: z.string().nullable().describe('Only for the admin token.').exactOptional(),
    invoice_id: hex(32).nullable().describe('Only for the admin token.').exactOptional(),
    user_id: z.string().nullable().describe('Only for the admin token.').exactOptional(),
    rail: z.enum(RAIL_NAMES).describe('Only for the admin token.').exactOptional(),
  })
  .meta({ id: 'Payment' })
export type PaymentView = ViewOf<typeof paymentSchema>
/** One row of GET /admin/payments, and the answer of POST /admin/payments/{id}/match and …/resend. */
export const paymentRecordSchema = z
  .strictObject({
    ...payment,
    payer: z.string().nullable(),
    invoice_id: hex(32).nullable(),
    user_id: z.string().nullable(),
    rail: z.enum(RAIL_NAMES),
  })
  .meta({ id: 'PaymentRecord' })
export type PaymentRecordView = ViewOf<typeof paymentRecordSchema>

export const receiptSchema = z
  .strictObject({
    receipt: z
      .strictObject({
        version: z.literal(1),
        payment_id: z.string(),
        amount: z.number().meta({ type: 'integer' }),
        kernel_excess: hex(66),
        confirmed_height: count.nullable(),
        confirmations: count.nullable(),
        proof: z.record(z.string(), z.unknown()).nullable(),
        issued_at: time,
        server_pubkey: hex(64),
      })
      .describe('Members in this order, without spaces: that text is signed.'),
    sig: hex(128).describe('BIP-340 over SHA-256 of the receipt.'),
  })
  .meta({ id: 'Receipt' })

const receiver = {
  receiver: z.int().min(1).max(8).describe('Number of the receiver, as the settings count them.'),
  receiver_host: z
    .string()
    .nullable()
    .describe('Where it is sent now; null when this receiver is no longer configured.'),
}
const delivery = {
  event_id: hex(32),
  event_type: z.enum(EVENT_TYPES),
  payment_id: z.string().nullable(),
  invoice_id: hex(32).nullable(),
  created_at: time,
  state: z.enum(DELIVERY_STATES),
  delivered: z.boolean(),
  attempts: count,
  next_attempt_at: time.nullable(),
  last_error: z.string().nullable(),
  ...receiver,
}
/** One row of GET /admin/webhooks, and the answer of a replay. */
export const deliverySchema = z.strictObject(delivery).meta({ id: 'Delivery' })
export type DeliveryView = ViewOf<typeof deliverySchema>
const attemptSchema = z
  .strictObject({
    number: count,
    started_at: time,
    duration_ms: count,
    http_status: count.nullable(),
    error: z.string().nullable(),
    answer_head: z.string(),
  })
  .meta({ id: 'Attempt' })
export type AttemptView = ViewOf<typeof attemptSchema>
/** GET /admin/webhooks/{event_id}: the delivery to one receiver with every attempt, the signed body, and the deliveries to all receivers. */
export const deliveryDetailSchema = z
  .strictObject({ ...delivery, body: z.string(), tries: z.array(attemptSchema), deliveries: z.array(deliverySchema) })
  .meta({ id: 'DeliveryDetail' })
export type DeliveryDetailView = ViewOf<typeof deliveryDetailSchema>
/** POST /admin/webhooks/test. */
export const webhookTestSchema = z
  .strictObject({ event_id: hex(32), ...receiver, attempt: attemptSchema })
  .meta({ id: 'WebhookTest' })
export type WebhookTestView = ViewOf<typeof webhookTestSchema>

/** POST /admin/users, GET /admin/users/{id} and a rotation: the receiving key in force. */
export const endpubSchema = z
  .strictObject({
    user_id: z.string(),
    epoch: count,
    pubkey: hex(64),
    npub: z.string(),
    nprofile: z.string(),
    qr_svg: z.string(),
    rotate_interval: count.nullable(),
  })
  .meta({ id: 'Endpub' })
export type EndpubView = ViewOf<typeof endpubSchema>
/** One row of GET /admin/users. */
const userRecordSchema = z
  .strictObject({ user_id: z.string(), epoch: count, endpub: hex(64), npub: z.string(), balance: nanogrin })
  .meta({ id: 'UserRecord' })
export type UserRecordView = ViewOf<typeof userRecordSchema>
export const rotateIntervalSchema = z
  .strictObject({ user_id: z.string(), updated: z.literal(true) })
  .meta({ id: 'RotateIntervalAnswer' })
export type RotateIntervalView = ViewOf<typeof rotateIntervalSchema>

const relay = z.strictObject({
  url: z.string(),
  state: z.enum(RELAY_STATES),
  subscribed: z.boolean().describe('Whether it has been asked for everything the till listens to.'),
  since: time.describe('When it came into this state.'),
  last_error: z.string().nullable(),
  round_trip_ms: count.nullable(),
  received: count.describe('Messages it brought.'),
  blamed: count.describe('Forgeries it brought.'),
  challenges: z.boolean().describe('It asked who we are (NIP-42).'),
  one_time_keys: z
    .enum(ONE_TIME_KEY_MODES)
    .describe('Whether it brings mail to keys of invoices over one connection, or wants one for each key.'),
})
const inbox = z.strictObject({
  waiting: count,
  retrying: count,
  dropped: count.describe('Had no room when they came; they are fetched again.'),
  outcomes: z.record(z.string(), count).describe('What became of messages since the start.'),
})

const sum = z.strictObject({ count, amount: nanogrin, amount_grin: z.string() })
/** GET /admin/status. */
export const statusSchema = z
  .strictObject({
    version: z.string(),
    chain: z.string(),
    public_url: z.string(),
    wallet_address: z.string(),
    npub: z.string(),
    node: z.strictObject({ ok: z.boolean(), height: count.nullable(), detail: z.string() }),
    webhooks: z.strictObject({ pending: count, abandoned: count, oldest_seconds: count.nullable() }),
    letters: z
      .strictObject({ pending: count, oldest_seconds: count.nullable() })
      .describe('Messages that are owed over Nostr.'),
    relays: z.array(relay).describe('Empty without the Nostr rail.'),
    inbox: inbox.nullable().describe('Messages that came over Nostr; null without the rail.'),
    balance: z.record(z.string(), sum).describe('Payments by where they stand.'),
    today: z
      .strictObject({ since: time, received: sum, confirmed: sum })
      .describe('Since midnight UTC: payments that came, and that became confirmed.'),
    open_invoices: count,
    unmatched_payments: count.describe('Payments without an invoice or user that are not abandoned.'),
    alarms: z.array(z.string()).describe('What an operator must look at.'),
  })
  .meta({ id: 'Status' })
export type StatusView = ViewOf<typeof statusSchema>

/** GET /admin/ids. */
export const idListSchema = z
  .strictObject({ ids: z.array(z.string()).describe('In order, at most 6.') })
  .meta({ id: 'Ids' })
export type IdListView = ViewOf<typeof idListSchema>

/** Every list: newest first, under its plural noun, with the cursor of the next page. */
const page = { next_cursor: z.string().nullable() }
export const invoiceListSchema = z.strictObject({ invoices: z.array(invoiceSchema), ...page })
export type InvoiceListView = ViewOf<typeof invoiceListSchema>
export const paymentListSchema = z.strictObject({ payments: z.array(paymentRecordSchema), ...page })
export type PaymentListView = ViewOf<typeof paymentListSchema>
export const deliveryListSchema = z.strictObject({ deliveries: z.array(deliverySchema), ...page })
export type DeliveryListView = ViewOf<typeof deliveryListSchema>
export const userListSchema = z.strictObject({ users: z.array(userRecordSchema), ...page })
export type UserListView = ViewOf<typeof userListSchema>

export const pasteSchema = z
  .strictObject({
    ok: z.literal(true),
    slatepack: z.string().describe('Our reply, for the payer’s wallet.'),
    payment_id: z.string(),
    repeated: z.boolean().describe('This slatepack was answered before; this is the same reply.'),
  })
  .meta({ id: 'PasteAnswer' })
export const pasteRefusalSchema = z
  .strictObject({ ok: z.literal(false), ...errorSchema.shape })
  .meta({ id: 'PasteRefusal' })

/** POST /pay/{token}/slatepack with `Accept: application/json`. A refusal is also a whole ErrorView. */
export type PasteView = ViewOf<typeof pasteSchema> | ViewOf<typeof pasteRefusalSchema>

export type { ErrorView, HealthView } from '../../http/index.js'
