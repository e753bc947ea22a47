// Who comes in: the path, bans and how many there may be. Then they are counted, pinged, and heard of when they leave.
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ClientConnection, ConnectionListener } from '../connection/connection.js'
import type { Log } from '../ports.js'
import type { RelayLimits } from '../settings.js'
import { createHandshake, RelaySocket } from './client-socket.js'
import { type Admission, createConnectionLimit } from './connection-limit.js'
import { createHeartbeat, type Heartbeat } from './heartbeat.js'

export interface DoorwayParts {
  readonly relay: { connect(connection: ClientConnection): ConnectionListener }
  readonly limits: Pick<
    RelayLimits,
    'maxMessageBytes' | 'maxClientBytes' | 'maxConnections' | 'maxConnectionsPerAddress' | 'pingSeconds'
  >
  readonly path: string
  readonly addressOf: (request: IncomingMessage) => string
  /** What is counted together as one address; itself unless told. */
  readonly clientKey?: (address: string) => string
  /** Whom the operator does not let in; nobody unless told. */
  readonly isBlocked?: (address: string) => boolean
  /** permessage-deflate for those who ask for it: costs time and memory. */
  readonly compression: boolean
  readonly log: Log
}

export interface Doorway {
  readonly clients: ReadonlySet<RelaySocket>
  readonly heartbeat: Heartbeat<RelaySocket>
  /** Every request to upgrade: a websocket, or a refusal. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Lets nobody in any more and reads nothing more. */
  shut(): void
  /** Aborted when nobody is left. */
  emptied(): AbortSignal
}

const STATUS: Readonly<Record<Exclude<Admission, 'welcome'>, number>> = { full: 503, 'address full': 429 }

export function createDoorway(parts: DoorwayParts): Doorway {
  const { limits, compression, log } = parts
  const clients = new Set<RelaySocket>()
  const heartbeat = createHeartbeat<RelaySocket>(limits.pingSeconds)
  const admission = createConnectionLimit(limits)
  const shakeHands = createHandshake(limits.maxMessageBytes, compression)
  const whenEmpty = new AbortController()
  let isShut = false

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (isShut || !(socket instanceof Socket)) return void refuseUpgrade(socket, 503)
    if (pathOf(request) !== parts.path) return void refuseUpgrade(socket, 404)
    const address = parts.addressOf(request)
    if (parts.isBlocked?.(address)) return void refuseUpgrade(socket, 403)
    const key = parts.clientKey?.(address) ?? address
    const entry = admission.enter(key)
    if (entry !== 'welcome') return void refuseUpgrade(socket, STATUS[entry])
    // Counted as long as the socket stands, also when it never becomes a websocket.
    socket.once('close', () => admission.leave(key))
    shakeHands(request, socket, head, (client) => welcome(client, socket, address))
  }

  function welcome(client: RelaySocket, socket: Socket, address: string): void {
    client.stand(socket, address, ended)
    clients.add(client)
    heartbeat.add(client)
    client.listener = parts.relay.connect(client)
  }

  function ended(this: unknown, code: number): void {
    if (!(this instanceof RelaySocket)) return
    clients.delete(this)
    heartbeat.remove(this)
    this.listener?.gone()
    log.debug({ code, reason: this.endReason }, 'connection closed')
    if (isShut && clients.size === 0) whenEmpty.abort()
  }

  return {
    clients,
    heartbeat,
    upgrade,
    shut() {
      isShut = true
      for (const client of clients) client.pause()
      if (clients.size === 0) whenEmpty.abort()
    },
    emptied: () => whenEmpty.signal,
  }
}

const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0] ?? ''

/** There is no response object yet, so the answer is written by hand. */
function refuseUpgrade(socket: Duplex, status: number): void {
  socket.on('error', () => socket.destroy())
  // A client that does not close its side would keep the socket for ever, and nobody counts it.
  socket.once('finish', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
