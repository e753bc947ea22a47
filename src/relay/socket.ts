// Websockets: the only file of the relay that knows `ws`, which reads, answers pings and closes. Frames of ours go to the socket as they are.
import type { IncomingMessage, Server } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type RawData, type ServerOptions, WebSocket, WebSocketServer } from 'ws'
import { createAdmission, type Entry } from './admission.js'
import type { Connection, Listener } from './connection.js'
import { pathOf, refuseUpgrade } from './handshake.js'
import { createHeartbeat, type Heartbeat, type Pinged } from './heartbeat.js'
import { dropHoarders, type Hoarder } from './hoarders.js'
import { payloadsOf } from './payloads.js'
import type { Clock, Log } from './ports.js'
import type { RelayLimits } from './settings.js'

export interface SocketParts {
  readonly server: Server
  readonly relay: SocketRelay
  readonly limits: Pick<RelayLimits, 'maxMessageBytes' | 'maxConnections' | 'maxConnectionsPerAddress' | 'pingSeconds'>
  readonly path: string
  readonly addressOf: (request: IncomingMessage) => string
  /** What is counted together as one address; itself unless told. */
  readonly clientKey?: (address: string) => string
  /** Whom the operator does not let in; nobody unless told. */
  readonly isBlocked?: (address: string) => boolean
  /** permessage-deflate for those who ask for it: costs time and memory. */
  readonly compression: boolean
  readonly clock: Clock
  readonly log: Log
}

/** What the sockets need of the relay. */
export interface SocketRelay {
  connect(connection: Connection): Listener
  everySecond(): void
  /** Finishes what was taken in. */
  stop(): Promise<void>
}

export interface Sockets {
  /** Connections that stand. */
  count(): number
  /** Takes nothing in any more, lets the relay finish, says goodbye (1001) and hangs up. Idempotent. */
  stop(): Promise<void>
}

const SECOND = 1000
/** How long the other side may take to say goodbye. */
const CLOSE_MS = 2000
/** A message comes in no more pieces than that: each one costs memory beside its bytes. */
const MOST_CHUNKS = 4096
const MOST_FRAGMENTS = 1024
/** Of all messages together that are not whole yet: 256 MiB. */
const MOST_UNFINISHED = 268_435_456
const GOING_AWAY = 1001
/** An event is text, and worth compressing whatever it is. */
const COMPRESSED = { binary: false, compress: true }
const PING = Buffer.of(0x89, 0)

/** Small messages are sent as they are; nothing is remembered from one to the next. */
const DEFLATE = {
  threshold: 1024,
  concurrencyLimit: 2,
  serverNoContextTakeover: true,
  clientNoContextTakeover: true,
}

/** One websocket. */
class Peer extends WebSocket implements Connection, Pinged, Hoarder {
  raw: Socket | undefined = undefined
  listener: Listener | undefined = undefined
  address = ''
  isHeard = true
  isCompressed = false
  place = 0
  /** What had been read when the last whole message was there. */
  readBefore = 0
  endReason = ''

  /** While it is closing nothing is sent, and nothing waits for it. */
  write(frames: Buffer): boolean {
    if (this.readyState !== WebSocket.OPEN || !this.raw) return true
    if (!this.isCompressed) return this.raw.write(frames)
    for (const text of payloadsOf(frames)) this.send(text, COMPRESSED)
    return !this.raw.writableNeedDrain
  }

  pendingBytes(): number {
    return this.bufferedAmount
  }

  drop(reason: string): void {
    this.endReason ||= reason
    this.terminate()
  }

  end(code: number, reason: string): void {
    this.endReason ||= reason
    this.close(code, reason)
  }

  override ping(): void {
    if (this.readyState !== WebSocket.OPEN) return
    if (this.isCompressed) super.ping()
    else this.raw?.write(PING)
  }

  isDeaf(): boolean {
    return this.isPaused
  }

  unfinishedBytes(): number {
    return (this.raw?.bytesRead ?? 0) - this.readBefore
  }

