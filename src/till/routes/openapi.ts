// The OpenAPI document of the till, served and committed.
import { type Operation, openapiDocument } from '../../http/index.js'
import { CHAIN_HEADER } from '../../lib/chains.js'
import { PASTE_SLATEPACK, REQUOTE, SHOW_CHECKOUT, SHOW_STATUS_FRAME } from '../pages/index.js'
import { ADMIN_ROUTES } from './admin.js'
import { READ_CHECKOUT_STATUS } from './checkout-status.js'
import { TILL_WEBHOOK_HEADERS, TILL_WEBHOOKS } from './event-schemas.js'
import { INVOICE_ROUTES } from './invoices.js'
import { TILL_PATH_PARAMETERS } from './parts.js'
import { PAYMENT_ROUTES } from './payments.js'
import { REPORT_ROUTES } from './reports.js'
import { SERVICE_OPERATIONS } from './service.js'
import { USER_ROUTES } from './users.js'
import { WEBHOOK_ROUTES } from './webhooks.js'

/** Every route of the till, in the order of the document. A test compares them with what is mounted. */
export const TILL_OPERATIONS: readonly Operation[] = [
  ...INVOICE_ROUTES,
  ...PAYMENT_ROUTES,
  SHOW_CHECKOUT,
  SHOW_STATUS_FRAME,
  READ_CHECKOUT_STATUS,
  PASTE_SLATEPACK,
  REQUOTE,
  ...ADMIN_ROUTES,
  ...REPORT_ROUTES,
  ...USER_ROUTES,
  ...WEBHOOK_ROUTES,
  ...SERVICE_OPERATIONS,
]

/** The document as text, indented, with a line end: byte for byte what `openapi/pay.json` holds. */
export function tillOpenapi(version: string): string {
  const document = openapiDocument({
    title: 'grinpay till',
    version,
    description:
      'Take payments in Grin. Amounts are whole nanogrin (1 GRIN = 1000000000) unless a member says otherwise; times are UTC. Every error is JSON with `error` for people and `code` for machines, and follows RFC 9457; ask for `application/problem+json` to get that type.',
    tags: {
      invoices: 'What a shop uses.',
      payments: 'For clients that know the id of a payment.',
      checkout: 'What the payer uses; the token in the path is the authority.',
      admin: 'Invoices, payments and reports for the operator.',
      users: 'Receiving keys of tenants.',
      webhooks: 'Deliveries to the shop.',
      service: 'Health, documents and files.',
    },
    parameters: TILL_PATH_PARAMETERS,
    operations: TILL_OPERATIONS,
    webhooks: TILL_WEBHOOKS,
    webhookHeaders: TILL_WEBHOOK_HEADERS,
    responseHeaders: {
      [CHAIN_HEADER]:
        'The chain of the till: `mainnet`, `testnet`, `usernet` or `sandbox`. Only coins of `mainnet` have a value.',
    },
    servers: [
      {
        url: 'https://{till}',
        description: 'Your own till; a path of its public address belongs to it.',
        variables: { till: { default: 'till.example.net', description: 'Host of the till.' } },
      },
    ],
    securitySchemes: {
      api: { type: 'http', scheme: 'bearer', description: 'The API token, `pay_live_…`.' },
      admin: { type: 'http', scheme: 'bearer', description: 'The admin token, `pay_admin_…`.' },
    },
  })
  return `${JSON.stringify(document, null, 2)}\n`
}
