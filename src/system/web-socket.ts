// Client websockets: the only file that knows `ws`. Frames are bounded, nothing is compressed, no redirect is followed.
import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import { rootCertificates } from 'node:tls'
import type { ClientOptions, RawData, WebSocket } from 'ws'
import { plainText } from '../lib/plain-text.js'
import { isPublicHost } from '../lib/private-host.js'

interface WebSocketRequest {
  readonly url: string
  /** For everything until the connection stands, in ms. */
  readonly timeoutMs: number
  readonly maxFrameBytes: number
  /** Refuses addresses that are not public, also those that a name resolves to. */
  readonly publicOnly: boolean
  /** Ends the attempt. */
  readonly signal: AbortSignal
}

/** `closed` comes once, after the promise of the opener has resolved. */
interface WebSocketListener {
  frame(text: string): void
  ping(): void
  pong(): void
  closed(end: { readonly reason: string; readonly fault?: 'oversize' }): void
}

interface ClientSocket {
  send(frame: string): void
  ping(): void
  pause(): void
  resume(): void
  bufferedBytes(): number
  /** Ends politely; cut off after two seconds. */
  close(): void
  terminate(): void
}

export type OpenWebSocket = (request: WebSocketRequest, listener: WebSocketListener) => Promise<ClientSocket>

const CLOSE_MS = 2000
/** The message of ws for a handshake that takes too long. */
const TOO_LATE = 'Opening handshake has timed out'
const MAX_REASON = 300

export interface WebSocketOptions {
  /** Certificates (PEM) that are trusted besides the system's. */
  readonly ca?: string
  /** Resolves names; for tests. */
  readonly resolve?: typeof lookup
  /** The addresses of this machine; for tests. */
  readonly ownAddresses?: () => readonly string[]
}

/** An opener. It rejects with an Error whose message says in one line why there is no connection. */
export function createOpenWebSocket(parts: WebSocketOptions = {}): OpenWebSocket {
  const { ca, resolve = lookup, ownAddresses = addressesOfThisMachine } = parts
  /** A public host other than this machine: no firewall blocks connections to its own public address. */
  const isForeign = (host: string) => isPublicHost(host) && !ownAddresses().includes(host.replace(/^\[|\]$/g, ''))
  return async (request, listener) => {
    if (request.publicOnly && !isForeign(new URL(request.url).hostname)) throw new Error(NOT_PUBLIC)
    const { WebSocket } = await import('ws')
    const lookupForeign = { lookup: resolveOnly(isForeign, resolve) }
    const options = {
      ...optionsOf(request),
      ...(request.publicOnly ? lookupForeign : {}),
      ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
    }
    return whenOpen(new WebSocket(request.url, options), request, listener)
  }
}

const NOT_PUBLIC = 'an address inside this network is not dialled for others'

const addressesOfThisMachine = (): readonly string[] =>
  Object.values(networkInterfaces()).flatMap((found) => found?.map(({ address }) => address) ?? [])

const optionsOf = ({ timeoutMs, maxFrameBytes }: WebSocketRequest) =>
  ({
    handshakeTimeout: timeoutMs,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
    followRedirects: false,
    closeTimeout: CLOSE_MS,
  }) satisfies ClientOptions & { closeTimeout: number }

/** Resolves a name to public addresses only, so that a name server cannot direct connections to an internal host. */
const resolveOnly =
  (isAllowed: (address: string) => boolean, resolve: typeof lookup): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0)
      const allowed = addresses.filter(({ address }) => isAllowed(address))
      const [first] = allowed
      if (!first) return callback(new Error(NOT_PUBLIC), '', 0)
      if (options.all) callback(null, allowed)
      else callback(null, first.address, first.family)
    })
  }

function whenOpen(
  socket: WebSocket,
  { signal, timeoutMs }: WebSocketRequest,
  listener: WebSocketListener,
): Promise<ClientSocket> {
  let trouble: Error | undefined
  const abort = () => socket.terminate()
  signal.addEventListener('abort', abort, { once: true })
  socket.on('error', (error) => {
    trouble = error.message === TOO_LATE ? new Error(`no answer within ${timeoutMs / 1000} s`) : error
  })
  socket.on('message', (data: RawData) => listener.frame(data.toString()))
  socket.on('ping', listener.ping)
  socket.on('pong', listener.pong)
  return new Promise((resolve, reject) => {
    let isOpen = false
    socket.on('open', () => {
      isOpen = true
      signal.removeEventListener('abort', abort)
      resolve(clientSocket(socket))
    })
    socket.on('close', (code, reason) => {
      signal.removeEventListener('abort', abort)
      if (!isOpen) return reject(new Error(reasonOf(trouble, 'the connection was refused')))
      const fault = isOversize(trouble) ? { fault: 'oversize' as const } : {}
      const said = plainText(reason.toString()).slice(0, 100)
      // After the promise has resolved, also when a socket closes in the tick in which it opened.
      queueMicrotask(() =>
        listener.closed({ reason: reasonOf(trouble, `closed with ${code}${said && `: ${said}`}`), ...fault }),
      )
    })
  })
}

const clientSocket = (socket: WebSocket): ClientSocket => ({
  send: (frame) => socket.send(frame, ignore),
  ping: () => socket.ping(undefined, undefined, ignore),
  pause: () => socket.pause(),
  resume: () => socket.resume(),
  bufferedBytes: () => socket.bufferedAmount,
  close() {
    // A paused socket would never see the other side's answer.
    socket.resume()
    socket.close(1000)
  },
  terminate: () => socket.terminate(),
})

/** Failures to send show as the end of the connection. */
const ignore = () => undefined

const codeOf = (error: Error | undefined): string =>
  error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const isOversize = (error: Error | undefined): boolean => codeOf(error) === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH'

const reasonOf = (error: Error | undefined, otherwise: string): string => {
  if (!error) return otherwise
  // Certificates and status lines stand in such messages as the other side wrote them.
  return plainText(error.message || codeOf(error) || otherwise).slice(0, MAX_REASON)
}
