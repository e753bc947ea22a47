// The one way to make an HTTP server here: limits, headers, request ids, bodies and errors are the same everywhere.
import { readFileSync } from 'node:fs'
import { STATUS_CODES } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerFactory,
  LogController,
} from 'fastify'
import { messageOf } from '../lib/errors.js'
import { addBodyParsers, BODY_LIMIT } from './body-parsers.js'
import { type AddressOf, createClientAddress } from './client-address.js'
import { methodNotAllowed, notFound } from './errors.js'
import { printJson } from './json.js'
import { watchMethods } from './methods.js'
import { type ErrorView, problemContentType, problemOf } from './problem.js'
import { createLimits, type Limits } from './rate-limit.js'
import { createRequestIds } from './request-id.js'

export interface AppOptions {
  /** A pino logger; absent: silent. Addresses of pages hold tokens, so only route patterns are logged. */
  readonly log?: FastifyBaseLogger
  readonly clock: { now(): number }
  readonly random: { bytes(length: number): Uint8Array }
  /** Addresses or CIDR networks whose X-Forwarded-For is believed. */
  readonly trustedProxies?: readonly string[]
  /** False switches all rate limits off. */
  readonly rateLimits?: boolean
  /** PEM files; absent: plain HTTP, behind a proxy. */
  readonly tls?: { readonly cert: string; readonly key: string }
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly limits: Limits
    readonly addressOf: AddressOf
    /** The methods that routes have for this path. */
    readonly methodsAt: (path: string) => readonly string[]
  }
}

const HEADER_SECONDS = 10
const REQUEST_SECONDS = 30
const MAX_HEADERS = 16_384
const SERVER_LIMITS = {
  headersTimeout: HEADER_SECONDS * 1000,
  connectionsCheckingInterval: 1000,
  maxHeaderSize: MAX_HEADERS,
}

/** The same limits over TLS; a factory's servers get none from fastify. Throws when a file cannot be read. */
function secureServers({ cert, key }: { readonly cert: string; readonly key: string }): FastifyServerFactory {
  const files = { cert: readFileSync(cert), key: readFileSync(key) }
  const limits = { ...SERVER_LIMITS, requestTimeout: REQUEST_SECONDS * 1000 }
  return (handler) => createSecureServer({ ...limits, ...files, minVersion: 'TLSv1.2' }, handler)
}

/** On every answer (specification: invoicing, 2.12). Pages set their own Content-Security-Policy beside them. */
const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'permissions-policy':
    'accelerometer=(), camera=(), clipboard-read=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
} as const

/** Headers that belong to one error wherever it comes from. */
const ERROR_HEADERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  IDEMPOTENCY_IN_FLIGHT: { 'retry-after': '1' },
}

/** A server that answers 404 to everything until routes are registered. The caller listens and closes. */
export function createApp(options: AppOptions): FastifyInstance {
  const app: FastifyInstance = fastify({
    ...(options.log && { loggerInstance: options.log }),
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger) => logger,
    bodyLimit: BODY_LIMIT,
    routerOptions: { maxParamLength: MAX_HEADERS }, // a long name is looked up and not found like any other
    requestTimeout: REQUEST_SECONDS * 1000,
    http: SERVER_LIMITS,
    ...(options.tls && { serverFactory: secureServers(options.tls) }),
    requestIdHeader: false,
    genReqId: createRequestIds(options.random),
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) => sendProblem(error, request, reply.headers(SECURITY_HEADERS)),
    forceCloseConnections: 'idle',
  })
  const addressOf = createClientAddress(options.trustedProxies ?? [])
  app.decorate('addressOf', { getter: () => addressOf })
  const limits = createLimits({ clock: options.clock, addressOf, enabled: options.rateLimits ?? true })
  app.decorate('limits', { getter: () => limits })
  const methodsAt = watchMethods(app)
  app.decorate('methodsAt', { getter: () => methodsAt })

  addBodyParsers(app)
  app.setReplySerializer(printJson)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(SECURITY_HEADERS)
    reply.header('x-request-id', request.id)
    done()
  })
  if (options.log) app.addHook('onResponse', logAnswer)
  app.setErrorHandler(sendProblem)
  app.setNotFoundHandler((request, reply) => sendProblem(noSuchRoute(request, reply), request, reply))
  return app
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
  if (problem.status >= 500 && problem.code === 'INTERNAL')
    request.log.error({ requestId: request.id, route: request.routeOptions.url, err: error }, 'request failed')
  reply.code(problem.status).headers(ERROR_HEADERS[problem.code] ?? {})
  return problem
}

/** Answers an error as JSON. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = beginProblem(error, request, reply)
  return reply.type(problemContentType(request.headers.accept)).send(printJson(problem))
}

function logAnswer(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  request.log.debug(
    {
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    },
    'answered',
  )
  done()
}

const CONNECTION_ERRORS: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }

/** Bytes that are not HTTP, headers too large or too slow: there is no request yet, so the answer is written by hand. */
function answerBrokenRequest(error: FastifyError, socket: import('node:net').Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const status = CONNECTION_ERRORS[error.code] ?? 400
  const title = STATUS_CODES[status] ?? 'Bad Request'
  const body = printJson({
    error: title.toLowerCase(),
    code: 'BROKEN_REQUEST',
    type: 'about:blank',
    title,
    status,
    detail: messageOf(error),
    instance: '',
  })
  const head = ['Content-Type: application/json; charset=utf-8', `Content-Length: ${Buffer.byteLength(body)}`]
  socket.end(`HTTP/1.1 ${status} ${title}\r\n${head.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`)
}
