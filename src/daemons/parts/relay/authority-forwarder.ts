// Passes requests for names on to a name authority in another process (specification: relay, 10; names, 12). Our own, because an answer
// beyond 1 MiB, or one that breaks off, must become a 502. @fastify/reply-from streams answers: what it would leave to do here, with the
// header rules and bounds, is all but one call of node:http.
import { Agent, request as ask, type IncomingHttpHeaders, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as askSecurely, Agent as SecureAgent } from 'node:https'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { AUTHORITY_APP } from '../../../authority/index.js'
import { printJson } from '../../../http/index.js'
import { takeBytes } from '../../../lib/take-bytes.js'

export interface ForwarderOptions {
  /** Of the authority, without trailing slash. */
  readonly upstream: string
  /** False: nothing but the document /.well-known/nostr.json is passed on. */
  readonly whole: boolean
  /** Told about the authority's failures. */
  readonly watch: { asking<T>(question: Promise<T>): Promise<T> }
  /** 10 s by default. */
  readonly timeoutMs?: number
}

const DOCUMENT = '/.well-known/nostr.json'
const DOCUMENT_METHODS: HTTPMethods[] = ['GET', 'HEAD', 'OPTIONS']
/** Everything that belongs to the authority where relay and names share one host. */
const WHOLE = [DOCUMENT, `${DOCUMENT}/*`, '/api/*']

const MOST_BODY_BYTES = 16 * 1024
const MOST_ANSWER_BYTES = 1024 * 1024
const TIMEOUT_MS = 10_000
/** Requests under way; a silent authority must not pile up more. */
const MOST_WAITING = 512
const MOST_SOCKETS = 64

/** Of one hop only, or told anew by us. */
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
      return unavailable(reply) // the watch has told why
    } finally {
      waiting--
    }
  }

  if (!options.whole) {
    // The path is ours and not the client's: nothing else can be reached by a clever spelling of it.
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

/** An address with a host of its own, or one that climbs, might mean another place to the authority's server than it does here. */
const isPlain = (url: string): boolean => url.startsWith('/') && !DOTS.test(url.split('?', 1)[0] ?? '')

/** Signatures cover bytes: bodies are passed on as they came, of whatever type. */
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
