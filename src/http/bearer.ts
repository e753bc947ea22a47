// The two tokens. They are looked at before a byte of the body is read.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Secret } from '../lib/secret.js'
import { matchesLine } from '../lib/secret-lines.js'
import { tokenNotConfigured, unauthorized } from './errors.js'

type Hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void

/** Tokens, or their hashes, that are good at the moment they are looked at: what stands here may change while the daemon runs. */
export type Tokens = Iterable<Secret>

/** Whether the request shows one of the tokens. The scheme is accepted in any letter case. */
export function hasBearer(header: string | undefined, tokens: Tokens): boolean {
  const presented = /^bearer[ \t]+(.*)$/i.exec(header?.trim() ?? '')?.[1]?.trim()
  return presented !== undefined && [...tokens].filter((token) => matchesLine(presented, token)).length > 0
}

/**
 * Guards a route: 503 while no token is set (never open), 401 for a missing or wrong one. Several tokens are valid at
 * once while one is being replaced.
 */
export function requireBearer(which: 'api' | 'admin', tokens: Tokens): Hook {
  return (request, reply, done) => {
    if ([...tokens].length === 0) return done(tokenNotConfigured(which))
    if (hasBearer(request.headers.authorization, tokens)) return done()
    reply.header('www-authenticate', 'Bearer')
    done(unauthorized())
  }
}
