// Every route of the authority as data: the OpenAPI document is made from it, and a test compares it with what is mounted.
import { z } from 'zod'
import type { Answer, Operation } from '../../http/index.js'
import * as schemas from './schemas.js'

const errors = {
  400: 'The request is not usable.',
  401: 'The NIP-98 event proves nothing for this request, or another key than needed.',
  403: 'Not with this name, or not with this key.',
  404: 'There is no such thing.',
  409: 'Not possible in the state it is in.',
  410: 'The offer is over.',
  413: 'The body is larger than 16 KiB.',
  429: 'Too many requests, or a name was changed a moment ago; see Retry-After.',
  500: 'The database failed.',
  503: 'The invoicing service cannot be asked now.',
} as const

function failing(...statuses: readonly (keyof typeof errors)[]): Record<number, Answer> {
  const answer = (status: keyof typeof errors): Answer => ({
    description: errors[status],
    schema: schemas.errorSchema,
    ...(status === 429 && { headers: { 'Retry-After': 'Seconds to wait.' } }),
  })
  return Object.fromEntries(statuses.map((status) => [status, answer(status)]))
}

const ok = (description: string, schema: z.ZodType): Record<number, Answer> => ({ 200: { description, schema } })
const text: Answer = { description: 'It does.', schema: z.literal('ok'), contentType: 'text/plain' }
const due: Record<number, Answer> = {
  402: { description: 'The invoice to pay first.', schema: schemas.paymentDueSchema },
}
const conflict: Record<number, Answer> = { 409: { description: errors[409], schema: schemas.heldSchema } }

const READS: readonly Operation[] = [
  {
    method: 'get',
    path: '/.well-known/nostr.json',
    id: 'nip05',
    tag: 'names',
    summary: 'The NIP-05 document of one name',
    query: z.object({ name: z.string().optional().describe('The part before the @.') }),
    answers: {
      ...ok('The key of the name; two empty maps when nobody holds it.', schemas.nip05Schema),
      ...failing(400, 429, 500),
    },
  },
  {
    method: 'get',
    path: '/api/v1/name/{name}',
    id: 'availability',
    tag: 'names',
    summary: 'Whether a name can be claimed',
    answers: { ...ok('Whether it can, and why not.', schemas.availabilitySchema), ...failing(400, 429, 500) },
  },
  {
    method: 'get',
    path: '/api/v1/profile/{name}',
    id: 'profile',
    tag: 'names',
    summary: 'Who holds a name',
    answers: { ...ok('The holder.', schemas.holderSchema), ...failing(400, 404, 429, 500) },
  },
  {
    method: 'get',
    path: '/api/v1/by-pubkey/{pubkey}',
    id: 'byPubkey',
    tag: 'names',
    summary: 'Which name a key holds',
    answers: { ...ok('The holder.', schemas.holderSchema), ...failing(400, 404, 429, 500) },
  },
]

const NAMES: readonly Operation[] = [
  {
    method: 'post',
    path: '/api/v1/register',
    id: 'register',
    tag: 'names',
    summary: 'Claim a name; the one that the key holds is released by it',
    auth: 'nostr',
    body: { schema: schemas.claimBody },
    answers: {
      ...ok('The key holds this name already.', schemas.registrationSchema),
      201: { description: 'The name is claimed.', schema: schemas.registrationSchema },
      ...due,
      ...failing(400, 401, 403, 409, 413, 429, 500, 503),
    },
  },
  {
    method: 'delete',
    path: '/api/v1/register/{name}',
    id: 'release',
    tag: 'names',
    summary: 'Give a name up; it is free for everybody at once',
    auth: 'nostr',
    answers: {
      ...ok('It is released.', schemas.releasedSchema),
      ...failing(400, 401, 403, 404, 413, 429, 500),
    },
  },
]

