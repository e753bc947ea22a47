// What the route declarations of the till share: their request, their parts, and the hooks that follow from them.
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import {
  type ApiRoute,
  type BearerTokens,
  createUnknownCheck,
  errorResponses,
  type Json,
  mountRoute,
  type Responses,
  requireBearer,
} from '../../http/index.js'
import { errorSchema } from '../../lib/api-schemas.js'
import type { Till } from '../api.js'
import { type KeyTexts, keyTextsOf } from '../nostr/links.js'
import type { ViewSettings } from './print.js'

/** Every parameter that a path of the till can hold, as the OpenAPI document explains it. */
export const TILL_PATH_PARAMETERS = {
  invoice_id: '32 lower-case hex characters.',
  token: 'The 43 characters at the end of `pay_url`.',
  payment_id: 'The UUID of the slate.',
  event_id: '32 lower-case hex characters.',
  user_id: 'The id given when the user was created.',
  name: 'File name with its content hash.',
} as const

/** A request before its query and body are checked. */
export interface TillRequest {
  Params: Readonly<Record<keyof typeof TILL_PATH_PARAMETERS, string>>
  Querystring: Readonly<Record<string, unknown>>
  Body: Json
}

export interface TillRouteParts {
  readonly till: Till
  readonly view: ViewSettings
  readonly apiTokens: BearerTokens
  readonly adminTokens: BearerTokens
  readonly version: string
  /** What becomes of members and query parameters that a route does not know; default `refuse`. */
  readonly unknownFields?: 'refuse' | 'ignore'
}

export interface TillRoute<Parts = TillRouteParts> extends ApiRoute<Parts, TillRequest> {
  /** The token that guards it; absent: none. */
  readonly auth?: 'api' | 'admin'
}

/** Mounts routes of the JSON API: the rate limit comes first, then the token. */
export function mountTillRoutes(app: FastifyInstance, routes: readonly TillRoute[], parts: TillRouteParts): void {
  const { api } = app.limits
  const hooks = {
    none: [api],
    api: [api, requireBearer('api', parts.apiTokens)],
    admin: [api, requireBearer('admin', parts.adminTokens)],
  }
  for (const route of routes) mountRoute(app, knownOnly(route, parts), parts, hooks[route.auth ?? 'none'])
}

const REMEDY = '; PAY_UNKNOWN_FIELDS=ignore lets a shop that cannot be changed send others'

/** The route, refusing what it does not know before it looks at what it does. */
function knownOnly(route: TillRoute, { unknownFields = 'refuse' }: TillRouteParts): TillRoute {
  if (unknownFields === 'ignore') return route
  const check = createUnknownCheck(route, REMEDY)
  return {
    ...route,
    handler(parts, app) {
      const handle = route.handler(parts, app)
      return function (request, reply) {
        check(request)
        return handle.call(this, request, reply)
      }
    },
  }
}

const MAX_CACHED_KEYS = 5_000

/** The bech32 texts of keys, cached: an invoice is read many times and its key never changes. */
function createKeyTexts(relays: readonly string[]): ViewSettings['keyTexts'] {
  const cache = new Map<string, KeyTexts>()
  return (pubkey) => {
    const cached = cache.get(pubkey)
    if (cached) return cached
    const texts = keyTextsOf(pubkey, relays)
    if (cache.size >= MAX_CACHED_KEYS) cache.clear()
    cache.set(pubkey, texts)
    return texts
  }
}

/** How the views of this till are printed. */
export const viewSettingsOf = ({ publicUrl, confirmations, relays }: Till['settings']): ViewSettings => ({
  publicUrl,
  confirmations,
  keyTexts: createKeyTexts(relays),
})

// The responses that the descriptions of several routes share.

const ERRORS = {
  400: 'The request is not usable; `error` names the member.',
  401: 'The token is missing or wrong.',
  404: 'There is no such thing.',
  409: 'Not possible in the state it is in.',
  410: 'The invoice has expired or was cancelled.',
  413: 'The body is larger than 64 KiB.',
  415: 'The Content-Type is not understood.',
  422: 'A member that is not known here, or the Idempotency-Key came with another body before; `code` says which.',
  429: 'Too many requests; see Retry-After.',
  502: 'No exchange rate, or no node, is available.',
  503: 'Not configured, or not able to now.',
} as const

/** The error responses with these statuses. */
export const failing = errorResponses(ERRORS, errorSchema, {
  401: { 'WWW-Authenticate': 'Always `Bearer`.' },
  429: { 'Retry-After': 'Seconds to wait.' },
})

export const okPage: Responses = { 200: { description: 'The page.', schema: z.string(), contentType: 'text/html' } }

/** The errors of every route behind a token. */
export const guarded = [401, 429, 503] as const
