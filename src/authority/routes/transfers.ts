// Sales of names between keys. The routes exist only where transfers are on (specification: names, 10).
import type { Transfers } from '../api.js'
import { type AuthorityRoute, type AuthorityRouteParts, callerOf, NO_BODY, parameter, rawBodyOf } from './parts.js'

const OFFER = '/api/v1/transfer/offer'
const CLAIM = '/api/v1/transfer/claim'

export interface TransferRouteParts extends AuthorityRouteParts {
  readonly transfers: Transfers
}

export const TRANSFER_ROUTES: readonly AuthorityRoute<TransferRouteParts>[] = [
  {
    method: 'post',
    path: OFFER,
    id: 'lodgeOffer',
    tag: 'transfers',
    summary: 'Offer a name to one buyer',
    auth: 'nostr',
    limit: 'transfer',
    describe: (docs) => ({
      body: { schema: docs.createOfferBody },
      responses: {
        ...docs.created('The offer is live.', docs.createdOfferSchema),
        ...docs.failing(400, 401, 403, 404, 409, 413, 429, 500),
      },
    }),
    handler:
      ({ authority, transfers }) =>
      async (request, reply) => {
        const caller = await callerOf(authority, request, OFFER)
        const { offerId, name, expiresAt } = await transfers.createOffer(caller, rawBodyOf(request))
        return reply.code(201).send({ offer_id: offerId, name, expires_at: expiresAt })
      },
  },
  {
    method: 'get',
    path: `${OFFER}/{id}`,
    id: 'readOffer',
    tag: 'transfers',
    summary: 'An offer and where it stands',
    limit: 'read',
    describe: (docs) => ({
      responses: { ...docs.ok('The offer.', docs.offerSchema), ...docs.failing(404, 429, 500) },
    }),
    handler:
      ({ transfers }) =>
      async ({ params }) => {
        const { event, status } = await transfers.read(parameter(params.id))
        return { offer: event, status }
      },
  },
  {
    method: 'delete',
    path: `${OFFER}/{id}`,
    id: 'revokeOffer',
    tag: 'transfers',
    summary: 'Take an offer back',
    auth: 'nostr',
    limit: 'transfer',
    describe: (docs) => ({
      responses: {
        ...docs.ok('It is revoked.', docs.revokedSchema),
        ...docs.failing(401, 403, 404, 409, 413, 429, 500),
      },
    }),
    handler:
      ({ authority, transfers }) =>
      async (request) => {
        const id = parameter(request.params.id)
        const caller = await callerOf(authority, request, `${OFFER}/${id}`, NO_BODY)
        await transfers.revoke(caller, id)
        return { offer_id: id.toLowerCase(), status: 'revoked' }
      },
  },
  {
    method: 'post',
    path: CLAIM,
    id: 'claimTransfer',
    tag: 'transfers',
    summary: 'Take over a name that is paid for',
    auth: 'nostr',
    limit: 'transfer',
    describe: (docs) => ({
      body: { schema: docs.transferBody },
      responses: {
        ...docs.ok('It was carried out before.', docs.transferredSchema),
        ...docs.created('The name belongs to the buyer.', docs.transferredSchema),
        ...docs.failing(400, 401, 404, 410, 413, 429, 500),
        ...docs.conflict,
      },
    }),
    handler:
      ({ authority, transfers }) =>
      async (request, reply) => {
        const caller = await callerOf(authority, request, CLAIM)
        const { name, nip05, pubkey, isNew } = await transfers.claim(caller, rawBodyOf(request))
        return reply.code(isNew ? 201 : 200).send({ name, nip05, pubkey })
      },
  },
]
