// The API token and the admin token, checked before a byte of the body is read.
import type { Secret } from '../lib/secret.js'
import { matchesLine } from '../lib/secret-lines.js'
import { tokenNotConfigured, unauthorized } from './errors.js'
import type { Hook } from './rate-limit.js'

/** The tokens, or their hashes, that are valid now; read on every request, because a rotation changes them while the daemon runs. */
export type BearerTokens = Iterable<Secret>

/** Whether the header holds one of the tokens. The scheme is accepted in upper and lower case. */
export function hasBearer(header: string | undefined, tokens: BearerTokens): boolean {
  const presented = /^bearer[ \t]+(.*)$/i.exec(header?.trim() ?? '')?.[1]?.trim()
  return presented !== undefined && [...tokens].filter((token) => matchesLine(presented, token)).length > 0
}

/**
 * Guards a route: 503 while no token is set (never open), 401 for a missing or wrong one. Several tokens are valid at
 * once while one is being replaced.
 */
export function requireBearer(which: 'api' | 'admin', tokens: BearerTokens): Hook {
  return (request, reply, done) => {
    if ([...tokens].length === 0) return done(tokenNotConfigured(which))
    if (hasBearer(request.headers.authorization, tokens)) return done()
    reply.header('www-authenticate', 'Bearer')
    done(unauthorized())
  }
}
