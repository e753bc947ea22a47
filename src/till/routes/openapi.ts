// The OpenAPI document of the till, served and committed.
import { openapiDocument } from '../../http/index.js'
import { CHAIN_HEADER } from '../../lib/chain-header.js'
import { OPERATIONS } from './operations/index.js'

/** The document as text, indented, with a line end: byte for byte what `openapi/pay.json` holds. */
export function tillOpenapi(version: string): string {
  const document = openapiDocument({
    title: 'grinpay till',
    version,
    description:
      'Take payments in Grin. Amounts are whole nanogrin (1 GRIN = 1000000000) unless a member says otherwise; times are UTC. Every error is JSON with `error` for people and `code` for machines, and follows RFC 9457; ask for `application/problem+json` to get that type.',
    tags: {
      invoices: 'What a shop uses.',
      payments: 'For whoever knows the id of a payment.',
      checkout: 'What the payer uses; the token in the path is the authority.',
      admin: 'Invoices and payments for the operator.',
      users: 'Receiving keys of tenants.',
      webhooks: 'Deliveries to the shop.',
      service: 'Health, documents and files.',
    },
    parameters: {
      invoice_id: '32 lower-case hex characters.',
      token: 'The 43 characters at the end of `pay_url`.',
      payment_id: 'The UUID of the slate.',
      event_id: '32 lower-case hex characters.',
      user_id: 'The id given when the user was created.',
      name: 'File name with its content hash.',
    },
    operations: OPERATIONS,
    answerHeaders: {
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
