// Sales of names between keys. Not there at all where transfers are off (specification: names, 10).
import type { FastifyPluginAsync } from 'fastify'
import type { Transfers } from '../api.js'
import { bodyOf, callerOf, NO_BODY, parameter, type RawBody, type RouteParts } from './parts.js'
import { TRANSFER_PATHS } from './paths.js'

type OfferRequest = RawBody & { Params: { id: string } }

export const transferRoutes: FastifyPluginAsync<RouteParts & { readonly transfers: Transfers }> = async (
  app,
  { authority, buckets, transfers },
) => {
  const limited = { onRequest: buckets.transfer }

  app.post<RawBody>(TRANSFER_PATHS.lodge, limited, async (request, reply) => {
    const caller = await callerOf(authority, request, TRANSFER_PATHS.lodge)
    const { offerId, name, expiresAt } = await transfers.createOffer(caller, bodyOf(request))
    return reply.code(201).send({ offer_id: offerId, name, expires_at: expiresAt })
  })

  app.get<OfferRequest>(TRANSFER_PATHS.offer, { onRequest: buckets.read }, async ({ params }) => {
    const { event, status } = await transfers.read(parameter(params.id))
    return { offer: event, status }
  })

  app.delete<OfferRequest>(TRANSFER_PATHS.offer, limited, async (request) => {
    const id = parameter(request.params.id)
    const caller = await callerOf(authority, request, `${TRANSFER_PATHS.lodge}/${id}`, NO_BODY)
    await transfers.revoke(caller, id)
    return { offer_id: id.toLowerCase(), status: 'revoked' }
  })

  app.post<RawBody>(TRANSFER_PATHS.claim, limited, async (request, reply) => {
    const caller = await callerOf(authority, request, TRANSFER_PATHS.claim)
    const { name, nip05, pubkey, isNew } = await transfers.claim(caller, bodyOf(request))
    return reply.code(isNew ? 201 : 200).send({ name, nip05, pubkey })
  })
}
