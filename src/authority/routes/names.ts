// Claiming a name and giving it up.
import type { FastifyReply } from 'fastify'
import type { Authority, Availability, Holder } from '../api.js'
import { invalidRequest, nothingHere } from '../errors.js'
import type { Aged } from '../ports.js'
import {
  type AuthorityRequest,
  type AuthorityRoute,
  callerOf,
  NO_BODY,
  parameter,
  rawBodyOf,
  sendJson,
} from './parts.js'

const REGISTER = '/api/v1/register'

export const NAME_ROUTES: readonly AuthorityRoute[] = [
  {
    method: 'post',
    path: REGISTER,
    id: 'register',
    tag: 'names',
    summary: 'Claim a name; the one that the key holds is released by it',
    auth: 'nostr',
    limit: 'register',
    describe: (docs) => ({
      body: { schema: docs.claimBody },
      responses: {
        ...docs.ok('The key holds this name already.', docs.registrationSchema),
        ...docs.created('The name is claimed.', docs.registrationSchema),
        ...docs.paymentDue,
        ...docs.failing(400, 401, 403, 409, 413, 429, 500, 503),
      },
    }),
    handler:
      ({ authority }) =>
      async (request, reply) => {
        const caller = await callerOf(authority, request, REGISTER)
        const { name, nip05, isNew } = await authority.names.register(caller, rawBodyOf(request))
        return reply.code(isNew ? 201 : 200).send({ name, nip05 })
      },
  },
  {
    method: 'delete',
    path: `${REGISTER}/{name}`,
    id: 'release',
    tag: 'names',
    summary: 'Give a name up; it is free for everybody at once',
    auth: 'nostr',
    limit: 'release',
    describe: (docs) => ({
      responses: {
        ...docs.ok('It is released.', docs.releasedSchema),
        ...docs.failing(400, 401, 403, 404, 413, 429, 500),
      },
    }),
    handler:
      ({ authority }) =>
      async (request) => {
        const typed = parameter(request.params.name)
        const caller = await callerOf(authority, request, `${REGISTER}/${typed.toLowerCase()}`, NO_BODY)
        const name = await authority.names.release(caller, typed)
        return { name, released: true } // wire: wallets look for `"released":true`
      },
  },
]

// The public lookups: NIP-05, availability, and who holds what. These are the busiest routes: their JSON is printed by hand.

export const READ_ROUTES: readonly AuthorityRoute[] = [
  {
    method: 'get',
    path: '/.well-known/nostr.json',
    id: 'nip05',
    tag: 'names',
    summary: 'The NIP-05 document of one name',
    limit: 'read',
    describe: (docs) => ({
      query: docs.z.object({ name: docs.z.string().optional().describe('The part before the @.') }),
      responses: {
        ...docs.ok('The key of the name; two empty maps when it has no holder.', docs.nip05Schema),
        ...docs.failing(400, 429, 500),
      },
    }),
    handler({ authority: { names, settings } }) {
      const nip05 = nip05Printer(settings.relays)
      return async ({ query: { name } }, reply) => {
        if (Array.isArray(name)) throw invalidRequest()
        return sendJson(reply, name ? nip05(await names.lookup(name, agedOn(reply)), name) : NO_NAMES)
      }
    },
  },
  {
    method: 'get',
    path: '/api/v1/name/{name}',
    id: 'availability',
    tag: 'names',
    summary: 'Whether a name can be claimed',
    limit: 'read',
    describe: (docs) => ({
      responses: {
        ...docs.ok('Whether it can, and why not.', docs.availabilitySchema),
        ...docs.failing(400, 429, 500),
      },
    }),
    handler:
      ({ authority: { names } }) =>
      async ({ params }, reply) =>
        sendJson(reply, printAvailability(await names.availability(parameter(params.name)))),
  },
  holderRoute({
    path: '/api/v1/profile/{name}',
    id: 'profile',
    summary: 'Who holds a name',
    find: (names, params, aged) => names.lookup(parameter(params.name), aged),
  }),
  holderRoute({
    path: '/api/v1/by-pubkey/{pubkey}',
    id: 'byPubkey',
    summary: 'Which name a key holds',
    find: (names, params, aged) => names.nameOf(parameter(params.pubkey), aged),
  }),
]

interface HolderRoute extends Pick<AuthorityRoute, 'path' | 'id' | 'summary'> {
  readonly find: (
    names: Authority['names'],
    params: AuthorityRequest['Params'],
    aged: Aged,
  ) => Promise<Holder | undefined>
}

/** The header `Age`, in seconds, on an answer that could not be had newer. A 404 has it, too. */
const agedOn =
  (reply: FastifyReply): Aged =>
  (ms) =>
    void reply.header('age', String(Math.ceil(ms / 1000)))

/** A lookup that answers a holder, or 404. */
function holderRoute({ find, ...about }: HolderRoute): AuthorityRoute {
  return {
    method: 'get',
    ...about,
    tag: 'names',
    limit: 'read',
    describe: (docs) => ({
      responses: { ...docs.ok('The holder.', docs.holderSchema), ...docs.failing(400, 404, 429, 500) },
    }),
    handler:
      ({ authority: { names } }) =>
      async ({ params }, reply) =>
        sendJson(reply, printHolder(await find(names, params, agedOn(reply)))),
  }
}

const NO_NAMES = '{"names":{},"relays":{}}'

/**
 * The document never lists another name than the one asked for; two empty maps when the name is free (specification: names, 7). A name that was asked
 * for in another spelling is listed under that one too: clients look for it there.
 */
function nip05Printer(relays: readonly string[]): (holder: Holder | undefined, asked: string) => string {
  const list = JSON.stringify(relays)
  return (holder, asked) => {
    if (!holder) return NO_NAMES
    const { name, pubkey } = holder
    const spellings = asked === name ? [name] : [name, asked]
    const names = spellings.map((spelling) => `${JSON.stringify(spelling)}:"${pubkey}"`).join()
    return `{"names":{${names}},"relays":{"${pubkey}":${list}}}`
  }
}

/** A free name has no reason; `state` says the same in one word. */
const printAvailability = ({ name, state }: Availability): string =>
  state === 'free'
    ? `{"name":${JSON.stringify(name)},"available":true,"state":"free"}`
    : `{"name":${JSON.stringify(name)},"available":false,"reason":"${state}","state":"${state}"}`

function printHolder(holder: Holder | undefined): string {
  if (!holder) throw nothingHere()
  return `{"name":${JSON.stringify(holder.name)},"pubkey":"${holder.pubkey}"}`
}
