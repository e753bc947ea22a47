// A webhook receiver that misbehaves as the test sets it, over real sockets on a free port of this machine.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { CERTIFICATE, KEY } from './test-certificate.js'

export type Behaviour =
  | { readonly status: number; readonly body?: string; readonly headers?: Record<string, string> }
  /** Takes the request and never answers. */
  | 'hang'
  /** Closes the connection without a word. */
  | 'reset'
  /** Says 200 and sends ten megabytes. */
  | 'flood'
  /** Says 200, then a byte now and then, for ever. */
  | 'drip'
  /** Says 200 and half a body, then closes. */
  | 'break-off'
  /** Something that is not HTTP. */
  | 'garbage'

export interface Hit {
  readonly method: string | undefined
  readonly path: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** `behave` is asked for each request; with `tls` the certificate is self-signed. */
export async function startReceiver(behave: (hit: Hit) => Behaviour, { tls = false } = {}) {
  const hits: Hit[] = []
  const sent = { bytes: 0 }
  const handler = async (request: IncomingMessage, response: ServerResponse) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const hit = { method: request.method, path: request.url, headers: request.headers, body }
    hits.push(hit)
    act(behave(hit), response, sent)
  }
  const server: Server = tls ? createTlsServer({ cert: CERTIFICATE, key: KEY }, handler) : createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    hits,
    /** Bytes of endless answers that the other side let us send. */
    sent,
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}/hook?secret=path`,
    /** Ends every connection that hangs. */
    drop: () => server.closeAllConnections(),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function act(behaviour: Behaviour, response: ServerResponse, sent: { bytes: number }): void {
  if (typeof behaviour === 'object') response.writeHead(behaviour.status, behaviour.headers).end(behaviour.body)
  if (behaviour === 'reset') response.socket?.destroy()
  if (behaviour === 'garbage') response.socket?.end('SSH-2.0-OpenSSH_9.2\r\n\r\n')
  if (behaviour === 'break-off')
    response.writeHead(200, { 'content-length': '100' }).write('half', () => response.socket?.destroy())
  if (behaviour === 'flood') flood(response.writeHead(200), sent)
  if (behaviour === 'drip') drip(response.writeHead(200))
}

function flood(response: ServerResponse, sent: { bytes: number }): void {
  const chunk = Buffer.alloc(65_536, 'x')
  const more = () => {
    while (sent.bytes < 10_000_000) {
      sent.bytes += chunk.length
      if (!response.write(chunk)) return void response.once('drain', more)
    }
    response.end()
  }
  more()
}

function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write('.'), 20)
  response.on('close', () => clearInterval(timer))
}
