// Who comes in: the path, bans and how many there may be. Then they are counted, pinged, and heard of when they leave.
import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Connection, Listener } from '../connection.js'
import type { Log } from '../ports.js'
import type { RelayLimits } from '../settings.js'
import { createAdmission, type Entry } from './admission.js'
import { createHeartbeat, type Heartbeat } from './heartbeat.js'
import { createHandshake, Peer } from './peer.js'
import { pathOf, refuseUpgrade } from './upgrade.js'

export interface DoorwayParts {
  readonly relay: { connect(connection: Connection): Listener }
  readonly limits: Pick<RelayLimits, 'maxMessageBytes' | 'maxConnections' | 'maxConnectionsPerAddress' | 'pingSeconds'>
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
  readonly peers: ReadonlySet<Peer>
  readonly heartbeat: Heartbeat<Peer>
  /** Every request to upgrade: a websocket, or a refusal. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Lets nobody in any more and reads nothing more. */
  shut(): void
  /** Aborted when nobody is left. */
  emptied(): AbortSignal
}

const STATUS: Readonly<Record<Exclude<Entry, 'welcome'>, number>> = { full: 503, 'address full': 429 }

export function createDoorway(parts: DoorwayParts): Doorway {
  const { limits, compression, log } = parts
  const peers = new Set<Peer>()
  const heartbeat = createHeartbeat<Peer>(limits.pingSeconds)
  const admission = createAdmission(limits)
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
    shakeHands(request, socket, head, (peer) => welcome(peer, socket, address))
  }

  function welcome(peer: Peer, socket: Socket, address: string): void {
    peer.stand(socket, address, ended)
    peers.add(peer)
    heartbeat.add(peer)
    peer.listener = parts.relay.connect(peer)
  }

  function ended(this: unknown, code: number): void {
    if (!(this instanceof Peer)) return
    peers.delete(this)
    heartbeat.remove(this)
    this.listener?.gone()
    log.debug({ code, reason: this.endReason }, 'connection closed')
    if (isShut && peers.size === 0) whenEmpty.abort()
  }

  return {
    peers,
    heartbeat,
    upgrade,
    shut() {
      isShut = true
      for (const peer of peers) peer.pause()
      if (peers.size === 0) whenEmpty.abort()
    },
    emptied: () => whenEmpty.signal,
  }
}
