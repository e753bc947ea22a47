// How letters and invoice slates lie in their tables (see migrations/002-rails.ts for the columns).
import { z } from 'zod'
import type { InvoiceSlate, Letter } from '../../till/index.js'
import { INVOICE_SLATE_STATES, LETTER_KINDS, LETTER_LAYOUTS, LETTER_STATES } from '../../till/model.js'
import { amount, bytes, createTable, integer, json, nullable, text, word } from '../sqlite/columns.js'

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
