// The Foreign API on a loopback port, behind the onion service (specification: invoicing, 5.1). Plain node:http: its answers are
// those of a stock wallet, not those of the till's own web server.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { messageOf } from '../../../lib/errors.js'
import { takeBytes } from '../../../lib/http-request.js'
import { originForm } from '../../../lib/url.js'
import { FOREIGN_BODY_LIMIT, type ForeignAnswer, type ForeignApi } from '../../../till/index.js'
import { addressInUse } from '../../errors.js'
import type { Part, RuntimeLog } from '../../runtime.js'

export interface ForeignListenerOptions {
  readonly api: ForeignApi
  /** `PAY_GRIN1_FOREIGN_PORT`; 0 lets the system choose. */
  readonly port: number
  readonly log: RuntimeLog
}

export interface ForeignListener extends Part {
  /** The port that is listened on; 0 before the start. */
  port(): number
}

const HOST = '127.0.0.1'
/** Slow clients are looked for every second; a body of 1.3 MB over Tor needs some time. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384,
}
const MOST_CONNECTIONS = 64

/** Listens on 127.0.0.1 only. Stopping lets running calls finish. Throws ADDRESS_IN_USE on start. */
export function createForeignListener({ api, port, log }: ForeignListenerOptions): ForeignListener {
  const server = createServer(LIMITS, (request, response) => {
    handle(api, request, response).catch((cause: unknown) => {
      // The client disconnected, or its body ended early: no answer can be delivered.
      log.info({ cause: messageOf(cause) }, 'foreign API: request broken off')
      request.socket.destroy()
    })
  })
  server.maxConnections = MOST_CONNECTIONS

  return {
    name: 'foreign api',
    port: () => portOf(server),
    start: () => listen(server, port),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
      }),
    check: async () => ({
      ok: server.listening,
      detail: server.listening ? `listening on ${HOST}:${portOf(server)}` : 'not listening',
    }),
  }
}

async function handle(api: ForeignApi, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = originForm(request.url ?? '').split('?')[0] ?? ''
  // Ending the reading must not end the connection: the answer goes back over it.
  const body = () => takeBytes(request.iterator({ destroyOnReturn: false }), FOREIGN_BODY_LIMIT)
  send(request, response, await api.answer({ method: request.method ?? '', path, body }))
}

/** What is left of the request is read and thrown away; the connection is not used again then. */
function send(request: IncomingMessage, response: ServerResponse, { status, headers, body }: ForeignAnswer): void {
  const unread = !request.readableEnded
  response.writeHead(status, {
    ...headers,
    'content-length': Buffer.byteLength(body),
    ...(unread && { connection: 'close' }),
  })
  response.end(body)
  if (unread) request.resume()
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (thrown: NodeJS.ErrnoException) =>
      reject(thrown.code === 'EADDRINUSE' ? addressInUse(`${HOST}:${port}`) : thrown),
    )
    server.listen(port, HOST, resolve)
  })
