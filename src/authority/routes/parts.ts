// What the route declarations of the authority share: their request, their parts, their limits, and how they read a request.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type ApiRoute, type Hook, mountRoute, type Operation, type Rate } from '../../http/index.js'
import type { Authority, Caller } from '../api.js'
import { limitReached, nothingHere } from '../errors.js'

/** Every parameter that a path of the authority can hold, as the OpenAPI document explains it. */
export const AUTHORITY_PATH_PARAMETERS = {
  name: 'The part before the @, in any case.',
  pubkey: '64 hex characters.',
  id: 'The id of the offer event, 64 hex characters.',
} as const

/** The body is the bytes of the request, of whatever type. */
export interface AuthorityRequest {
  Params: Readonly<Record<keyof typeof AUTHORITY_PATH_PARAMETERS, string>>
  Querystring: Readonly<Record<string, string | string[]>>
  Body: Buffer | undefined
}

/** One hook per kind of request; the routes of a kind count together (specification: names, 4). */
export type RouteLimits = Readonly<Record<'read' | 'register' | 'release' | 'quote' | 'transfer', Hook>>

export interface AuthorityRouteParts {
  readonly authority: Authority
  /** The OpenAPI document as text. */
  readonly openapi: () => Promise<string>
}

/** The schemas of an operation, made when the document is asked for: see schemas.ts. */
export interface AuthorityOperation extends Omit<Operation, 'query' | 'body' | 'responses'> {
  describe(docs: typeof import('./schemas.js')): Pick<Operation, 'query' | 'body' | 'responses'>
}

export interface AuthorityRoute<Parts = AuthorityRouteParts>
  extends Omit<AuthorityOperation, 'auth'>,
    Pick<ApiRoute<Parts, AuthorityRequest>, 'handler'> {
  readonly auth?: 'nostr'
  readonly limit?: keyof RouteLimits
}

export function createRouteLimits(
  app: FastifyInstance,
  rates: { readonly read: Rate; readonly write: Rate },
): RouteLimits {
  const read = app.slidingLimit(rates.read, limitReached)
  const write = () => app.slidingLimit(rates.write, limitReached)
  return { read, register: write(), release: write(), quote: write(), transfer: write() }
}

export function mountAuthorityRoutes<Parts extends AuthorityRouteParts>(
  app: FastifyInstance,
  routes: readonly AuthorityRoute<Parts>[],
  parts: Parts,
  limits: RouteLimits,
): void {
  for (const route of routes) mountRoute(app, route, parts, route.limit === undefined ? [] : [limits[route.limit]])
}

/** 16 KiB. */
const BODY_LIMIT = 16 * 1024

/** Bodies as bytes, whatever their type: a signature covers the bytes, and no type is refused (specification: names, 4). */
export function readRawBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
    done(null, body),
  )
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    // The framework refuses a malformed one; most requests have none, and deleting costs.
    if (raw.headers['content-type'] !== undefined) delete raw.headers['content-type']
    done()
  })
}

/** A parameter of the path, decoded. Throws NOT_FOUND for an empty one: the router takes `/x/` for `/x/:name`. */
export function parameter(value: string): string {
  if (value === '') throw nothingHere()
  return value
}

/** What a DELETE is signed with: a body that came with it does not count (specification: names, 6). */
export const NO_BODY = new Uint8Array(0)

export const rawBodyOf = ({ body }: FastifyRequest<AuthorityRequest>): Uint8Array => body ?? NO_BODY

/** Who signed the request; `path` as the server understood it. `body`: the one that counts, default the one that came. */
export const callerOf = (
  authority: Authority,
  request: FastifyRequest<AuthorityRequest>,
  path: string,
  body = rawBodyOf(request),
): Promise<Caller> =>
  authority.authorize({ authorization: request.headers.authorization, method: request.method, path, body })
