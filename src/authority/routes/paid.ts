// Selling names or write access: what a key has paid for, what it has to pay, and the webhook of the invoicing service.

import type { FastifyRequest } from 'fastify'
import { nothingHere } from '../errors.js'
import { type AuthorityRequest, type AuthorityRoute, callerOf, parameter, rawBodyOf } from './parts.js'

const QUOTE = '/api/v1/quote'

const WEBHOOK: Pick<AuthorityRoute, 'method' | 'tag' | 'describe' | 'handler'> = {
  method: 'post',
  tag: 'payments',
  describe: (docs) => ({
    body: { schema: docs.webhookBody },
    responses: { ...docs.ok('It was heard.', docs.okSchema), ...docs.failing(400, 401, 404, 413, 500) },
  }),
  handler:
    ({ authority: { paid } }) =>
    async (request) => {
      await paid.webhook(rawBodyOf(request), signatureOf(request))
      return { ok: true }
    },
}
const SIGNATURE = '`sha256=` and the HMAC of the body in hex.'

export const PAID_ROUTES: readonly AuthorityRoute[] = [
  {
    method: 'get',
    path: '/api/v1/paid/{pubkey}',
    id: 'writePaid',
    tag: 'payments',
    summary: 'Whether a key may write to the relay',
    limit: 'read',
    describe: (docs) => ({
      responses: {
        ...docs.ok('Always true where write access is not sold.', docs.writePaidSchema),
        ...docs.failing(404, 429, 500),
      },
    }),
    handler:
      ({ authority: { paid } }) =>
      async ({ params }) => {
        const answer = await paid.isWritePaid(parameter(params.pubkey))
        if (!answer) throw nothingHere()
        return { pubkey: answer.pubkey, paid: answer.paid }
      },
  },
  {
    method: 'post',
    path: QUOTE,
    id: 'quote',
    tag: 'payments',
    summary: 'Price and invoice of what is for sale',
    auth: 'nostr',
    limit: 'quote',
    describe: (docs) => ({
      body: { schema: docs.quoteBody },
      responses: {
        ...docs.ok('It is paid.', docs.quoteSchema),
        ...docs.paymentDue,
        ...docs.failing(400, 401, 413, 429, 500, 503),
      },
    }),
    handler:
      ({ authority }) =>
      async (request) => {
        const caller = await callerOf(authority, request, QUOTE)
        const { resource, pubkey } = await authority.paid.quote(caller, rawBodyOf(request))
        return { resource, pubkey, paid: true }
      },
  },
  {
    ...WEBHOOK,
    path: '/api/v1/pay/webhook',
    id: 'webhook',
    summary: 'A nudge of the invoicing service',
    headers: { 'X-Pay-Signature': SIGNATURE },
  },
  {
    ...WEBHOOK,
    path: '/api/v1/goblinpay/webhook',
    id: 'oldWebhook',
    summary: 'The same under its older address',
    headers: { 'X-GoblinPay-Signature': SIGNATURE },
  },
]

/** Older services sign under their own header. */
function signatureOf({ headers }: FastifyRequest<AuthorityRequest>): string | undefined {
  const signature = headers['x-pay-signature'] ?? headers['x-goblinpay-signature']
  return signature === undefined ? undefined : String(signature)
}
