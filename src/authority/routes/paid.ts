// Selling names or write access: what a key has paid for, what it has to pay, and the nudge of the invoicing service.
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { nothingHere } from '../errors.js'
import { bodyOf, callerOf, parameter, type RawBody, type RouteParts } from './parts.js'
import { PATHS } from './paths.js'

export const paidRoutes: FastifyPluginAsync<RouteParts> = async (app, { authority, buckets }) => {
  const { paid } = authority

  app.get<{ Params: { pubkey: string } }>(PATHS.paid, { onRequest: buckets.read }, async ({ params }) => {
    const answer = await paid.isWritePaid(parameter(params.pubkey))
    if (!answer) throw nothingHere()
    return { pubkey: answer.pubkey, paid: answer.paid }
  })

  app.post<RawBody>(PATHS.quote, { onRequest: buckets.quote }, async (request) => {
    const caller = await callerOf(authority, request, PATHS.quote)
    const { resource, pubkey } = await paid.quote(caller, bodyOf(request))
    return { resource, pubkey, paid: true }
  })

  for (const path of [PATHS.webhook, PATHS.oldWebhook])
    app.post<RawBody>(path, async (request) => {
      await paid.webhook(bodyOf(request), signatureOf(request))
      return { ok: true }
    })
}

/** Older services sign under their own name. */
function signatureOf({ headers }: FastifyRequest<RawBody>): string | undefined {
  const signature = headers['x-pay-signature'] ?? headers['x-goblinpay-signature']
  return signature === undefined ? undefined : String(signature)
}
