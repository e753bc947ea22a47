// The one way to make an HTTP server here: limits, headers, request ids, bodies and errors are the same everywhere.
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify'
import { headersWith, noSuchRoute, PAGE_HEADERS, sendProblem } from './answers.js'
import { BODY_LIMIT, readJsonBodies } from './body-parsers.js'
import { type AddressHeader, type AddressOf, createClientAddress } from './client-address.js'
import { printJson } from './json.js'
import { watchMethods } from './methods.js'
import { createLimits, createSlidingLimit, type Limits, type SlidingLimit } from './rate-limit.js'
import { createRequestIds } from './request-id.js'
import { answerBrokenRequest, MAX_HEADERS, REQUEST_TIMEOUT, SERVER_LIMITS, secureServers } from './server.js'

export interface AppOptions {
  /** A pino logger; absent: silent. Addresses of pages hold tokens, so only route patterns are logged. */
  readonly log?: FastifyBaseLogger
  readonly clock: { monotonic(): number }
  readonly random: { bytes(length: number): Uint8Array }
  /** Addresses or CIDR networks whose word on the client's address is believed. */
  readonly trustedProxies?: readonly string[]
  /** The header in which proxies name the client; default `x-forwarded-for`. */
  readonly addressHeader?: AddressHeader
  /** Headers of every answer, default those for pages. Each one costs time. */
  readonly headers?: Readonly<Record<string, string>>
  /** How every error is answered, also without a route; default `sendProblem`. */
  readonly problem?: typeof sendProblem
  /** False switches all rate limits off. */
  readonly rateLimits?: boolean
  /** PEM files; absent: plain HTTP, behind a proxy. */
  readonly tls?: { readonly cert: string; readonly key: string }
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly limits: Limits
    /** Where our own faults are logged; silent when the app got no log. */
    readonly faults: FastifyBaseLogger
    /** A limit of one's own beside `limits`. */
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

/** The framework gets no log of its own: one costs every request a tenth, and it would only repeat what is said elsewhere. */
const serverOptions = (
  { random, tls }: AppOptions,
  frameworkErrors: NonNullable<FastifyServerOptions['frameworkErrors']>,
): ServerOptions => ({
  logController: new LogController({ disableRequestLogging: true }),
  bodyLimit: BODY_LIMIT,
  routerOptions: { maxParamLength: MAX_HEADERS }, // a long name is looked up and not found like any other
  requestTimeout: REQUEST_TIMEOUT,
  http: SERVER_LIMITS,
  ...(tls && { serverFactory: secureServers(tls) }),
  requestIdHeader: false,
  genReqId: createRequestIds(random),
  clientErrorHandler: answerBrokenRequest,
  frameworkErrors,
  forceCloseConnections: 'idle',
  schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
})

/** What comes in is checked in input.ts: loading fastify's own compilers would only make every start longer. */
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
