// The headers and errors of the authority: every web page may read every answer, no cache stores it, errors have the texts that clients know.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  beginProblem,
  type ErrorView,
  type Operation,
  printJson,
  problemContentType,
  routerPath,
} from '../../http/index.js'
import type { GrinpayError } from '../../lib/errors.js'
import { invalidRequest, methodNotAllowed, requestBodyTooLarge } from '../errors.js'

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
