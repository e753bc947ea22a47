// Claiming a name and giving it up.
import { type AuthorityRoute, callerOf, NO_BODY, parameter, rawBodyOf } from './parts.js'

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
