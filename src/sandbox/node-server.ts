// The simulated node on a loopback port: the Foreign API at /v2/foreign, and the controls of the sandbox at /sandbox.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { control, type NodeControlParts } from './control.js'
import { bodyTooLarge } from './errors.js'
import { answerForeign, type NodeAnswer } from './foreign-methods.js'

export interface ServerParts extends NodeControlParts {
  /** 0 lets the system choose. */
  readonly port: number
  /** When set, requests need HTTP Basic with user `grin` and this as password. */
  readonly apiSecret?: string
}

export interface NodeServer {
  readonly url: string
  /** Idempotent. */
  close(): Promise<void>
}

const MOST_BYTES = 4 * 1024 * 1024
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'Content-Type, Authorization',
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk)
    length += bytes.length
    if (length > MOST_BYTES) throw bodyTooLarge(MOST_BYTES)
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function send(response: ServerResponse, answer: NodeAnswer, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(answer.status, {
    ...headers,
    ...(answer.contentType ? { 'content-type': answer.contentType } : {}),
    'content-length': Buffer.byteLength(answer.body),
  })
  response.end(answer.body)
}

function isAuthorised(request: IncomingMessage, apiSecret: string | undefined): boolean {
  if (apiSecret === undefined) return true
  return request.headers.authorization === `Basic ${Buffer.from(`grin:${apiSecret}`).toString('base64')}`
}

async function foreign(request: IncomingMessage, response: ServerResponse, parts: ServerParts): Promise<void> {
  const absence = parts.absence()
  if (absence === 'reset') request.socket.destroy()
  if (absence !== undefined) return
  if (request.method === 'OPTIONS') return send(response, { status: 200, body: '{}' }, CORS)
  if (!isAuthorised(request, parts.apiSecret))
    return send(response, { status: 401, body: '' }, { 'www-authenticate': 'Basic realm=GrinForeignAPI' })
  const answer = await answerForeign(await readBody(request), parts)
  send(response, answer, CORS)
}

async function handle(request: IncomingMessage, response: ServerResponse, parts: ServerParts): Promise<void> {
  const path = (request.url ?? '').split('?')[0] ?? ''
  if (path === '/v2/foreign' && request.method !== 'GET') return foreign(request, response, parts)
  if (path === '/sandbox' || path.startsWith('/sandbox/')) {
    const text = request.method === 'GET' ? '' : await readBody(request)
    return send(response, await control({ method: request.method ?? '', path, headers: request.headers, text }, parts))
  }
  send(response, { status: 404, body: '' })
}

/** Listens on 127.0.0.1 only. */
export async function startNodeServer(parts: ServerParts): Promise<NodeServer> {
  const server = createServer((request, response) => {
    handle(request, response, parts).catch((error: unknown) => {
      if (bodyTooLarge.is(error)) return send(response, { status: error.status, body: error.message })
      parts.report(error)
      request.socket.destroy()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(parts.port, '127.0.0.1', resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : parts.port
  let closed: Promise<void> | undefined
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      closed ??= new Promise((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      return closed
    },
  }
}
