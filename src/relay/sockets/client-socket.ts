// One websocket. Only this file of the relay imports `ws`, which reads, answers pings and closes. Finished frames go to the socket unchanged.

import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type RawData, type ServerOptions, WebSocket, WebSocketServer } from 'ws'
import type { ClientConnection, ConnectionListener } from '../connection/connection.js'
import { dropLargest } from '../memory/memory-limit.js'

/** Time limit for the closing handshake. */
export const CLOSE_MS = 2000
/** Limit of pieces of one message: each piece costs memory beside its bytes. */
const MOST_CHUNKS = 4096
const MOST_FRAGMENTS = 1024
/** Events are text and compress well. */
const COMPRESSED = { binary: false, compress: true }
const PING = Buffer.of(0x89, 0)

/** Small messages are not compressed; no compression context survives a message. */
const DEFLATE = {
  threshold: 1024,
  concurrencyLimit: 2,
  serverNoContextTakeover: true,
  clientNoContextTakeover: true,
}

export class RelayClientSocket extends WebSocket implements ClientConnection, Pinged, UnfinishedReader {
  listener: ConnectionListener | undefined = undefined
  address = ''
  isHeard = true
  place = 0
  /** The first reason for the end, for the log. */
  endReason = ''
  private raw: Socket | undefined = undefined
  private isCompressed = false
  /** Bytes read up to the end of the last whole message. */
  private readBefore = 0

  /** Starts serving this socket. `ended` is one shared function: a closure per client would cost a tenth of an idle connection. */
  stand(socket: Socket, address: string, ended: (this: WebSocket, code: number) => void): void {
    this.raw = socket
    this.readBefore = socket.bytesRead
    this.address = address
    this.isCompressed = this.extensions !== ''
    this.on('message', onMessage).on('pong', onPong).on('error', onError).on('close', ended)
    socket.on('drain', () => this.listener?.drained())
  }

  heard(data: Buffer, isBinary: boolean): void {
    this.isHeard = true
    this.readBefore = this.raw?.bytesRead ?? 0
    this.listener?.take(data, isBinary)
  }

  /** Drops frames while the websocket closes. */
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

function onMessage(this: WebSocket, data: RawData, isBinary: boolean): void {
  if (this instanceof RelayClientSocket && Buffer.isBuffer(data)) this.heard(data, isBinary)
}

function onPong(this: WebSocket): void {
  if (this instanceof RelayClientSocket) this.isHeard = true
}

/** A protocol or network error. `ws` closes with the matching code. */
function onError(this: WebSocket, error: Error): void {
  if (this instanceof RelayClientSocket) this.endReason ||= error.message
}

/** Answers the handshake, and calls `then` with the open client. */
type Handshake = (
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
  then: (client: RelayClientSocket) => void,
) => void

/** `ws` does not check UTF-8: the relay answers such a text with a NOTICE instead of closing. */
export function createHandshake(maxPayload: number, compression: boolean): Handshake {
  const options: ServerOptions<typeof RelayClientSocket> & { readonly closeTimeout: number } = {
    noServer: true,
    clientTracking: false,
    WebSocket: RelayClientSocket,
    maxPayload,
    maxBufferedChunks: MOST_CHUNKS,
    maxFragments: MOST_FRAGMENTS,
    skipUTF8Validation: true,
    perMessageDeflate: compression && DEFLATE,
    closeTimeout: CLOSE_MS,
  }
  const server = new WebSocketServer(options)
  return (request, socket, head, then) => server.handleUpgrade(request, socket, head, then)
}

const [LONG, LONGER] = [126, 127]

/** Copies the payload of each frame, because the frame writer reuses its memory. Frames are whole and not masked. */
function payloadsOf(frames: Buffer): readonly Buffer[] {
  const payloads: Buffer[] = []
  for (let at = 0; at < frames.length; ) {
    const { start, length } = payloadAt(frames, at)
    payloads.push(Buffer.from(frames.subarray(start, start + length)))
    at = start + length
  }
  return payloads
}

function payloadAt(frames: Buffer, at: number): { readonly start: number; readonly length: number } {
  const short = frames.readUInt8(at + 1)
  if (short === LONG) return { start: at + 4, length: frames.readUInt16BE(at + 2) }
  if (short === LONGER) return { start: at + 10, length: Number(frames.readBigUInt64BE(at + 2)) }
  return { start: at + 2, length: short }
}

// Bounds the memory of messages that never end. Each client has a limit of its own, but thousands of clients together would fill the memory.

interface UnfinishedReader {
  /** Bytes read since its last whole message. */
  unfinishedBytes(): number
  drop(reason: string): void
}

/** Disconnects the largest until the others hold at most `most` bytes together. */
export const dropUnfinished = (all: Iterable<UnfinishedReader>, most: number): void =>
  dropLargest(all, { most, sizeOf: (one) => one.unfinishedBytes(), reason: 'a message without end' })

// Pings every client once per round. Pings are spread evenly over the round, without a timer for each client.

interface Pinged {
  /** Set by every message and pong; cleared by each ping. */
  isHeard: boolean
  /** The second of the round in which it is pinged. */
  place: number
  ping(): void
  /** The client did not answer the last ping. */
  lost(): void
  /** The relay does not read from this client now, so no pong can arrive. */
  isDeaf(): boolean
}

export interface Heartbeat<P extends Pinged> {
  add(peer: P): void
  remove(peer: P): void
  /** Once a second. */
  tick(): void
}

/** `seconds`: the length of a round, which is also the time limit for an answer. */
export function createHeartbeat<P extends Pinged>(seconds: number): Heartbeat<P> {
  const places = Array.from({ length: Math.max(1, seconds) }, () => new Set<P>())
  let at = 0

  return {
    add(peer) {
      peer.place = at
      places[at]?.add(peer)
    },
    remove: (peer) => void places[peer.place]?.delete(peer),
    tick() {
      at = (at + 1) % places.length
      for (const peer of places[at] ?? []) {
        if (!peer.isHeard && !peer.isDeaf()) peer.lost()
        else {
          peer.isHeard = false
          peer.ping()
        }
      }
    },
  }
}
