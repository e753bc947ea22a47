// What the till refuses. Texts marked `wire:` are read by existing clients or shown by them to people; tests pin them.
import { formatGrin, type NanoGrin } from '../grin/amount/index.js'
import { defineError, GrinpayError } from '../lib/errors.js'
import { INVOICE_EXPIRY } from '../lib/invoice-expiry.js'
import type { Progress } from '../lib/payment-words.js'
import type { InvoiceStatus } from './model.js'

export const ingestOff = defineError('IDENTITY_NOT_LOADED', {
  status: 503,
  text: () => 'server identity not loaded (PAY_INGEST=off)', // wire:
  hint: 'set PAY_INGEST=on and restart the till',
})
export const receiptUnavailable = defineError('RECEIPT_UNAVAILABLE', {
  status: 503,
  text: () => 'receipt signing unavailable (server identity not loaded)', // wire:
  hint: 'set PAY_INGEST=on and restart the till',
})

// Creating an invoice.
export const amountMissing = defineError('AMOUNT_MISSING', {
  status: 400,
  text: () => 'provide amount_grin, or amount_fiat + currency', // wire:
  hint: 'send one of the two, as whole nanogrin or as decimal text',
})
export const amountTwice = defineError('AMOUNT_TWICE', {
  status: 400,
  text: () => 'provide either amount_grin or amount_fiat + currency, not both',
  hint: 'send one of the two',
})
export const amountOutOfRange = defineError('AMOUNT_OUT_OF_RANGE', {
  status: 400,
  text: (nanogrin: bigint) => `amount of ${nanogrin} nanogrin: it must be 1 to 9007199254740991`,
})
export const fiatAmountInvalid = defineError('FIAT_AMOUNT_INVALID', {
  status: 400,
  text: (amount: string, fault: string) => `fiat amount \`${amount.slice(0, 32)}\` is not a valid decimal: ${fault}`, // wire: up to the colon
  hint: 'send digits with at most one point, such as 12.50',
})
export const fiatAmountTooSmall = defineError('FIAT_AMOUNT_TOO_SMALL', {
  status: 400,
  text: (amount: string) => `fiat amount \`${amount}\` is less than one nanogrin`,
  hint: 'raise the amount',
})
export const currencyNotEnabled = defineError('CURRENCY_NOT_ENABLED', {
  status: 400,
  text: (currency: string) => `currency \`${currency.slice(0, 16)}\` is not enabled (see PAY_RATE_CURRENCIES)`, // wire:
  hint: 'add it there and restart the till, or price the invoice in GRIN',
})
export const matchModeInvalid = defineError('MATCH_MODE_INVALID', {
  status: 400,
  text: () => 'match_mode must be memo, derived, or amount', // wire:
  hint: 'omit it to use PAY_MATCH_MODE',
})
export const orderRefInvalid = defineError('ORDER_REF_INVALID', {
  status: 400,
  text: () => 'order_ref must be 1 to 255 characters without control characters',
  hint: 'shorten it; remove line breaks',
})
export const returnUrlInvalid = defineError('RETURN_URL_INVALID', {
  status: 400,
  text: () => 'return_url must be an http or https address of at most 2048 characters, without spaces and user name',
  hint: 'send the whole address of a page of the shop, such as https://shop.example/orders/1001',
})
export const expiryInvalid = defineError('EXPIRY_INVALID', {
  status: 400,
  text: (seconds: number) =>
    `expiry_secs of ${seconds}: it must be a whole number from ${INVOICE_EXPIRY.least} to ${INVOICE_EXPIRY.most}`,
  hint: 'send seconds from one minute to one year',
})
export const quoteUnavailable = defineError('RATE_UNAVAILABLE', {
  status: 502,
  text: (reason: string) => `price oracle unavailable: ${reason}`, // wire:
  hint: 'retry later, or create the invoice with amount_grin',
})
export const quoteDisputed = defineError('RATE_DISPUTED', {
  status: 503,
  text: (finding: string) => `the price of GRIN is in doubt: ${finding}`,
  hint: 'find out which price is wrong and take its source out of PAY_RATE_SOURCE; meanwhile create the invoice with amount_grin',
})
export const idempotencyMismatch = defineError('IDEMPOTENCY_MISMATCH', {
  status: 422,
  text: () => 'this Idempotency-Key was used with another request',
  hint: 'use a new key for a new invoice',
})

