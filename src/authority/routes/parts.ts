// What the route declarations of the authority share: their request, their parts, their limits, and how they read a request.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  type ApiRoute,
  beginProblem,
  type ErrorView,
  type Hook,
  mountRoute,
  type Operation,
  printJson,
  problemContentType,
  type Rate,
  routerPath,
} from '../../http/index.js'
import type { GrinpayError } from '../../lib/errors.js'
import type { Authority, Caller } from '../api.js'
import { invalidRequest, limitReached, methodNotAllowed, nothingHere, requestBodyTooLarge } from '../errors.js'

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

// The headers and errors of the authority: every web page may read every answer, no cache stores it, errors have the texts that clients know.

const OPEN_TO_ALL = { 'access-control-allow-origin': '*', 'cache-control': 'no-store' } as const
/** The headers of a process without pages; most headers that protect pages have no effect on JSON. */
export const API_HEADERS = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' } as const
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
  'access-control-allow-headers': 'Authorization, Content-Type',
  'access-control-max-age': '86400',
} as const
const JSON_TYPE = 'application/json; charset=utf-8'

/** Every answer of the routes below gets these headers (specification: names, 4). */
export function openToAll(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(OPEN_TO_ALL)
    done()
  })
}

/** Answers what browsers ask before they send a signed request. */
export function addPreflight(app: FastifyInstance, operations: readonly Pick<Operation, 'path'>[]): void {
  for (const path of new Set(operations.map(({ path }) => path)))
    app.options(routerPath(path), (_request, reply) => reply.headers(PREFLIGHT).code(204).send())
}

/** Sends an answer that is JSON text already. */
export const sendJson = (reply: FastifyReply, text: string): FastifyReply =>
  reply.header('content-type', JSON_TYPE).send(text)

/** Errors of the framework in the words for clients (specification: names, 4). */
const AUTHORITY_ERRORS: Readonly<Record<string, () => GrinpayError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: requestBodyTooLarge,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: invalidRequest,
  FST_ERR_BAD_URL: invalidRequest,
  METHOD_NOT_ALLOWED: methodNotAllowed,
}
const DATABASE = /^(?:DATABASE|SCHEMA|SQLITE)_/
/** What ends by itself: clients should come back. */
const PASSING: ReadonlySet<string> = new Set(['DATABASE_UNAVAILABLE', 'DATABASE_BUSY'])

/** Answers every error. Given to `createApp`, so that it also answers requests without a route. */
export function sendAuthorityProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const code = codeOf(error)
  const view = beginProblem(AUTHORITY_ERRORS[code]?.() ?? error, request, reply)
  reply.headers(OPEN_TO_ALL).type(problemContentType(request.headers.accept))
  if (DATABASE.test(code) && !PASSING.has(code)) return reply.code(500).send(printJson(databaseView(view)))
  return reply.send(printJson(view))
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** The log has the details; the client learns nothing of files and disks. */
const databaseView = ({ instance }: ErrorView): ErrorView => ({
  error: 'db error', // wire:
  code: 'DATABASE_FAILED',
  type: 'about:blank',
  title: 'Internal Server Error',
  status: 500,
  detail: 'db error',
  instance,
})
