// The one way to make an HTTP server here: limits, headers, request ids, bodies and errors are the same everywhere.
import type { IncomingMessage } from 'node:http'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify'
import { toHex } from '../lib/bytes.js'
import type { Clock } from '../lib/ports.js'
import { originForm } from '../lib/url.js'
import { headersWith, noSuchRoute, PAGE_HEADERS, sendProblem, watchMethods } from './answers.js'
import { type AddressHeader, type AddressOf, createClientAddress } from './client-address.js'
import { BODY_LIMIT, printJson, readJsonBodies } from './json.js'
import { createLimits, createSlidingLimit, type Limits, type SlidingLimit } from './rate-limit.js'
import {
  answerBrokenRequest,
  type Certificate,
  MAX_HEADERS,
  REQUEST_TIMEOUT,
  SERVER_LIMITS,
  secureServers,
} from './server.js'

export interface AppOptions {
  /** A pino logger; absent: silent. Addresses of pages hold tokens, so only route patterns are logged. */
  readonly log?: FastifyBaseLogger
  readonly clock: Pick<Clock, 'monotonic'>
  readonly random: { bytes(length: number): Uint8Array }
  /** Addresses or CIDR networks of proxies whose header names the client's address. */
  readonly trustedProxies?: readonly string[]
  /** The header of these proxies; default `x-forwarded-for`. */
  readonly addressHeader?: AddressHeader
  /** On every answer; default PAGE_HEADERS. Each header costs time. */
  readonly headers?: Readonly<Record<string, string>>
  /** How every error is answered, also where no route matches; default `sendProblem`. */
  readonly problem?: typeof sendProblem
  /** False switches all rate limits off. */
  readonly rateLimits?: boolean
  /** PEM files; absent: plain HTTP, behind a proxy. */
  readonly tls?: Certificate
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly limits: Limits
    /** The log of the server's own faults; silent when the app got no log. */
    readonly faults: FastifyBaseLogger
    /** Makes a limit beside those of `limits`. */
    readonly slidingLimit: SlidingLimit
    readonly addressOf: AddressOf
    /** The methods that routes have for this path. */
    readonly methodsAt: (path: string) => readonly string[]
  }
}

/** A server that answers 404 to everything until routes are registered. The caller listens and closes. */
export function createApp(options: AppOptions): FastifyInstance {
  const { problem = sendProblem, headers = PAGE_HEADERS } = options
  const addHeaders = headersWith(headers)
  const app: FastifyInstance = fastify(
    // Before routing there are no hooks: a broken address gets its headers here.
    serverOptions(options, (error, request, reply) => problem(error, request, addHeaders(request, reply))),
  )
  decorate(app, options)
  readJsonBodies(app)
  app.setReplySerializer(printJson)
  app.addHook('onRequest', (request, reply, done) => {
    addHeaders(request, reply)
    done()
  })
  const answersTo = chattyLog(options)
  if (answersTo) app.addHook('onResponse', logAnswers(answersTo))
  app.setErrorHandler(problem)
  app.setNotFoundHandler((request, reply) => problem(noSuchRoute(request, reply), request, reply))
  return app
}

type ServerOptions = FastifyServerOptions & { http: typeof SERVER_LIMITS }

/** The log, if it wants a line per answer. */
const chattyLog = ({ log }: AppOptions): FastifyBaseLogger | undefined =>
  log && (log.level === 'debug' || log.level === 'trace') ? log : undefined

/** The framework gets no log of its own: one costs a tenth of every request and repeats `logAnswers`. */
const serverOptions = (
  { random, tls }: AppOptions,
  frameworkErrors: NonNullable<FastifyServerOptions['frameworkErrors']>,
): ServerOptions => ({
  logController: new LogController({ disableRequestLogging: true }),
  bodyLimit: BODY_LIMIT,
  routerOptions: { maxParamLength: MAX_HEADERS }, // a long name is looked up and not found, as others are
  requestTimeout: REQUEST_TIMEOUT,
  http: SERVER_LIMITS,
  ...(tls && { serverFactory: secureServers(tls) }),
  requestIdHeader: false,
  genReqId: createRequestIds(random),
  clientErrorHandler: answerBrokenRequest,
  frameworkErrors,
  rewriteUrl: ({ url = '' }) => originForm(url),
  forceCloseConnections: 'idle',
  schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
})

/** input.ts checks requests: loading the compilers of fastify would only make every start longer. */
function noCompiler(): never {
  throw new Error('routes have no schemas of the framework')
}

/** What plugins find on the app. */
function decorate(app: FastifyInstance, options: AppOptions): void {
  const { clock, trustedProxies = [], addressHeader, rateLimits = true } = options
  const addressOf = createClientAddress(trustedProxies, addressHeader)
  const limitParts = { clock, addressOf, enabled: rateLimits }
  const limits = createLimits(limitParts)
  const slidingLimit = createSlidingLimit(limitParts)
  const methodsAt = watchMethods(app)
  const faults = options.log ?? app.log
  app.decorate('faults', { getter: () => faults })
  app.decorate('addressOf', { getter: () => addressOf })
  app.decorate('limits', { getter: () => limits })
  app.decorate('slidingLimit', { getter: () => slidingLimit })
  app.decorate('methodsAt', { getter: () => methodsAt })
}

const logAnswers =
  (log: FastifyBaseLogger) =>
  (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    log.debug(
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

const ID_POOL_BYTES = 4096
const ID_CHARACTERS = 16

/** The caller's X-Request-Id when it is harmless, else 16 random hex characters: a counter would tell clients how many requests there are. */
function createRequestIds(random: { bytes(length: number): Uint8Array }): (request: IncomingMessage) => string {
  let pool = ''
  let at = 0

  function fresh(): string {
    if (at + ID_CHARACTERS > pool.length) {
      pool = toHex(random.bytes(ID_POOL_BYTES))
      at = 0
    }
    at += ID_CHARACTERS
    return pool.slice(at - ID_CHARACTERS, at)
  }

  return ({ headers }) => {
    const given = headers['x-request-id']
    return typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : fresh()
  }
}
