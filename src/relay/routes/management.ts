// POST / with the media type of management (NIP-86). Any other POST is 404.
import type { FastifyPluginAsync } from 'fastify'
import { defineError } from '../../lib/errors.js'
import type { Management } from '../management/management.js'

export interface ManagementOptions {
  readonly management: Management
}

const TYPE = 'application/nostr+json+rpc'
const BODY_LIMIT = 65_536
/** Rate limit per client, because each request may cost a signature check. */
const RATE = { max: 60, windowSeconds: 60 }

const OPEN_TO_ALL = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'Authorization, Content-Type, *',
  'access-control-allow-methods': '*',
} as const

/** Mount on an app of `createApp`. */
export const managementRoute: FastifyPluginAsync<ManagementOptions> = async (app, { management }) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(TYPE, { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
    done(null, body),
  )
  // Before anything refuses: a page in a browser reads no answer without them.
  app.addHook('onRequest', async (_request, reply) => void reply.headers(OPEN_TO_ALL))
  const limit = app.slidingLimit(RATE, tooManyRequests)

  app.post<{ Body: Buffer | undefined }>('/', { onRequest: limit }, async ({ headers, body }, reply) => {
    const { authorization } = headers
    const answer = await management({ authorization, body: body ?? Buffer.alloc(0) })
    return reply.code(answer.status).type('application/json; charset=utf-8').send(answer.body)
  })
}

const tooManyRequests = defineError('RATE_LIMITED', {
  status: 429,
  text: () => 'rate-limited: slow down',
  hint: 'wait for the seconds in Retry-After',
})
