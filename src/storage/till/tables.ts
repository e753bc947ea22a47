// The till's tables, in both kinds of database: which column holds what of a value, and how it is written and read. What `store move pay` carries.
import { z } from 'zod'
import type {
  Attempt,
  Delivery,
  FiatQuote,
  GrinRate,
  Invoice,
  InvoiceSlate,
  OutgoingMessage,
  Payment,
  ReceiverProof,
  User,
} from '../../till/index.js'
import {
  DELIVERY_STATES,
  EVENT_TYPES,
  INVOICE_SLATE_STATES,
  INVOICE_STATUSES,
  MATCH_MODES,
  MESSAGE_KINDS,
  MESSAGE_LAYOUTS,
  MESSAGE_STATES,
  OUTPUT_NOTES,
  SETTLEMENTS,
  spelled,
} from '../../till/model.js'
import {
  amountCell,
  bytesCell,
  createTable,
  hexCell,
  integerCell,
  json,
  nullable,
  type StoredTable,
  textCell,
  u64Cell,
  wordCell,
} from '../sqlite/columns.js'

const QUOTE = z.object({
  amount: z.string(),
  currency: z.string(),
  sentAs: z.string().optional(),
  rate: z.string(),
  source: z.string(),
  rateAt: z.number().optional(),
})
const GRIN_RATE = QUOTE.omit({ amount: true, sentAs: true })
/** What GRIN was worth when an invoice was made. */
export const grinRateCell = json<GrinRate>(
  (value) => value,
  (read) => GRIN_RATE.parse(read),
)
/** The locked price of an invoice. */
export const quoteCell = json<FiatQuote>(
  (value) => value,
  (read) => {
    const { currency, sentAs = currency, ...quote } = QUOTE.parse(read)
    return { ...quote, ...spelled(sentAs) } // earlier versions kept it as it was sent
  },
)

const PROOF = z.object({
  amount: z.string().transform((digits) => amountCell.read(BigInt(digits))),
  kernelExcess: z.string(),
  recipientAddress: z.string(),
  recipientSig: z.string(),
  senderAddress: z.string(),
})
const proof = json<ReceiverProof>(
  (value) => ({ ...value, amount: value.amount.toString() }),
  (read) => PROOF.parse(read),
)

export const INVOICE = createTable<Invoice>({
  id: ['id', textCell],
  token: ['token', textCell],
  status: ['status', wordCell(...INVOICE_STATUSES)],
  amount: ['amount', amountCell],
  fiat: ['fiat', nullable(quoteCell)],
  matchMode: ['match_mode', wordCell(...MATCH_MODES)],
  orderRef: ['order_ref', nullable(textCell)],
  memo: ['memo', nullable(textCell)],
  matchKey: ['match_key', nullable(textCell)],
  recipientPubkey: ['recipient_pubkey', hexCell],
  expiresAt: ['expires_at', nullable(integerCell)],
  windowEndsAt: ['window_ends_at', nullable(integerCell)],
  requotes: ['requotes', integerCell],
  payLink: ['pay_link', textCell],
  qrSvg: ['qr_svg', textCell],
  createdAt: ['created_at', integerCell],
  paidAt: ['paid_at', nullable(integerCell)],
  confirmedAt: ['confirmed_at', nullable(integerCell)],
  paymentId: ['payment_id', nullable(textCell)],
  confirmations: ['confirmations', integerCell],
  offeredRail: ['rail', nullable(textCell)],
  slateId: ['slate_id', nullable(textCell)],
  slatepack: ['slatepack', nullable(textCell)],
  returnUrl: ['return_url', nullable(textCell)],
  grinRate: ['grin_rate', nullable(grinRateCell)],
  tip: ['tip', nullable(textCell)],
})

export const PAYMENT = createTable<Payment>({
  id: ['id', textCell],
  invoiceId: ['invoice_id', nullable(textCell)],
  userId: ['user_id', nullable(textCell)],
  amount: ['amount', amountCell],
  feeFields: ['fee_fields', u64Cell],
  rail: ['rail', textCell],
  payer: ['payer', nullable(hexCell)],
  recipientPubkey: ['recipient_pubkey', nullable(hexCell)],
  settlement: ['settlement', wordCell(...SETTLEMENTS)],
  s1Digest: ['s1_digest', bytesCell],
  s2: ['s2', bytesCell],
  reply: ['reply', textCell],
  keyIndex: ['key_index', integerCell],
  commitment: ['commitment', bytesCell],
  excess: ['excess', bytesCell],
  proof: ['proof', nullable(proof)],
  receivedHeight: ['received_height', integerCell],
  minedHeight: ['mined_height', nullable(integerCell)],
  confirmations: ['confirmations', integerCell],
  createdAt: ['created_at', integerCell],
  minedAt: ['mined_at', nullable(integerCell)],
  confirmedAt: ['confirmed_at', nullable(integerCell)],
  nextCheckAt: ['next_check_at', nullable(integerCell)],
  output: ['output', nullable(wordCell(...OUTPUT_NOTES))],
  intendedInvoiceId: ['intended_invoice_id', nullable(textCell)],
})

