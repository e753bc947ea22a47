// Every route of the till as data: the OpenAPI document is made from it, and a test compares it with what is mounted.
import { z } from 'zod'
import type { Answer, Operation } from '../../http/index.js'
import * as requests from './requests.js'
import * as schemas from './schemas.js'

const html: Answer = { description: 'The page.', schema: z.string(), contentType: 'text/html' }
const errors = {
  400: 'The request is not usable; `error` names the member.',
  401: 'The token is missing or wrong.',
  404: 'There is no such thing.',
  409: 'Not possible in the state it is in.',
  410: 'The invoice has expired or was cancelled.',
  413: 'The body is larger than 64 KiB.',
  415: 'The Content-Type is not understood.',
  422: 'The Idempotency-Key came with another body before.',
  429: 'Too many requests; see Retry-After.',
  502: 'No exchange rate, or no node, is available.',
  503: 'Not configured, or not able to now.',
} as const

/** The error answers with these statuses. */
function failing(...statuses: readonly (keyof typeof errors)[]): Record<number, Answer> {
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: errors[status],
        schema: schemas.errorSchema,
        ...(status === 429 && { headers: { 'Retry-After': 'Seconds to wait.' } }),
        ...(status === 401 && { headers: { 'WWW-Authenticate': 'Always `Bearer`.' } }),
      },
    ]),
  )
}

const ok = (description: string, schema: z.ZodType): Record<number, Answer> => ({ 200: { description, schema } })
const body = (schema: z.ZodType, required = true) => ({ schema, required })
const guarded = [401, 429, 503] as const

const INVOICES: readonly Operation[] = [
  {
    method: 'post',
    path: '/invoice',
    id: 'createInvoice',
    tag: 'invoices',
    summary: 'Create an invoice',
    description: 'Either `amount_grin`, or `amount_fiat` with `currency`. Amounts in JSON are nanogrin.',
    auth: 'api',
    headers: {
      'Idempotency-Key':
        '1 to 128 visible ASCII characters. For 24 hours the same key and body give the same invoice again, marked with the header `Idempotent-Replayed: true`.',
    },
    body: body(requests.createInvoiceBody),
    answers: { ...ok('The invoice.', schemas.invoiceSchema), ...failing(400, ...guarded, 409, 413, 415, 422, 502) },
  },
  {
    method: 'get',
    path: '/invoice/{invoice_id}',
    id: 'readInvoice',
    tag: 'invoices',
    summary: 'Read an invoice',
    auth: 'api',
    answers: { ...ok('The invoice as it stands now.', schemas.invoiceSchema), ...failing(...guarded, 404) },
  },
]

const PAYMENTS: readonly Operation[] = [
  {
    method: 'get',
    path: '/payment/{payment_id}',
    id: 'readPayment',
    tag: 'payments',
    summary: 'Read a payment',
    description: 'Whoever knows the id may read it; `payer` is there only for the admin token.',
    answers: { ...ok('The payment.', schemas.paymentSchema), ...failing(404, 429) },
  },
  {
    method: 'get',
    path: '/payment/{payment_id}/receipt',
    id: 'readReceipt',
    tag: 'payments',
    summary: 'Read the signed receipt of a payment',
    description: 'It is also issued before confirmation: look at `confirmed_height`.',
    answers: { ...ok('The receipt.', schemas.receiptSchema), ...failing(404, 409, 429, 503) },
  },
]

