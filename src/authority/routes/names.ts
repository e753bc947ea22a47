// Claiming a name and giving it up.
import type { FastifyPluginAsync } from 'fastify'
import { bodyOf, callerOf, NO_BODY, parameter, type RawBody, type RouteParts } from './parts.js'
import { PATHS } from './paths.js'

export const nameRoutes: FastifyPluginAsync<RouteParts> = async (app, { authority, buckets }) => {
  const { names } = authority

  app.post<RawBody>(PATHS.register, { onRequest: buckets.register }, async (request, reply) => {
    const caller = await callerOf(authority, request, PATHS.register)
    const { name, nip05, isNew } = await names.register(caller, bodyOf(request))
    return reply.code(isNew ? 201 : 200).send({ name, nip05 })
  })

  app.delete<RawBody & { Params: { name: string } }>(PATHS.release, { onRequest: buckets.release }, async (request) => {
    const asked = parameter(request.params.name)
    const caller = await callerOf(authority, request, `${PATHS.register}/${asked.toLowerCase()}`, NO_BODY)
    const name = await names.release(caller, asked)
    return { name, released: true } // wire: wallets look for `"released":true`
  })
}
