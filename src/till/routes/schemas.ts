// The views as zod schemas, for the OpenAPI document. `satisfies` holds them to the types, a test holds the routes to
// them.
import { z } from 'zod'
import { RAIL_NAMES } from '../rails.js'
import type {
  AttemptView,
  CheckoutStatusView,
  ClientView,
  DeliveryDetailView,
  DeliveryView,
  EndpubView,
  ErrorView,
  HealthView,
  IdListView,
  InvoiceView,
  NanogrinJson,
  PasteView,
  PaymentRecordView,
  PaymentView,
  ReadyView,
  StatusView,
  UserRecordView,
  WebhookTestView,
} from './views.js'

const time = z.string().meta({ format: 'date-time', examples: ['2026-07-01T12:00:00Z'] })
const hex = (characters: number) => z.string().regex(new RegExp(`^[0-9a-f]{${characters}}$`))
const count = z.number().meta({ type: 'integer', minimum: 0 })
/** A whole number of nanogrin; above 2^53-1 only exact readers keep it. */
const nanogrin = z
  .custom<NanogrinJson>((value) => typeof value === 'bigint' || Number.isInteger(value))
  .meta({ type: 'integer', minimum: 0 })

const invoiceStatus = z.enum(['open', 'paid', 'confirmed', 'expired', 'cancelled'])
const settlement = z.enum(['received', 'replied', 'seen', 'mined', 'confirmed', 'abandoned'])

export const errorSchema = z
  .strictObject({
    error: z.string().describe('For people.'),
    code: z.string().describe('Stable machine word.'),
    type: z.string(),
    title: z.string(),
    status: count,
    detail: z.string(),
    instance: z.string().describe('The request id, as in X-Request-Id.'),
    hint: z.string().describe('What to do about it.').exactOptional(),
    errors: z
      .array(z.strictObject({ pointer: z.string(), detail: z.string() }))
      .describe('Each refused member with its JSON pointer, or `?name` for a query parameter.')
      .exactOptional(),
  })
  .meta({ id: 'Error' }) satisfies z.ZodType<ErrorView>

export const invoiceSchema = z
  .strictObject({
    invoice_id: hex(32),
    token: z.string().describe('43 characters; whoever has it may open the checkout page.'),
    pay_url: z.string().describe('Where the payer goes.'),
    recipient_pubkey: hex(64),
    npub: z.string(),
    nprofile: z.string(),
    pay_link: z.string().describe('Deep link for wallets.'),
    qr_svg: z.string().describe('SVG text, or empty when the link does not fit a code.'),
    amount: z.string().describe('For people: `1.5 GRIN`, or `12.50 usd (~150 GRIN)`.'),
    amount_nanogrin: nanogrin,
    fiat: z
      .strictObject({
        amount: z.string(),
        currency: z.string(),
        rate: z.string(),
        source: z.string(),
        rate_at: time.nullable(),
      })
      .describe('The locked price; `rate` is fiat per GRIN, `rate_at` when the source was asked for it.')
      .nullable(),
    status: invoiceStatus,
    confirmations: count,
    confirmations_required: count,
    order_ref: z.string().nullable(),
    memo: z.string().nullable(),
    match_mode: z.enum(['memo', 'derived', 'amount']),
    created_at: time,
    expires_at: time.nullable(),
    paid_at: time.nullable(),
    confirmed_at: time.nullable(),
    payment_id: z.string().nullable(),
    return_url: z.string().describe('Where the customer goes back to from the checkout page.').nullable(),
  })
  .meta({ id: 'Invoice' }) satisfies z.ZodType<InvoiceView>

export const checkoutStatusSchema = z
  .strictObject({
    invoice_id: hex(32),
    status: invoiceStatus,
    expected_amount: nanogrin,
    confirmations: count,
    confirmations_required: count,
  })
  .meta({ id: 'CheckoutStatus' }) satisfies z.ZodType<CheckoutStatusView>

const payment = {
  payment_id: z.string().describe('The UUID of the slate.'),
  amount: nanogrin,
  status: settlement,
  confirmed_height: count.nullable(),
  confirmed_at: time.nullable(),
  created_at: time,
  confirmations: count,
  confirmations_required: count,
  output: z
    .literal('spent-or-missing')
    .nullable()
    .describe('A note: the kernel counts, but the output of the till was not on the chain beside it.'),
}
export const paymentSchema = z
  .strictObject({
    ...payment,
    payer: z.string().nullable().describe('Only for the admin token.').exactOptional(),
    invoice_id: hex(32).nullable().describe('Only for the admin token.').exactOptional(),
    user_id: z.string().nullable().describe('Only for the admin token.').exactOptional(),
    rail: z.enum(RAIL_NAMES).describe('Only for the admin token.').exactOptional(),
  })
  .meta({ id: 'Payment' }) satisfies z.ZodType<PaymentView>
