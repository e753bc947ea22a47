// The rows that the operator's console lists: without the wide texts, which would be read from pages of their own.
import { DELIVERY, INVOICE, MESSAGE, PAYMENT } from './tables.js'

const INVOICE_MEMBERS = [
  'id',
  'status',
  'amount',
  'fiat',
  'orderRef',
  'memo',
  'expiresAt',
  'createdAt',
  'paymentId',
  'confirmations',
] as const

export const INVOICE_ROW = INVOICE.only(...INVOICE_MEMBERS)

/** As the point of sale lists them. */
export const SALE_ROW = INVOICE.only(...INVOICE_MEMBERS, 'paidAt', 'tip')

export const PAYMENT_ROW = PAYMENT.only(
  'id',
  'invoiceId',
  'userId',
  'amount',
  'rail',
  'payer',
  'settlement',
  'minedHeight',
  'confirmations',
  'createdAt',
  'minedAt',
  'confirmedAt',
  'output',
  'intendedInvoiceId',
)

export const DELIVERY_ROW = DELIVERY.only(
  'eventId',
  'receiver',
  'type',
  'invoiceId',
  'paymentId',
  'createdAt',
  'state',
  'attempts',
  'nextAttemptAt',
  'lastError',
)

export const MESSAGE_ROW = MESSAGE.only(
  'paymentId',
  'kind',
  'layout',
  'state',
  'createdAt',
  'attempts',
  'nextAttemptAt',
  'acceptedBy',
  'lastError',
)
