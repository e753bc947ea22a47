// A plain Nostr relay on a loopback port, in memory: enough for gift wraps to travel on one machine.
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import { createArchive } from './archive.js'
import { createSession, type Session } from './session.js'

export interface SandboxRelay {
  /** ws://127.0.0.1:port */
  readonly url: string
  /** Idempotent. */
  close(): Promise<void>
}

const MOST_BYTES = 131_072
/** A reader this far behind is left. */
const MOST_BUFFERED = 8 * 1024 * 1024

const textOf = (data: RawData): string =>
  Array.isArray(data) ? Buffer.concat(data).toString() : Buffer.from(data as Buffer).toString()

/** Listens on 127.0.0.1 only; port 0 lets the system choose. */
export async function startSandboxRelay({ port = 0 }: { readonly port?: number } = {}): Promise<SandboxRelay> {
  const archive = createArchive()
  const sessions = new Set<Session>()
  const server = new WebSocketServer({ host: '127.0.0.1', port, maxPayload: MOST_BYTES, perMessageDeflate: false })

  function serve(socket: WebSocket): void {
    const send = (message: readonly unknown[]) => {
      if (socket.bufferedAmount > MOST_BUFFERED) socket.terminate()
      else socket.send(JSON.stringify(message))
    }
    const broadcast = (event: Parameters<Session['offer']>[0]) => {
      for (const session of sessions) session.offer(event)
    }
    const session = createSession({ archive, send, broadcast })
    sessions.add(session)
    socket.on('message', (data) => session.take(textOf(data)))
    socket.on('error', () => socket.terminate())
    socket.on('close', () => sessions.delete(session))
  }

  server.on('connection', serve)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.once('listening', resolve)
  })
  const address = server.address()
  const taken = typeof address === 'object' && address !== null ? address.port : port
  let closed: Promise<void> | undefined
  return {
    url: `ws://127.0.0.1:${taken}`,
    close() {
      closed ??= new Promise((resolve) => server.close(() => resolve()))
      for (const socket of server.clients) socket.terminate()
      return closed
    },
  }
}
