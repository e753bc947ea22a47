// Who stands before and behind a proxy in tests: visitors of a host, and a server that records what was passed on.
import { createServer, type IncomingMessage } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { WebSocket, WebSocketServer } from 'ws'
import { relayClient } from './relay-client.js'
import { CERTIFICATE } from './test-certificate.js'

/** What came to the server behind the proxy. */
interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
}

export interface StandIn {
  readonly port: number
  readonly seen: Seen[]
  /** How many connections were made to it. */
  connections(): number
  close(): Promise<void>
}

/** Answers everything with 200 and `text` as a page, echoes over websockets, and remembers who came. */
export async function standIn(text: string): Promise<StandIn> {
  const seen: Seen[] = []
  let connections = 0
  const note = ({ method = '', url = '', headers }: IncomingMessage) => seen.push({ method, path: url, headers })
  const server = createServer((asked, answer) => {
    note(asked)
    asked.resume().on('end', () => answer.setHeader('content-type', 'text/html').end(text))
  })
  server.keepAliveTimeout = 72_000
  server.on('connection', () => (connections += 1))
  const sockets = new WebSocketServer({ server, perMessageDeflate: true })
  sockets.on('connection', (socket, asked) => {
    note(asked)
    socket.on('message', (data) => socket.send(data.toString()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    connections: () => connections,
    async close() {
      for (const socket of sockets.clients) socket.terminate()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export interface Asking {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The client's own address; 127.0.0.1 by default. */
  readonly from?: string
}

/** A client of this host behind the proxy; every request is a connection of its own, and the path is sent as it is written. */
export function visitorOf(port: number, host: string) {
  const tls = { host: '127.0.0.1', port, servername: host, ca: CERTIFICATE, checkServerIdentity: () => undefined }

  const ask = (method: string, path: string, { headers, body, from = '127.0.0.1' }: Asking = {}) =>
    new Promise<{ status: number; headers: IncomingMessage['headers']; body: string }>((resolve, reject) => {
      const sent = request(
        { ...tls, method, path, localAddress: from, agent: false, headers: { host, ...headers } },
        (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject)
          answer.on('end', () => {
            const bytes = Buffer.concat(chunks)
            const text = answer.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text.toString('utf8') })
          })
        },
      )
      sent.on('error', reject)
      sent.end(body)
    })

  return {
    ask,
    get: (path: string, headers?: Readonly<Record<string, string>>) => ask('GET', path, headers && { headers }),
    /** A client of the relay; refused ones reject with the status. */
    dial: (headers: Readonly<Record<string, string>> = {}, from = '127.0.0.1') =>
      relayClient(`wss://127.0.0.1:${port}/`, {
        ...tls,
        checkServerIdentity: () => false, // nothing is wrong with it
        localAddress: from,
        headers: { host, ...headers },
      }),
    /** Says `words` over a websocket and answers what came back. */
    async echo(words: string, headers: Readonly<Record<string, string>> = {}) {
      const socket = new WebSocket(`wss://127.0.0.1:${port}/`, { ...tls, headers: { host, ...headers } })
      try {
        await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
        const back = new Promise<string>((resolve) => socket.once('message', (data) => resolve(String(data))))
        socket.send(words)
        return { back: await back, extensions: socket.extensions }
      } finally {
        socket.terminate()
      }
    },
  }
}
