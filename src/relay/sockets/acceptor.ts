// Accepts websockets: checks path, bans and connection limits, then registers the client for counting and pings.
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { DebugLog } from '../../lib/ports.js'
import { originForm } from '../../lib/url.js'
import type { ClientConnection, ConnectionListener } from '../connection/connection.js'
import type { RelayLimits } from '../settings.js'
import { createHandshake, RelayClientSocket } from './client-socket.js'
import { createHeartbeat, type Heartbeat } from './heartbeat.js'

export interface DoorwayParts {
  readonly relay: { connect(connection: ClientConnection): ConnectionListener }
  readonly limits: Pick<
    RelayLimits,
    'maxMessageBytes' | 'maxClientBytes' | 'maxConnections' | 'maxConnectionsPerAddress' | 'pingSeconds'
  >
  readonly path: string
  readonly addressOf: (request: IncomingMessage) => string
  /** The key under which connections of one client are counted. Default: the address itself. */
  readonly clientKey?: (address: string) => string
  /** Whether the operator bans this address. Default: no bans. */
  readonly isBlocked?: (address: string) => boolean
  /** permessage-deflate for clients that ask for it. It costs time and memory. */
  readonly compression: boolean
  readonly log: DebugLog
}

export interface Doorway {
  readonly clients: ReadonlySet<RelayClientSocket>
  readonly heartbeat: Heartbeat<RelayClientSocket>
  /** Answers an upgrade request with a websocket or a refusal. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Refuses new connections and stops reading from the existing ones. */
  shut(): void
  /** Aborted when the last connection is closed. */
  emptied(): AbortSignal
}

const STATUS: Readonly<Record<Exclude<Admission, 'welcome'>, number>> = { full: 503, 'address full': 429 }

export function createDoorway(parts: DoorwayParts): Doorway {
  const { limits, compression, log } = parts
  const clients = new Set<RelayClientSocket>()
  const heartbeat = createHeartbeat<RelayClientSocket>(limits.pingSeconds)
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
    // A connection counts until its socket closes, even if the handshake never completes.
    socket.once('close', () => admission.leave(key))
    shakeHands(request, socket, head, (client) => welcome(client, socket, address))
  }

  function welcome(client: RelayClientSocket, socket: Socket, address: string): void {
    client.stand(socket, address, ended)
    clients.add(client)
    heartbeat.add(client)
    client.listener = parts.relay.connect(client)
  }

  function ended(this: unknown, code: number): void {
    if (!(this instanceof RelayClientSocket)) return
    clients.delete(this)
    heartbeat.remove(this)
    this.listener?.disconnected()
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

const pathOf = ({ url = '' }: IncomingMessage): string => originForm(url).split('?', 1)[0] ?? ''

/** Node gives no response object for an upgrade, so the answer is written by hand. */
function refuseUpgrade(socket: Duplex, status: number): void {
  socket.on('error', () => socket.destroy())
  // A client that never closes its side would keep the socket open, and it is not counted.
  socket.once('finish', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

interface ConnectionLimits {
  readonly maxConnections: number
  readonly maxConnectionsPerAddress: number | undefined
}

type Admission = 'full' | 'address full' | 'welcome'

function createConnectionLimit({ maxConnections, maxConnectionsPerAddress }: ConnectionLimits) {
  const perAddress = new Map<string, number>()
  let total = 0

  return {
    /** Decides about one more connection, and counts it when it is welcome. */
    enter(address: string): Admission {
      if (total >= maxConnections) return 'full'
      const there = perAddress.get(address) ?? 0
      if (there >= (maxConnectionsPerAddress ?? Number.POSITIVE_INFINITY)) return 'address full'
      perAddress.set(address, there + 1)
      total++
      return 'welcome'
    },
    leave(address: string): void {
      const left = (perAddress.get(address) ?? 0) - 1
      if (left > 0) perAddress.set(address, left)
      else perAddress.delete(address)
      total--
    },
  }
}