export const paymentRecordSchema = z
  .strictObject({
    ...payment,
    payer: z.string().nullable(),
    invoice_id: hex(32).nullable(),
    user_id: z.string().nullable(),
    rail: z.enum(RAIL_NAMES),
  })
  .meta({ id: 'PaymentRecord' }) satisfies z.ZodType<PaymentRecordView>

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
  event_type: z.enum(['payment.received', 'payment.confirmed', 'test.ping']),
  payment_id: z.string().nullable(),
  invoice_id: hex(32).nullable(),
  created_at: time,
  state: z.enum(['pending', 'delivered', 'abandoned']),
  delivered: z.boolean(),
  attempts: count,
  next_attempt_at: time.nullable(),
  last_error: z.string().nullable(),
  ...receiver,
}
export const deliverySchema = z.strictObject(delivery).meta({ id: 'Delivery' }) satisfies z.ZodType<DeliveryView>
const attemptSchema = z
  .strictObject({
    number: count,
    started_at: time,
    duration_ms: count,
    http_status: count.nullable(),
    error: z.string().nullable(),
    answer_head: z.string(),
  })
  .meta({ id: 'Attempt' }) satisfies z.ZodType<AttemptView>
export const deliveryDetailSchema = z
  .strictObject({ ...delivery, body: z.string(), tries: z.array(attemptSchema), deliveries: z.array(deliverySchema) })
  .meta({ id: 'DeliveryDetail' }) satisfies z.ZodType<DeliveryDetailView>
export const webhookTestSchema = z
  .strictObject({ event_id: hex(32), ...receiver, attempt: attemptSchema })
  .meta({ id: 'WebhookTest' }) satisfies z.ZodType<WebhookTestView>

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
  .meta({ id: 'Endpub' }) satisfies z.ZodType<EndpubView>
export const userRecordSchema = z
  .strictObject({ user_id: z.string(), epoch: count, endpub: hex(64), npub: z.string(), balance: nanogrin })
  .meta({ id: 'UserRecord' }) satisfies z.ZodType<UserRecordView>
export const rotateIntervalSchema = z
  .strictObject({ user_id: z.string(), updated: z.literal(true) })
  .meta({ id: 'RotateIntervalAnswer' })

const relay = z.strictObject({
  url: z.string(),
  state: z.enum(['connected', 'connecting', 'waiting', 'shunned']),
  subscribed: z.boolean().describe('Whether it has been asked for everything the till listens to.'),
  since: time.describe('When it came into this state.'),
  last_error: z.string().nullable(),
  round_trip_ms: count.nullable(),
  received: count.describe('Messages it brought.'),
  blamed: count.describe('Forgeries it brought.'),
  challenges: z.boolean().describe('It asked who we are (NIP-42).'),
  one_time_keys: z
    .enum(['served', 'per-connection', 'unknown'])
    .describe('Whether it brings mail to keys of invoices over one connection, or wants one for each key.'),
})
const inbox = z.strictObject({
  waiting: count,
  retrying: count,
  dropped: count.describe('Had no room when they came; they are fetched again.'),
  outcomes: z.record(z.string(), count).describe('What became of messages since the start.'),
})

const sum = z.strictObject({ count, amount: nanogrin, amount_grin: z.string() })
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
  .meta({ id: 'Status' }) satisfies z.ZodType<StatusView>

export const idListSchema = z
  .strictObject({ ids: z.array(z.string()).describe('In order, at most 6.') })
  .meta({ id: 'Ids' }) satisfies z.ZodType<IdListView>

/** A list under its plural noun, with the cursor of the next page. */
export const listOf = (noun: string, item: z.ZodType) =>
  z.strictObject({ [noun]: z.array(item), next_cursor: z.string().nullable() })

export const pasteSchema = z
  .strictObject({
    ok: z.literal(true),
    slatepack: z.string().describe('Our reply, for the payer’s wallet.'),
    payment_id: z.string(),
    repeated: z.boolean().describe('This slatepack was answered before; this is the same reply.'),
  })
  .meta({ id: 'PasteAnswer' }) satisfies z.ZodType<PasteView>
export const pasteRefusalSchema = z
  .strictObject({ ok: z.literal(false), ...errorSchema.shape })
  .meta({ id: 'PasteRefusal' }) satisfies z.ZodType<PasteView>

const checks = z.array(
  z.strictObject({
    name: z.string(),
    status: z.enum(['ok', 'failed']),
    since: time,
    detail: z.string().describe('Only for the admin token.').exactOptional(),
    reason: z.string().describe('Only where the settings of this daemon are at fault.').exactOptional(),
    hint: z.string().describe('What to change then.').exactOptional(),
  }),
)
export const healthSchema = z
  .strictObject({ status: z.literal('ok'), version: z.string(), checks: checks.exactOptional() })
  .meta({ id: 'Health' }) satisfies z.ZodType<HealthView>
export const clientSchema = z
  .strictObject({ address: z.string(), process: z.string().describe('Of this run of the daemon.') })
  .meta({ id: 'Client' }) satisfies z.ZodType<ClientView>
export const readySchema = z
  .strictObject({
    ready: z.boolean(),
    checks,
    error: z.string().exactOptional(),
    code: z.string().exactOptional(),
  })
  .meta({ id: 'Ready' }) satisfies z.ZodType<ReadyView>
