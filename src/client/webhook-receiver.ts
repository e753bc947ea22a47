// A small server that receives the till's webhooks, checks both signature families and passes the events on.
import { createServer, type IncomingMessage } from 'node:http'
import type { Secret } from '../lib/secret.js'
import { hostPort } from '../lib/url.js'
import { webhookKey } from '../lib/webhooks.js'
import { type HeaderValues, refusalOf } from './signatures.js'

export interface ReceivedEvent {
  /** `X-Pay-Delivery`, the same on every retry. */
  readonly eventId: string
  /** The signed bytes as text. */
  readonly body: string
  readonly payload: unknown
  readonly headers: HeaderValues
}

export interface ReceiverParts {
  /** 0 = a free port. */
  readonly port: number
  readonly host?: string
  readonly secret: Secret
  /** Epoch milliseconds, for timestamp checks. */
  readonly now: () => number
  /** If it rejects, the response is 500, and the till retries. */
  readonly onEvent: (event: ReceivedEvent) => void | Promise<void>
  readonly onRefusal?: (reason: string) => void
}

export interface WebhookReceiver {
  /** Where to post, e.g. `http://127.0.0.1:4242/`. */
  readonly url: string
  close(): Promise<void>
}

const MAX_BODY = 64 * 1024

/** Resolves when the server listens. Rejects if the port is in use, and with RangeError for a secret that is no key. */
export async function createWebhookReceiver(parts: ReceiverParts): Promise<WebhookReceiver> {
  const { port, host = '127.0.0.1' } = parts
  webhookKey(parts.secret.reveal())
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    receive(request, parts).then(
      (status) => response.writeHead(status, { connection: 'close' }).end(),
      () => response.writeHead(500, { connection: 'close' }).end(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve)
  })
  const address = server.address()
  const actual = typeof address === 'object' && address ? address.port : port
  return {
    url: `http://${hostPort(host, actual)}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Returns the HTTP status of the response. */
async function receive(request: IncomingMessage, parts: ReceiverParts): Promise<number> {
  if (request.method !== 'POST') return 405
  const body = await readBody(request)
  if (body === undefined) return 413
  const refusal = refusalOf({ headers: request.headers, body }, parts.secret, parts.now())
  if (refusal !== undefined) {
    parts.onRefusal?.(refusal)
    return 401
  }
  const eventId = request.headers['x-pay-delivery']
  await parts.onEvent({
    eventId: typeof eventId === 'string' ? eventId : '',
    body,
    payload: JSON.parse(body),
    headers: request.headers,
  })
  return 200
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > MAX_BODY) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
