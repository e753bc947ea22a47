// The HTTP server as a part: listens last, drains first.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { causedBy } from '../../lib/errors.js'
import { hostPort } from '../../lib/url.js'
import { addressInUse, addressRefused } from '../errors.js'
import type { Part } from '../runtime.js'

export interface WebOptions {
  readonly app: FastifyInstance
  readonly host: string
  readonly port: number
  /** `http` by default. */
  readonly name?: string
  /** A socket that listens already; host and port then say nothing. */
  readonly fd?: number | undefined
  /** A websocket handler listens on it. */
  readonly upgrades?: boolean
  /** Instead of a socket. */
  readonly listen?: ((app: FastifyInstance) => void) | undefined
}

const HANG_UP_EVERY_MS = 50

const REFUSED: Readonly<Record<string, string>> = {
  EACCES: 'this user may not have the port',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'the host name has no address',
}

/** Why an address cannot be listened at: ADDRESS_IN_USE, ADDRESS_REFUSED, or what was thrown. */
export function listeningFailure(thrown: NodeJS.ErrnoException, bind: string): Error {
  const { code = '' } = thrown
  if (code === 'EADDRINUSE') return addressInUse(bind)
  const why = REFUSED[code]
  return why === undefined ? thrown : causedBy(addressRefused(bind, why), thrown)
}

/** Throws ADDRESS_IN_USE, ADDRESS_REFUSED. Stopping refuses new connections and lets running requests finish. */
export function createWebPart({ app, host, port, fd, name = 'http', upgrades = false, listen }: WebOptions): Part {
  const unused = watchUnused(app.server, upgrades)
  return {
    name,
    async start() {
      if (listen) return listen(app)
      await app.listen({ host, port, ...(fd !== undefined && { fd }) }).catch((thrown: NodeJS.ErrnoException) => {
        throw listeningFailure(thrown, `${host}:${port}`)
      })
    },
    async stop() {
      // A connection whose last answer comes after the closing began stays open for whatever its client may ask next.
      const hangingUp = setInterval(() => app.server.closeIdleConnections(), HANG_UP_EVERY_MS)
      const closed = app.close()
      for (const socket of unused) socket.destroy()
      await closed.finally(() => clearInterval(hangingUp))
    },
  }
}

/** Where the app answers on this machine, e.g. `http://127.0.0.1:8191`; empty while it does not listen. */
export function addressOf(app: FastifyInstance): string {
  const bound = app.server.address()
  if (bound === null || typeof bound === 'string') return ''
  const { address, port } = bound
  return `http://${hostPort(address, port)}`
}

/** Connections without a request so far. Proxies keep such in stock, and the server takes them for busy ones. */
function watchUnused(server: FastifyInstance['server'], upgrades: boolean): ReadonlySet<Socket> {
  const unused = new Set<Socket>()
  server.on('setSecureContext' in server ? 'secureConnection' : 'connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  const used = ({ socket }: IncomingMessage) => unused.delete(socket)
  server.on('request', used)
  if (upgrades) server.on('upgrade', used) // a server without another upgrade listener answers such a request as plain HTTP
  return unused
}
