// Forwards requests for names to a name authority in another process (specification: relay, 10; names, 12). @fastify/reply-from does not fit:
// it streams answers, but an answer beyond 1 MiB, or a truncated one, must become a 502. Header rules and limits would remain here anyway.
import { Agent, request as ask, type IncomingHttpHeaders, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as askSecurely, Agent as SecureAgent } from 'node:https'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { AUTHORITY_APP } from '../../../authority/index.js'
import { printJson } from '../../../http/index.js'
import { takeBytes } from '../../../lib/http-request.js'

export interface ForwarderOptions {
  /** Address of the authority, without trailing slash. */
  readonly upstream: string
  /** False: forwards only /.well-known/nostr.json. */
  readonly whole: boolean
  /** Records failures of the authority. */
  readonly watch: { asking<T>(question: Promise<T>): Promise<T> }
  /** Default: 10 s. */
  readonly timeoutMs?: number
}

const DOCUMENT = '/.well-known/nostr.json'
const DOCUMENT_METHODS: HTTPMethods[] = ['GET', 'HEAD', 'OPTIONS']
/** All paths of the authority where relay and names share a host. */
const WHOLE = [DOCUMENT, `${DOCUMENT}/*`, '/api/*']

const MOST_BODY_BYTES = 16 * 1024
const MOST_ANSWER_BYTES = 1024 * 1024
const TIMEOUT_MS = 10_000
/** Requests in flight: a silent authority must not pile up more. */
const MOST_WAITING = 512
const MOST_SOCKETS = 64

/** Hop-by-hop headers, and those that the relay sets itself. */
const NOT_PASSED_ON = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'host', 'expect', 'content-length'],
  ...['x-real-ip', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded', 'cookie', 'set-cookie'],
])

export const authorityForwarder: FastifyPluginAsync<ForwarderOptions> = async (app, options) => {
  const { send, close } = createSender(options)
  app.addHook('onClose', async () => close())
  app.setErrorHandler(AUTHORITY_APP.problem)
  takeRawBodies(app)
  let waiting = 0

  async function pass(request: FastifyRequest, reply: FastifyReply, path: string): Promise<FastifyReply> {
    if (waiting >= MOST_WAITING) return unavailable(reply)
    waiting++
    try {
      return answerWith(reply, await options.watch.asking(send(request, path)))
    } catch {
      return unavailable(reply) // the watch has logged the reason
    } finally {
      waiting--
    }
  }

  if (!options.whole) {
    // The path is fixed, so that no spelling of it reaches another resource.
    const queryOf = (url: string): string => (url.includes('?') ? url.slice(url.indexOf('?')) : '')
    app.route({
      method: DOCUMENT_METHODS,
      url: DOCUMENT,
      handler: (request, reply) => pass(request, reply, `${DOCUMENT}${queryOf(request.url)}`),
    })
    return
  }
  for (const url of WHOLE)
    app.all(url, (request, reply) => (isPlain(request.url) ? pass(request, reply, request.url) : reply.callNotFound()))
}

const DOTS = /(?:[/\\]|%2f|%5c)(?:\.|%2e){1,2}(?:[/\\?#]|%2f|%5c|$)/i

/** False for an absolute address, or one with dot segments: the authority's server might resolve it differently. */
const isPlain = (url: string): boolean => url.startsWith('/') && !DOTS.test(url.split('?', 1)[0] ?? '')

/** Forwards bodies unchanged, whatever their type, because signatures cover the bytes. */
function takeRawBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MOST_BODY_BYTES }, (_request, body, done) =>
    done(null, body),
  )
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    delete raw.headers['content-type'] // the authority does not read it, and the framework refuses one that is none
    done()
  })
}

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Uint8Array
}

function createSender({ upstream, timeoutMs = TIMEOUT_MS }: ForwarderOptions) {
  const target = new URL(upstream)
  const secure = target.protocol === 'https:'
  const agent = new (secure ? SecureAgent : Agent)({ keepAlive: true, maxSockets: MOST_SOCKETS })
  const { hostname: host, port, protocol } = target
  const mount = target.pathname.replace(/\/+$/, '')

  async function send(request: FastifyRequest, path: string): Promise<Answer> {
    const body = Buffer.isBuffer(request.body) ? request.body : undefined
    const headers = {
      ...passedOn(request.headers),
      'x-real-ip': request.server.addressOf(request.raw),
      ...(body && { 'content-length': String(body.length) }),
    }
    const signal = AbortSignal.timeout(timeoutMs)
    const options: RequestOptions = {
      protocol,
      host: unbracketed(host),
      port,
      agent,
      signal,
      method: request.method,
      path: `${mount}${path}`,
      headers,
    }
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      ;(secure ? askSecurely : ask)(options, resolve).on('error', reject).end(body)
    })
    return { status: answer.statusCode ?? 502, headers: answer.headers, body: await readAll(answer) }
  }

  return { send, close: () => agent.destroy() }
}

const unbracketed = (host: string): string => host.replace(/^\[(.*)\]$/, '$1')

function passedOn(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = String(headers.connection ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !NOT_PASSED_ON.has(name) && !named.includes(name)),
  )
}

async function readAll(answer: IncomingMessage): Promise<Uint8Array> {
  const { bytes, cut } = await takeBytes(answer, MOST_ANSWER_BYTES)
  if (cut) throw new RangeError(`the answer is larger than ${MOST_ANSWER_BYTES} bytes`)
  return bytes
}

function answerWith(reply: FastifyReply, { status, headers, body }: Answer): FastifyReply {
  reply.code(status)
  for (const [name, value] of Object.entries(passedOn(headers))) if (value !== undefined) reply.header(name, value)
  return reply.send(body)
}

const unavailable = (reply: FastifyReply): FastifyReply =>
  reply
    .code(502)
    .headers({ 'access-control-allow-origin': '*', 'cache-control': 'no-store' })
    .type('application/json; charset=utf-8')
    .send(printJson({ error: 'authority unavailable' })) // wire:
