// How the till's values are stored in their tables (columns: migrations/001-till.ts, 002-rails.ts and the steps after them).
import { z } from 'zod'
import type {
  Attempt,
  Delivery,
  FiatQuote,
  Invoice,
  InvoiceSlate,
  Letter,
  Payment,
  ReceiverProof,
  User,
} from '../../till/index.js'
import {
  DELIVERY_STATES,
  EVENT_TYPES,
  INVOICE_SLATE_STATES,
  INVOICE_STATUSES,
  LETTER_KINDS,
  LETTER_LAYOUTS,
  LETTER_STATES,
  MATCH_MODES,
  OUTPUT_NOTES,
  SETTLEMENTS,
} from '../../till/model.js'
import { amount, bytes, createTable, hex, integer, json, nullable, text, u64, word } from '../sqlite/columns.js'

const QUOTE = z.object({
  amount: z.string(),
  currency: z.string(),
  rate: z.string(),
  source: z.string(),
  rateAt: z.number().optional(),
})
const quote = json<FiatQuote>(
  (value) => value,
  (read) => QUOTE.parse(read),
)

const PROOF = z.object({
  amount: z.string().transform((digits) => amount.read(BigInt.asIntN(64, BigInt(digits)))),
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
  id: ['id', text],
  token: ['token', text],
  status: ['status', word(...INVOICE_STATUSES)],
  amount: ['amount', amount],
  fiat: ['fiat', nullable(quote)],
  matchMode: ['match_mode', word(...MATCH_MODES)],
  orderRef: ['order_ref', nullable(text)],
  memo: ['memo', nullable(text)],
  matchKey: ['match_key', nullable(text)],
  recipientPubkey: ['recipient_pubkey', hex],
  expiresAt: ['expires_at', nullable(integer)],
  windowEndsAt: ['window_ends_at', nullable(integer)],
  requotes: ['requotes', integer],
  payLink: ['pay_link', text],
  qrSvg: ['qr_svg', text],
  createdAt: ['created_at', integer],
  paidAt: ['paid_at', nullable(integer)],
  confirmedAt: ['confirmed_at', nullable(integer)],
  paymentId: ['payment_id', nullable(text)],
  confirmations: ['confirmations', integer],
  offeredRail: ['rail', nullable(text)],
  slateId: ['slate_id', nullable(text)],
  slatepack: ['slatepack', nullable(text)],
  returnUrl: ['return_url', nullable(text)],
})

export const PAYMENT = createTable<Payment>({
  id: ['id', text],
  invoiceId: ['invoice_id', nullable(text)],
  userId: ['user_id', nullable(text)],
  amount: ['amount', amount],
  feeFields: ['fee_fields', u64],
  rail: ['rail', text],
  payer: ['payer', nullable(hex)],
  recipientPubkey: ['recipient_pubkey', nullable(hex)],
  settlement: ['settlement', word(...SETTLEMENTS)],
  s1Digest: ['s1_digest', bytes],
  s2: ['s2', bytes],
  reply: ['reply', text],
  keyIndex: ['key_index', integer],
  commitment: ['commitment', bytes],
  excess: ['excess', bytes],
  proof: ['proof', nullable(proof)],
  receivedHeight: ['received_height', integer],
  minedHeight: ['mined_height', nullable(integer)],
  confirmations: ['confirmations', integer],
  createdAt: ['created_at', integer],
  minedAt: ['mined_at', nullable(integer)],
  confirmedAt: ['confirmed_at', nullable(integer)],
  nextCheckAt: ['next_check_at', nullable(integer)],
  output: ['output', nullable(word(...OUTPUT_NOTES))],
  intendedInvoiceId: ['intended_invoice_id', nullable(text)],
})

export const DELIVERY = createTable<Delivery>({
  eventId: ['id', text],
  receiver: ['receiver', integer],
  type: ['type', word(...EVENT_TYPES)],
  invoiceId: ['invoice_id', nullable(text)],
  paymentId: ['payment_id', nullable(text)],
  body: ['body', text],
  createdAt: ['created_at', integer],
  state: ['state', word(...DELIVERY_STATES)],
  attempts: ['attempts', integer],
  nextAttemptAt: ['next_attempt_at', nullable(integer)],
  lastError: ['last_error', nullable(text)],
})

export const ATTEMPT = createTable<Attempt>({
  number: ['number', integer],
  startedAt: ['started_at', integer],
  durationMs: ['duration_ms', integer],
  httpStatus: ['http_status', nullable(integer)],
  error: ['error', nullable(text)],
  answerHead: ['answer_head', text],
})

export const USER = createTable<User>({
  id: ['id', text],
  rotateInterval: ['rotate_interval', nullable(integer)],
  epoch: ['epoch', integer],
  pubkey: ['pubkey', hex],
  rotatedAt: ['rotated_at', integer],
  createdAt: ['created_at', integer],
})

const RELAYS = z.array(z.string())
const relays = json<readonly string[]>(
  (value) => value,
  (read) => RELAYS.parse(read),
)

export const LETTER = createTable<Letter>({
  paymentId: ['payment_id', text],
  kind: ['kind', word(...LETTER_KINDS)],
  layout: ['layout', word(...LETTER_LAYOUTS)],
  state: ['state', word(...LETTER_STATES)],
  createdAt: ['created_at', integer],
  attempts: ['attempts', integer],
  nextAttemptAt: ['next_attempt_at', nullable(integer)],
  acceptedBy: ['accepted_by', relays],
  lastError: ['last_error', nullable(text)],
  wrap: ['wrap', nullable(text)],
})

export const INVOICE_SLATE = createTable<InvoiceSlate>({
  slateId: ['id', text],
  invoiceId: ['invoice_id', text],
  state: ['state', word(...INVOICE_SLATE_STATES)],
  amount: ['amount', amount],
  keyIndex: ['key_index', integer],
  commitment: ['commitment', bytes],
  rangeProof: ['range_proof', bytes],
  sealedSecrets: ['sealed_secrets', nullable(bytes)],
  createdAt: ['created_at', integer],
})