// Invoices and payments by name.
export const invoiceNotFound = defineError('INVOICE_NOT_FOUND', {
  status: 404,
  text: () => 'not found', // wire:
  hint: 'grinpay invoice list',
})
export const invoiceNotOpen = defineError('INVOICE_NOT_OPEN', {
  status: 409,
  text: (status: InvoiceStatus) => `only an open invoice can be cancelled; this one is ${status}`,
  hint: 'do nothing: this invoice accepts no new payment',
})
export const requoteRefused = defineError('REQUOTE_REFUSED', {
  status: 409,
  text: (reason: string) => `no new price for this invoice: ${reason}`,
  hint: 'create a new invoice',
})
export const paymentNotFound = defineError('PAYMENT_NOT_FOUND', {
  status: 404,
  text: () => 'payment not found', // wire:
  hint: 'grinpay payment list',
})
export const assignRefused = defineError('ASSIGN_REFUSED', {
  status: 409,
  text: (reason: string) => `the payment cannot be assigned: ${reason}`,
  hint: 'compare grinpay payment show and grinpay invoice show',
})
export const replyNotByNostr = defineError('REPLY_NOT_BY_NOSTR', {
  status: 409,
  text: () => 'this payment did not arrive over Nostr; its reply is on the checkout page',
  hint: 'open the pay_url that grinpay invoice show prints for its invoice',
})

// Pasted and received slates.
export const invoiceAlreadyPaid = defineError('INVOICE_ALREADY_PAID', {
  status: 409,
  text: (progress: Progress) =>
    progress === 'signed'
      ? 'another payment of this invoice is signed already and waits for the network; this slatepack was not accepted'
      : 'this invoice is already paid; this slatepack was not accepted',
  hint: 'cancel the new send in the wallet; the first payment counts',
})
export const invoiceExpired = defineError('INVOICE_EXPIRED', {
  status: 410,
  text: () => 'this invoice has expired; this slatepack was not accepted',
  hint: 'cancel the send in the wallet and ask the shop for a new invoice',
})
export const invoiceCancelled = defineError('INVOICE_CANCELLED', {
  status: 410,
  text: () => 'this invoice was cancelled; this slatepack was not accepted',
  hint: 'cancel the send in the wallet and ask the shop for a new invoice',
})
export const wrongState = defineError('SLATE_WRONG_STATE', {
  status: 422,
  text: (state: string) => `this slatepack is in state ${state}; a payment starts with state S1`,
  hint: 'make a new slatepack with "send" in the wallet and paste that one',
})
export const ourReply = defineError('SLATE_OUR_REPLY', {
  status: 422,
  text: () => 'this is our reply (S2) to your payment, not a new payment',
  hint: 'do not cancel the payment: give this slatepack to your wallet where it waits for the reply ("finalize")',
})
export const paymentFinished = defineError('SLATE_FINISHED', {
  status: 422,
  text: () => 'this payment is already finished (S3)',
  hint: 'do not cancel it: if the wallet has not sent it to the network yet, send it from there ("post")',
})
export const paymentComplete = defineError('SLATE_PAYMENT_COMPLETE', {
  status: 422,
  text: () => 'this slatepack belongs to a payment that is complete',
  hint: 'nothing is left to do in the wallet; the payment page shows the confirmations',
})
export const ourInvoice = defineError('SLATE_OUR_INVOICE', {
  status: 422,
  text: () => 'this is our invoice slatepack (I1): it asks your wallet to pay',
  hint: 'open it in your wallet ("pay") and paste the slatepack that the wallet answers with',
})
export const ourInvoiceOver = defineError('SLATE_OUR_INVOICE_OVER', {
  status: 410,
  text: () => 'this is an invoice slatepack (I1) of ours that can no longer be paid',
  hint: 'do not pay it; load the payment page again',
})
export const wrongAmount = defineError('SLATE_WRONG_AMOUNT', {
  status: 422,
  text: (offered: NanoGrin, wanted: NanoGrin) =>
    `this slatepack is for ${formatGrin(offered)} GRIN, the invoice is ${formatGrin(wanted)}`,
  hint: 'cancel the send in the wallet and send exactly the amount of the invoice',
})
/** A broken rule of the receiver (specification: grin-wallet, 4.1), under the rule's own code. */
export const slateRefused = ({ code, text }: { readonly code: string; readonly text: string }): GrinpayError =>
  new GrinpayError(code, text, 422, 'cancel the send in the wallet and make a new one')
