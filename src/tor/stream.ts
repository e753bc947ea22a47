// A byte stream to tor's control port, as a port that tests replace.
import { connect } from 'node:net'
import { hostPort } from '../lib/host-port.js'
import { transportCause } from '../lib/transport-cause.js'

/** The address of tor's control port. */
export type ControlEndpoint = { readonly host: string; readonly port: number } | { readonly path: string }

/** Formats an endpoint as PAY_TOR_CONTROL does. */
export const formatEndpoint = (endpoint: ControlEndpoint): string =>
  'path' in endpoint ? `unix:${endpoint.path}` : hostPort(endpoint.host, endpoint.port)

export interface Stream {
  /** Never throws; a failure ends the stream. */
  write(text: string): void
  /** Idempotent; no listener is called afterwards. */
  close(): void
}

interface StreamListeners {
  data(bytes: Uint8Array): void
  /** Called at most once. */
  end(why: string): void
}

/** Resolves when connected; rejects with a reason as text. The signal aborts the attempt, not the stream. */
export type OpenStream = (endpoint: ControlEndpoint, listeners: StreamListeners, signal: AbortSignal) => Promise<Stream>

/** Over TCP or a unix socket of this machine. */
export const openSocketStream: OpenStream = (endpoint, listeners, signal) =>
  new Promise((resolve, reject) => {
    const socket = connect(endpoint)
    let connected = false
    let over = false

    const finish = (why: string): void => {
      if (over) return
      over = true
      signal.removeEventListener('abort', giveUp)
      socket.destroy()
      if (connected) listeners.end(why)
      else reject(new Error(why))
    }
    const giveUp = (): void => finish('the attempt was given up')

    socket.on('connect', () => {
      connected = true
      signal.removeEventListener('abort', giveUp)
      resolve({
        write: (text) => void socket.write(text),
        close() {
          over = true
          socket.destroy()
        },
      })
    })
    socket.on('data', (bytes) => {
      if (!over) listeners.data(bytes)
    })
    socket.on('error', (thrown) => finish(causeOf(thrown)))
    socket.on('close', () => finish('it was closed'))
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp, { once: true })
  })

const OF_SOCKET_FILES: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such socket',
  EACCES: 'the socket may not be used by this user; put it into the group of tor (debian-tor)',
}

const causeOf = (thrown: NodeJS.ErrnoException): string => OF_SOCKET_FILES[thrown.code ?? ''] ?? transportCause(thrown)
