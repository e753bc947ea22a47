// What every answer carries, and errors as answers.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorView } from '../lib/api-schemas.js'
import { methodNotAllowed, notFound } from './errors.js'
import { printJson } from './json.js'
import { problemContentType, problemOf, statusOf } from './problem.js'

/** On every answer where there are pages (specification: invoicing, 2.12). Pages set their own Content-Security-Policy beside them. */
export const PAGE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'permissions-policy':
    'accelerometer=(), camera=(), clipboard-read=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
} as const

/** The content policy of a static page: no script source at all, and nothing from other sites. */
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
  RATE_DISPUTED: { 'retry-after': '60' },
}

/** Watches routes being added. The result lists the methods of a path, for 405 and its Allow header; empty when no route has it. */
export function watchMethods(app: FastifyInstance): (path: string) => readonly string[] {
  const routes = new Map<string, { readonly path: RegExp; readonly methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method }) => {
    const known = routes.get(url) ?? { path: patternOf(url), methods: new Set<string>() }
    for (const one of [method].flat()) known.methods.add(one)
    routes.set(url, known)
  })
  return (path) => {
    const methods = [...routes.values()].filter((route) => route.path.test(path)).flatMap((route) => [...route.methods])
    return [...new Set(methods)].sort()
  }
}

const patternOf = (url: string): RegExp =>
  new RegExp(
    `^${url
      .split('/')
      .map((part) => (part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
      .join('/')}$`,
  )

/** The refusal for a request without a route: 405 with Allow when the path exists, else 404. */
export function noSuchRoute(request: FastifyRequest, reply: FastifyReply): Error {
  const methods = request.server.methodsAt(request.url.split('?')[0] ?? '')
  if (methods.length === 0) return notFound()
  const allow = methods.join(', ')
  reply.header('allow', allow)
  return methodNotAllowed(request.method, allow)
}

/** Sets the status and headers of an error and logs faults of the server; the caller sends the body. */
export function beginProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): ErrorView {
  const problem = problemOf(error, request.id)
  const status = statusOf(error) // a member of the error may overwrite `status` in the body
  if (status >= 500) logServerFault(error, problem, request)
  reply.code(status).headers({ ...ERROR_HEADERS[problem.code], ...retryAfterOf(problem) })
  return problem
}

/** `Retry-After` of a refusal that ends by itself. */
const retryAfterOf = (view: object): Readonly<Record<string, string>> =>
  'retry_after' in view && typeof view.retry_after === 'number' ? { 'retry-after': String(view.retry_after) } : {}

/** A switched-off part refuses every request with these codes; they are not logged. */
const UNLOGGED: readonly string[] = ['TOKEN_NOT_CONFIGURED', 'IDENTITY_NOT_LOADED', 'RECEIPT_UNAVAILABLE']

/** Logs a bug with its stack, an expected failure (a full disk, busy workers, no price) in one line. */
function logServerFault(error: unknown, { code, error: cause }: ErrorView, request: FastifyRequest): void {
  const where = { requestId: request.id, route: request.routeOptions.url }
  if (code === 'INTERNAL') request.server.faults.error({ ...where, err: error }, 'request failed')
  else if (!UNLOGGED.includes(code))
    request.server.faults.warn({ ...where, code, cause }, 'request could not be served')
}

/** Answers an error as JSON. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = beginProblem(error, request, reply)
  return reply.type(problemContentType(request.headers.accept)).send(printJson(problem))
}