const CHECKOUT: readonly Operation[] = [
  {
    method: 'get',
    path: '/pay/{token}',
    id: 'showCheckout',
    tag: 'checkout',
    summary: 'The checkout page, HTML without scripts',
    query: z.object({ method: z.enum(['goblin', 'slatepack']).optional().describe('The tab to show.') }),
    answers: { 200: html, ...failing(404, 429) },
  },
  {
    method: 'get',
    path: '/pay/{token}/frame',
    id: 'showStatusFrame',
    tag: 'checkout',
    summary: 'The status frame of the checkout page',
    description: 'With `seen` it is held open for up to 25 seconds, until the status is another one.',
    query: z.object({
      page: z.string().optional().describe('Status that the page around it shows.'),
      seen: z.string().optional().describe('Status and depth that the frame has shown, as `open.0`.'),
    }),
    answers: { 200: html, ...failing(404, 429) },
  },
  {
    method: 'get',
    path: '/pay/{token}/status',
    id: 'readCheckoutStatus',
    tag: 'checkout',
    summary: 'The status for a shop’s own page',
    answers: { ...ok('Where the payment stands.', schemas.checkoutStatusSchema), ...failing(404, 429) },
  },
  {
    method: 'post',
    path: '/pay/{token}/slatepack',
    id: 'pasteSlatepack',
    tag: 'checkout',
    summary: 'Give the till a slatepack, get its reply',
    description:
      'Answers a page, or JSON with `Accept: application/json`. The same slatepack gets the same reply again.',
    body: { schema: requests.pasteForm, contentType: 'application/x-www-form-urlencoded' },
    answers: {
      ...ok('The reply.', schemas.pasteSchema),
      ...failing(400, 404, 413, 415, 429, 503),
      409: { description: 'The invoice is paid already.', schema: schemas.pasteRefusalSchema },
      410: { description: 'The invoice has expired or was cancelled.', schema: schemas.pasteRefusalSchema },
      422: { description: 'The slatepack is refused; `error` says why.', schema: schemas.pasteRefusalSchema },
    },
  },
  {
    method: 'post',
    path: '/pay/{token}/requote',
    id: 'requote',
    tag: 'checkout',
    summary: 'A new price for an expired fiat invoice',
    answers: {
      303: { description: 'Back to the page.', headers: { Location: 'The checkout page.' } },
      ...failing(404, 409, 429, 502),
    },
  },
]

const ADMIN: readonly Operation[] = [
  {
    method: 'get',
    path: '/admin/invoices',
    id: 'listInvoices',
    tag: 'admin',
    summary: 'List invoices, newest first',
    auth: 'admin',
    query: requests.invoiceListQuery,
    answers: {
      ...ok('A page of invoices.', schemas.listOf('invoices', schemas.invoiceSchema)),
      ...failing(400, ...guarded),
    },
  },
  {
    method: 'post',
    path: '/admin/invoices/{invoice_id}/cancel',
    id: 'cancelInvoice',
    tag: 'admin',
    summary: 'Cancel an open invoice',
    auth: 'admin',
    answers: { ...ok('The cancelled invoice.', schemas.invoiceSchema), ...failing(...guarded, 404, 409) },
  },
  {
    method: 'get',
    path: '/admin/payments',
    id: 'listPayments',
    tag: 'admin',
    summary: 'List payments, newest first',
    auth: 'admin',
    query: requests.paymentListQuery,
    answers: {
      ...ok('A page of payments.', schemas.listOf('payments', schemas.paymentRecordSchema)),
      ...failing(400, ...guarded),
    },
  },
  {
    method: 'post',
    path: '/admin/payments/{payment_id}/match',
    id: 'matchPayment',
    tag: 'admin',
    summary: 'Attach an unmatched payment to an invoice',
    auth: 'admin',
    body: body(requests.matchPaymentBody),
    answers: {
      ...ok('The matched payment.', schemas.paymentRecordSchema),
      ...failing(400, ...guarded, 404, 409, 413, 415),
    },
  },
  {
    method: 'get',
    path: '/admin/status',
    id: 'readStatus',
    tag: 'admin',
    summary: 'Wallet, node, queues and alarms',
    auth: 'admin',
    answers: { ...ok('The state of the till.', schemas.statusSchema), ...failing(...guarded) },
  },
]