export const slateIdUsed = defineError('SLATE_ID_USED', {
  status: 422,
  text: () => 'another slatepack with this slate id was already received',
  hint: 'open the payment page where that one was pasted; only if it was never finished, cancel it in the wallet and make a new one',
})
export const slateExpired = defineError('SLATE_EXPIRED', {
  status: 422,
  text: (ttl: bigint, height: number) => `this slatepack was valid until block ${ttl}, the chain is at ${height}`,
  hint: 'make a new slatepack in the wallet',
})
export const slateTimeUnknown = defineError('SLATE_TIME_UNKNOWN', {
  status: 503,
  text: () => 'cannot check the time limit of this slatepack: no Grin node answers',
  hint: 'paste it again in a minute, or make one without a time limit',
})
/** An invoice slate (I1) that comes back as I2. */
export const notAnInvoiceReply = defineError('INVOICE_SLATE_WRONG_STATE', {
  status: 422,
  text: (state: string) => `this slate is in state ${state}; what answers an invoice is in state I2`,
  hint: "open the page's invoice slatepack in the wallet and paste the reply",
})
export const invoiceSlateUnknown = defineError('INVOICE_SLATE_UNKNOWN', {
  status: 422,
  text: () => 'this slatepack answers no invoice of this till',
  hint: 'give it to whom its invoice slatepack came from; to pay here, open the payment page again',
})
export const invoiceSlateElsewhere = defineError('INVOICE_SLATE_ELSEWHERE', {
  status: 422,
  text: () => 'this slatepack answers another invoice',
  hint: 'paste it on the payment page of that invoice',
})
export const invoiceSlateClosed = defineError('INVOICE_SLATE_CLOSED', {
  status: 410,
  text: () => 'this slatepack answers an invoice slate that is no longer valid: load the payment page again',
  hint: 'cancel the payment in the wallet, then use the slatepack on the reloaded page',
})
export const invoiceSlateUsed = defineError('INVOICE_SLATE_USED', {
  status: 409,
  text: () => 'this invoice was already completed with another slatepack; this one was not accepted',
  hint: 'nothing is left to pay; the payment page shows the confirmations of the first one',
})
/** Not the payer's fault, and different in a while: rails with a queue try again by themselves. */
export const tooManyUnmatched = defineError('TOO_MANY_UNMATCHED', {
  status: 503,
  text: () => 'too many payments without an invoice in the last hour',
  hint: 'try again in an hour, or pay an invoice',
})
export const noInvoiceMatches = defineError('NO_INVOICE_MATCHES', {
  status: 422,
  text: (reason: string) => `this payment fits no single open invoice: ${reason}`,
  hint: 'cancel the send in the wallet, then use another method of the checkout page or ask for a new invoice',
})

// Webhooks.
export const deliveryNotFound = defineError('DELIVERY_NOT_FOUND', {
  status: 404,
  text: (eventId: string, receiver?: number) =>
    `no webhook event ${eventId.slice(0, 40)}${receiver === undefined ? '' : ` for receiver ${receiver}`}`,
  hint: 'grinpay webhook list',
})
export const deliveryInFlight = defineError('DELIVERY_IN_FLIGHT', {
  status: 409,
  text: () => 'this event is being sent right now',
  hint: 'look again in a moment: grinpay webhook show EVENT_ID',
})
export const webhookNotConfigured = defineError('WEBHOOK_NOT_CONFIGURED', {
  status: 409,
  text: (receiver?: number) =>
    receiver === undefined ? 'no webhook is configured' : `webhook receiver ${receiver} is not configured`,
  hint: 'set PAY_WEBHOOK_URL and PAY_WEBHOOK_SECRET (further receivers: PAY_WEBHOOK_2_URL, PAY_WEBHOOK_2_SECRET up to 8)',
})

// The wallet.
export const walletStopped = defineError('WALLET_STOPPED', {
  status: 503,
  text: () => 'this till accepts no payments: its wallet is stopped',
  hint: 'operator: see grinpay doctor, then systemctl restart grinpay-pay',
})

export const tillDiskFull = defineError('DISK_FULL', {
  status: 503,
  text: () => 'this till takes no new invoices: its disk is full. Invoices that exist can be paid',
  hint: 'operator: make room on the disk (grinpay doctor pay says how much), then try again; no restart is needed',
})

// Users and their keys.
export const userExists = defineError('USER_EXISTS', {
  status: 409,
  text: (id: string) => `user ${id} already exists`,
  hint: 'choose another user_id, or use this user',
})
export const userNotFound = defineError('USER_NOT_FOUND', {
  status: 404,
  text: () => 'user not found',
  hint: 'create the user first: POST /admin/users',
}) // wire:
export const userIdInvalid = defineError('USER_ID_INVALID', {
  status: 400,
  text: () => 'user_id must be 1 to 64 of the characters A-Z a-z 0-9 . _ -',
  hint: 'choose a user_id from these characters',
})
export const rotateIntervalInvalid = defineError('ROTATE_INTERVAL_INVALID', {
  status: 400,
  text: () => 'the rotation interval must be a whole number of seconds, 0 or more',
  hint: 'send whole seconds; 0 switches rotation off',
})
export const rotationLost = defineError('ROTATION_LOST', {
  status: 409,
  text: () => 'another request rotated this user at the same moment',
  hint: 'read the user again',
})