export const DELIVERY = createTable<Delivery>({
  eventId: ['id', textCell],
  receiver: ['receiver', integerCell],
  type: ['type', wordCell(...EVENT_TYPES)],
  invoiceId: ['invoice_id', nullable(textCell)],
  paymentId: ['payment_id', nullable(textCell)],
  body: ['body', textCell],
  createdAt: ['created_at', integerCell],
  state: ['state', wordCell(...DELIVERY_STATES)],
  attempts: ['attempts', integerCell],
  nextAttemptAt: ['next_attempt_at', nullable(integerCell)],
  lastError: ['last_error', nullable(textCell)],
})

export const ATTEMPT = createTable<Attempt>({
  number: ['number', integerCell],
  startedAt: ['started_at', integerCell],
  durationMs: ['duration_ms', integerCell],
  httpStatus: ['http_status', nullable(integerCell)],
  error: ['error', nullable(textCell)],
  answerHead: ['answer_head', textCell],
})

export const USER = createTable<User>({
  id: ['id', textCell],
  rotateInterval: ['rotate_interval', nullable(integerCell)],
  epoch: ['epoch', integerCell],
  pubkey: ['pubkey', hexCell],
  rotatedAt: ['rotated_at', integerCell],
  createdAt: ['created_at', integerCell],
})

const RELAYS = z.array(z.string())
const relays = json<readonly string[]>(
  (value) => value,
  (read) => RELAYS.parse(read),
)

export const MESSAGE = createTable<OutgoingMessage>({
  paymentId: ['payment_id', textCell],
  kind: ['kind', wordCell(...MESSAGE_KINDS)],
  layout: ['layout', wordCell(...MESSAGE_LAYOUTS)],
  state: ['state', wordCell(...MESSAGE_STATES)],
  createdAt: ['created_at', integerCell],
  attempts: ['attempts', integerCell],
  nextAttemptAt: ['next_attempt_at', nullable(integerCell)],
  acceptedBy: ['accepted_by', relays],
  lastError: ['last_error', nullable(textCell)],
  wrap: ['wrap', nullable(textCell)],
})

export const INVOICE_SLATE = createTable<InvoiceSlate>({
  slateId: ['id', textCell],
  invoiceId: ['invoice_id', textCell],
  state: ['state', wordCell(...INVOICE_SLATE_STATES)],
  amount: ['amount', amountCell],
  keyIndex: ['key_index', integerCell],
  commitment: ['commitment', bytesCell],
  rangeProof: ['range_proof', bytesCell],
  sealedSecrets: ['sealed_secrets', nullable(bytesCell)],
  createdAt: ['created_at', integerCell],
})

const SEQ = { seq: 'integer' } as const

/** In this order rows name only rows that are there. What stays behind: counters that are set anew, sums that triggers keep. */
export const TILL_TABLES: readonly StoredTable[] = [
  {
    table: 'meta',
    key: ['id'],
    columns: { id: 'integer', chain: 'text', fingerprint: 'text', created_at: 'integer', checked_at: 'integer' },
  },
  { table: 'user', target: 'till_user', key: ['seq'], columns: { ...SEQ, ...USER.types } },
  {
    table: 'endpub',
    key: ['pubkey'],
    columns: { pubkey: 'bytes', user_id: 'text', epoch: 'integer', created_at: 'integer' },
  },
  { table: 'invoice', key: ['seq'], columns: { ...SEQ, ...INVOICE.types } },
  {
    table: 'idempotency',
    key: ['key'],
    columns: { key: 'text', digest: 'text', invoice_id: 'text', created_at: 'integer' },
  },
  { table: 'payment', key: ['seq'], columns: { ...SEQ, ...PAYMENT.types } },
  { table: 'event', key: ['seq'], columns: { ...SEQ, line: 'text', failed: 'integer', ...DELIVERY.types } },
  { table: 'attempt', key: ['seq'], columns: { ...SEQ, event_id: 'text', receiver: 'integer', ...ATTEMPT.types } },
  { table: 'receiver_failure', key: ['receiver'], columns: { receiver: 'integer', since: 'integer' } },
  { table: 'letter', key: ['seq'], columns: { ...SEQ, ...MESSAGE.types } },
  { table: 'seen', key: ['id'], columns: { id: 'bytes', at: 'integer' } },
  { table: 'invoice_slate', key: ['seq'], columns: { ...SEQ, ...INVOICE_SLATE.types } },
  {
    table: 'push',
    key: ['payment_id'],
    columns: { payment_id: 'text', attempts: 'integer', next_push_at: 'integer?', last_error: 'text?', body: 'text' },
  },
  { table: 'secret_use', key: ['kind', 'key', 'at'], columns: { kind: 'text', key: 'text', at: 'integer' } },
]
