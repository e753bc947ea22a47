// The OpenAPI document of the authority, served and committed.
import { type Operation, openapiDocument } from '../../http/index.js'
import { NAME_ROUTES, READ_ROUTES } from './names.js'
import { PAID_ROUTES } from './paid.js'
import { AUTHORITY_PATH_PARAMETERS } from './parts.js'
import * as docs from './schemas.js'
import { API_HEALTH, CLIENT, OPENAPI } from './service.js'
import { TRANSFER_ROUTES } from './transfers.js'

/** Everything below /api/v1 and the NIP-05 document; the other routes of the process are the same for every daemon. */
export const AUTHORITY_OPERATIONS: readonly Operation[] = [
  ...READ_ROUTES,
  ...NAME_ROUTES,
  ...PAID_ROUTES,
  ...TRANSFER_ROUTES,
  API_HEALTH,
  CLIENT,
  OPENAPI,
].map((route) => ({ ...route, ...route.describe(docs) }))

/** The document as text, indented, with a line end: byte for byte what `openapi/nameauth.json` holds. */
export function authorityOpenapi(version: string): string {
  const document = openapiDocument({
    title: 'grinpay name authority',
    version,
    description:
      'Nostr names (NIP-05): look up, claim, give up, buy. Every answer may be read from any origin and is not cached. Every error is JSON with `error` for clients and `code` for machines, and follows RFC 9457. Routes of transfers exist only where transfers are switched on.',
    tags: {
      names: 'Looking up and claiming.',
      payments: 'Where names or write access have a price.',
      transfers: 'Sales between keys, proven by a Grin payment.',
      service: 'Health and this document.',
    },
    parameters: AUTHORITY_PATH_PARAMETERS,
    operations: AUTHORITY_OPERATIONS,
    servers: [
      {
        url: 'https://{domain}',
        description: 'The base address of the authority; signed requests name it.',
        variables: { domain: { default: 'names.example.net', description: 'Host of the authority.' } },
      },
    ],
    securitySchemes: {
      nostr: {
        type: 'apiKey',
        in: 'header',
        name: 'Authorization',
        description:
          'NIP-98: `Nostr ` and the base64 of an event of kind 27235 with the tags `u` (base address and path), `method` and, with a body, `payload` (its SHA-256). Each event counts once.',
      },
    },
  })
  return `${JSON.stringify(document, null, 2)}\n`
}