const USERS: readonly Operation[] = [
  {
    method: 'get',
    path: '/admin/users',
    id: 'listUsers',
    tag: 'users',
    summary: 'List users with what they were paid',
    auth: 'admin',
    query: requests.userListQuery,
    answers: {
      ...ok('A page of users.', schemas.listOf('users', schemas.userRecordSchema)),
      ...failing(400, ...guarded),
    },
  },
  {
    method: 'post',
    path: '/admin/users',
    id: 'createUser',
    tag: 'users',
    summary: 'Create a user with a receiving key',
    auth: 'admin',
    body: body(requests.createUserBody, false),
    answers: { ...ok('The receiving key.', schemas.endpubSchema), ...failing(400, ...guarded, 409, 413, 415) },
  },
  {
    method: 'get',
    path: '/admin/users/{user_id}',
    id: 'readUser',
    tag: 'users',
    summary: 'The receiving key of a user',
    auth: 'admin',
    answers: { ...ok('The receiving key in force.', schemas.endpubSchema), ...failing(...guarded, 404) },
  },
  {
    method: 'post',
    path: '/admin/users/{user_id}/rotate',
    id: 'rotateUser',
    tag: 'users',
    summary: 'Give a user a new receiving key now',
    auth: 'admin',
    answers: { ...ok('The new receiving key.', schemas.endpubSchema), ...failing(...guarded, 404, 409) },
  },
  {
    method: 'post',
    path: '/admin/users/{user_id}/rotate-interval',
    id: 'setRotateInterval',
    tag: 'users',
    summary: 'How often a user gets a new receiving key',
    auth: 'admin',
    body: body(requests.rotateIntervalBody),
    answers: { ...ok('Stored.', schemas.rotateIntervalSchema), ...failing(400, ...guarded, 404, 413, 415) },
  },
]

const WEBHOOKS: readonly Operation[] = [
  {
    method: 'get',
    path: '/admin/webhooks',
    id: 'listDeliveries',
    tag: 'webhooks',
    summary: 'List webhook events, newest first',
    auth: 'admin',
    query: requests.deliveryListQuery,
    answers: {
      ...ok('A page of events.', schemas.listOf('deliveries', schemas.deliverySchema)),
      ...failing(400, ...guarded),
    },
  },
  {
    method: 'get',
    path: '/admin/webhooks/{event_id}',
    id: 'readDelivery',
    tag: 'webhooks',
    summary: 'A webhook event with its body and every try',
    auth: 'admin',
    answers: { ...ok('The event.', schemas.deliveryDetailSchema), ...failing(...guarded, 404) },
  },
  {
    method: 'post',
    path: '/admin/webhooks/{event_id}/replay',
    id: 'replayDelivery',
    tag: 'webhooks',
    summary: 'Send a webhook event again: same id, same body',
    auth: 'admin',
    answers: { ...ok('The queued event.', schemas.deliverySchema), ...failing(...guarded, 404, 409) },
  },
  {
    method: 'post',
    path: '/admin/webhooks/test',
    id: 'testWebhook',
    tag: 'webhooks',
    summary: 'Send a signed `test.ping` now',
    auth: 'admin',
    answers: { ...ok('What came back.', schemas.webhookTestSchema), ...failing(...guarded, 409) },
  },
]

const SERVICE: readonly Operation[] = [
  {
    method: 'get',
    path: '/health',
    id: 'health',
    tag: 'service',
    summary: 'Whether the process answers',
    query: z.object({
      deep: z
        .enum(['1'])
        .optional()
        .describe('`1`: with the checks of `/ready` and their details; needs the admin token.'),
    }),
    answers: { ...ok('It does.', schemas.healthSchema), ...failing(401, 503) },
  },
  {
    method: 'get',
    path: '/ready',
    id: 'ready',
    tag: 'service',
    summary: 'Whether the till can take payments',
    answers: {
      ...ok('It can.', schemas.readySchema),
      ...failing(429),
      503: { description: 'It cannot; `error` names the failed checks.', schema: schemas.readySchema },
    },
  },
  {
    method: 'get',
    path: '/openapi.json',
    id: 'openapi',
    tag: 'service',
    summary: 'This document',
    answers: { ...ok('OpenAPI 3.1.', z.looseObject({ openapi: z.string() })), ...failing(429) },
  },
  {
    method: 'get',
    path: '/static/{name}',
    id: 'asset',
    tag: 'service',
    summary: 'Style sheet and mark of the pages',
    answers: { 200: { description: 'The file.', schema: z.string(), contentType: 'text/css' }, ...failing(404) },
  },
  {
    method: 'get',
    path: '/',
    id: 'landing',
    tag: 'service',
    summary: 'A plain page that says what this is',
    answers: { 200: html, ...failing(429) },
  },
]

export const OPERATIONS: readonly Operation[] = [
  ...INVOICES,
  ...PAYMENTS,
  ...CHECKOUT,
  ...ADMIN,
  ...USERS,
  ...WEBHOOKS,
  ...SERVICE,
]
