// What every answer carries, and errors as answers.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { methodNotAllowed, notFound } from './errors.js'
import { printJson } from './json.js'
import { problemContentType, problemOf, statusOf } from './problem.js'
import type { ErrorView } from './schemas.js'

/** On every answer where there are pages (specification: invoicing, 2.12). Pages set their own Content-Security-Policy beside them. */
export const PAGE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'permissions-policy':
    'accelerometer=(), camera=(), clipboard-read=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
} as const

/** The content policy of a page that only says something: no script source at all, and nothing from elsewhere. */
export const STILL_PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Puts these headers and the name of the request on an answer. */
export const headersWith =
  (headers: Readonly<Record<string, string>>) =>
  (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    reply.headers(headers).header('x-request-id', request.id)

/** Headers that belong to one error wherever it comes from. */
const ERROR_HEADERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  IDEMPOTENCY_IN_FLIGHT: { 'retry-after': '1' },
}

/** The refusal for a request without a route: 405 with Allow when the path exists, else 404. */
export function noSuchRoute(request: FastifyRequest, reply: FastifyReply): Error {
  const methods = request.server.methodsAt(request.url.split('?')[0] ?? '')
  if (methods.length === 0) return notFound()
  const allow = methods.join(', ')
  reply.header('allow', allow)
  return methodNotAllowed(request.method, allow)
}

/** Sets the status and headers of an error and logs what is our fault; the answer's body is the caller's choice. */
export function beginProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): ErrorView {
  const problem = problemOf(error, request.id)
  const status = statusOf(error) // an error may tell a status of something else
  if (status >= 500) logOurFault(error, problem, request)
  reply.code(status).headers(ERROR_HEADERS[problem.code] ?? {})
  return problem
}

/** A switched-off part says so to everybody who asks; that is no news. */
const NO_NEWS: readonly string[] = ['TOKEN_NOT_CONFIGURED', 'IDENTITY_NOT_LOADED', 'RECEIPT_UNAVAILABLE']

/** A bug with its stack; a failure that was foreseen (a full disk, busy workers, no price) in one line. */
function logOurFault(error: unknown, { code, error: cause }: ErrorView, request: FastifyRequest): void {
  const where = { requestId: request.id, route: request.routeOptions.url }
  if (code === 'INTERNAL') request.server.faults.error({ ...where, err: error }, 'request failed')
  else if (!NO_NEWS.includes(code)) request.server.faults.warn({ ...where, code, cause }, 'request could not be served')
}

/** Answers an error as JSON. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = beginProblem(error, request, reply)
  return reply.type(problemContentType(request.headers.accept)).send(printJson(problem))
}
