// The two tokens. They are looked at before a byte of the body is read.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { matchesSecret, type Secret } from '../lib/secret.js'
import { tokenNotConfigured, unauthorized } from './errors.js'

type Hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void

/** Whether the request shows one of the tokens. The scheme is accepted in any letter case. */
export function hasBearer(header: string | undefined, tokens: readonly Secret[]): boolean {
  const presented = /^bearer[ \t]+(.*)$/i.exec(header?.trim() ?? '')?.[1]?.trim()
  return presented !== undefined && tokens.filter((token) => matchesSecret(presented, token)).length > 0
}

/**
 * Guards a route: 503 while no token is set (never open), 401 for a missing or wrong one. Several tokens are valid at
 * once while one is being replaced.
 */
export function requireBearer(which: 'api' | 'admin', tokens: readonly Secret[]): Hook {
  return (request, reply, done) => {
    if (tokens.length === 0) return done(tokenNotConfigured(which))
    if (hasBearer(request.headers.authorization, tokens)) return done()
    reply.header('www-authenticate', 'Bearer')
    done(unauthorized())
  }
}
