// One websocket. The only file of the relay that knows `ws`, which reads, answers pings and closes. Frames of ours go to the socket as they are.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type RawData, type ServerOptions, WebSocket, WebSocketServer } from 'ws'
import type { ClientConnection, ConnectionListener } from '../connection/connection.js'
import type { Pinged } from './heartbeat.js'
import type { UnfinishedReader } from './unfinished-messages.js'

/** How long the other side may take to say goodbye. */
export const CLOSE_MS = 2000
/** A message comes in no more pieces than that: each one costs memory beside its bytes. */
const MOST_CHUNKS = 4096
const MOST_FRAGMENTS = 1024
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

export class RelaySocket extends WebSocket implements ClientConnection, Pinged, UnfinishedReader {
  listener: ConnectionListener | undefined = undefined
  address = ''
  isHeard = true
  place = 0
  /** Why it ends, for the log; the first reason counts. */
  endReason = ''
  private raw: Socket | undefined = undefined
  private isCompressed = false
  /** What had been read when the last whole message was there. */
  private readBefore = 0

  /** It stands on this socket. `ended` is one function for all: a closure for each would be a tenth of what an idle one costs. */
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

function onMessage(this: WebSocket, data: RawData, isBinary: boolean): void {
  if (this instanceof RelaySocket && Buffer.isBuffer(data)) this.heard(data, isBinary)
}

function onPong(this: WebSocket): void {
  if (this instanceof RelaySocket) this.isHeard = true
}

/** A broken frame, or a broken line: `ws` closes with the code that says which. */
function onError(this: WebSocket, error: Error): void {
  if (this instanceof RelaySocket) this.endReason ||= error.message
}

/** Answers the handshake, and hands over the client when its websocket stands. */
export type Handshake = (
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
  then: (client: RelaySocket) => void,
) => void

/** A text that is not UTF-8 is answered, not punished: the relay looks at the bytes itself. */
export function createHandshake(maxPayload: number, compression: boolean): Handshake {
  const options: ServerOptions<typeof RelaySocket> & { readonly closeTimeout: number } = {
    noServer: true,
    clientTracking: false,
    WebSocket: RelaySocket,
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

/** The payload of each frame, copied: who made the frames may use their memory again. Frames are whole and not masked. */
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