  lost(): void {
    this.drop('no answer to a ping')
  }
}

/** Serves websockets on an HTTP server that somebody else listens with. Requests to upgrade on another path are answered 404. */
export function attachSockets(parts: SocketParts): Sockets {
  const { server, relay, limits, clock } = parts
  const doorway = createDoorway(parts)
  const aborter = new AbortController()
  let stopped: Promise<void> | undefined

  async function beat(): Promise<void> {
    while (!aborter.signal.aborted) {
      await clock.sleep(SECOND, aborter.signal)
      if (limits.pingSeconds > 0) doorway.heartbeat.tick()
      dropHoarders(doorway.peers, MOST_UNFINISHED)
      relay.everySecond()
    }
  }

  async function stopAll(): Promise<void> {
    aborter.abort()
    doorway.shut()
    await relay.stop()
    for (const peer of doorway.peers) {
      peer.end(GOING_AWAY, 'the relay is stopping')
      peer.resume() // to hear its goodbye
    }
    await clock.sleep(CLOSE_MS, doorway.emptied())
    for (const peer of doorway.peers) peer.drop('did not say goodbye')
  }

  server.on('upgrade', doorway.upgrade)
  void beat()
  return {
    count: () => doorway.peers.size,
    stop() {
      stopped ??= stopAll()
      return stopped
    },
  }
}

interface Doorway {
  readonly peers: ReadonlySet<Peer>
  readonly heartbeat: Heartbeat<Peer>
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Lets nobody in any more and reads nothing more. */
  shut(): void
  /** Aborted when nobody is left. */
  emptied(): AbortSignal
}

function createDoorway(parts: SocketParts): Doorway {
  const { limits, compression, log } = parts
  const peers = new Set<Peer>()
  const heartbeat = createHeartbeat<Peer>(limits.pingSeconds)
  const admission = createAdmission(limits)
  const websockets = createWebsockets(limits.maxMessageBytes, compression)
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
    websockets.handleUpgrade(request, socket, head, (peer: Peer) => welcome(peer, socket, address))
  }

  function welcome(peer: Peer, socket: Socket, address: string): void {
    peer.raw = socket
    peer.readBefore = socket.bytesRead
    peer.address = address
    peer.isCompressed = peer.extensions !== ''
    peers.add(peer)
    heartbeat.add(peer)
    peer.on('message', onMessage).on('pong', onPong).on('error', onError).on('close', onClose)
    peer.listener = parts.relay.connect(peer)
    socket.on('drain', () => peer.listener?.drained())
  }

  function onClose(this: WebSocket, code: number): void {
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

const STATUS: Readonly<Record<Exclude<Entry, 'welcome'>, number>> = { full: 503, 'address full': 429 }

/** A text that is not UTF-8 is answered, not punished: the relay looks at the bytes itself. */
const createWebsockets = (maxPayload: number, compression: boolean) => {
  const options: ServerOptions<typeof Peer> & { readonly closeTimeout: number } = {
    noServer: true,
    clientTracking: false,
    WebSocket: Peer,
    maxPayload,
    maxBufferedChunks: MOST_CHUNKS,
    maxFragments: MOST_FRAGMENTS,
    skipUTF8Validation: true,
    perMessageDeflate: compression && DEFLATE,
    closeTimeout: CLOSE_MS,
  }
  return new WebSocketServer(options)
}

// One function for all sockets: a closure for each would be a tenth of what an idle one costs.

function onMessage(this: WebSocket, data: RawData, isBinary: boolean): void {
  if (!(this instanceof Peer) || !Buffer.isBuffer(data)) return
  this.isHeard = true
  this.readBefore = this.raw?.bytesRead ?? 0
  this.listener?.take(data, isBinary)
}

function onPong(this: WebSocket): void {
  if (this instanceof Peer) this.isHeard = true
}

/** A broken frame, or a broken line: `ws` closes with the code that says which. */
function onError(this: WebSocket, error: Error): void {
  if (this instanceof Peer) this.endReason ||= error.message
}