const PAID: readonly Operation[] = [
  {
    method: 'get',
    path: '/api/v1/paid/{pubkey}',
    id: 'writePaid',
    tag: 'payments',
    summary: 'Whether a key may write to the relay',
    answers: {
      ...ok('Always true where write access is not sold.', schemas.writePaidSchema),
      ...failing(404, 429, 500),
    },
  },
  {
    method: 'post',
    path: '/api/v1/quote',
    id: 'quote',
    tag: 'payments',
    summary: 'Price and invoice of what is for sale',
    auth: 'nostr',
    body: { schema: schemas.quoteBody },
    answers: {
      ...ok('It is paid.', schemas.quoteSchema),
      ...due,
      ...failing(400, 401, 413, 429, 500, 503),
    },
  },
  ...['/api/v1/pay/webhook', '/api/v1/goblinpay/webhook'].map(
    (path, index): Operation => ({
      method: 'post',
      path,
      id: index === 0 ? 'webhook' : 'oldWebhook',
      tag: 'payments',
      summary: index === 0 ? 'A nudge of the invoicing service' : 'The same under its older address',
      headers: {
        [index === 0 ? 'X-Pay-Signature' : 'X-GoblinPay-Signature']: '`sha256=` and the HMAC of the body in hex.',
      },
      body: { schema: schemas.webhookBody },
      answers: { ...ok('It was heard.', schemas.okSchema), ...failing(400, 401, 404, 413, 500) },
    }),
  ),
]

const TRANSFERS: readonly Operation[] = [
  {
    method: 'post',
    path: '/api/v1/transfer/offer',
    id: 'lodgeOffer',
    tag: 'transfers',
    summary: 'Offer a name to one buyer',
    auth: 'nostr',
    body: { schema: schemas.lodgeBody },
    answers: {
      201: { description: 'The offer is live.', schema: schemas.lodgedSchema },
      ...failing(400, 401, 403, 404, 409, 413, 429, 500),
    },
  },
  {
    method: 'get',
    path: '/api/v1/transfer/offer/{id}',
    id: 'readOffer',
    tag: 'transfers',
    summary: 'An offer and where it stands',
    answers: { ...ok('The offer.', schemas.offerSchema), ...failing(404, 429, 500) },
  },
  {
    method: 'delete',
    path: '/api/v1/transfer/offer/{id}',
    id: 'revokeOffer',
    tag: 'transfers',
    summary: 'Take an offer back',
    auth: 'nostr',
    answers: { ...ok('It is revoked.', schemas.revokedSchema), ...failing(401, 403, 404, 409, 413, 429, 500) },
  },
  {
    method: 'post',
    path: '/api/v1/transfer/claim',
    id: 'claimTransfer',
    tag: 'transfers',
    summary: 'Take over a name that is paid for',
    auth: 'nostr',
    body: { schema: schemas.transferBody },
    answers: {
      ...ok('It was carried out before.', schemas.transferredSchema),
      201: { description: 'The name belongs to the buyer.', schema: schemas.transferredSchema },
      ...failing(400, 401, 404, 410, 413, 429, 500),
      ...conflict,
    },
  },
]

const SERVICE: readonly Operation[] = [
  {
    method: 'get',
    path: '/api/v1/health',
    id: 'apiHealth',
    tag: 'service',
    summary: 'Whether the API answers',
    answers: { 200: text, ...failing(400) },
  },
  {
    method: 'get',
    path: '/api/v1/health/client',
    id: 'client',
    tag: 'service',
    summary: 'Who asks, as the authority sees it',
    answers: {
      ...ok(
        'For `grinpay doctor`, which looks through the proxy.',
        z.strictObject({ address: z.string(), process: z.string() }),
      ),
      ...failing(400, 429),
    },
  },
  {
    method: 'get',
    path: '/api/v1/openapi.json',
    id: 'openapi',
    tag: 'service',
    summary: 'This document',
    answers: { ...ok('OpenAPI 3.1.', z.looseObject({ openapi: z.string() })), ...failing(400) },
  },
]

/** Everything below /api/v1 and the NIP-05 document; what the process has beside them is the same for every daemon. */
export const OPERATIONS: readonly Operation[] = [...READS, ...NAMES, ...PAID, ...TRANSFERS, ...SERVICE]
