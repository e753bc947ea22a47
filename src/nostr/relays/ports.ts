// Ports of the relay pool: sockets, time, a log. src/system implements them.
import type { Log } from '../../lib/ports.js'

/** Time: epoch milliseconds; `sleep` never rejects, an abort ends it early. */
export type PoolLog = Log

interface SocketRequest {
  /** `ws://` or `wss://`. */
  readonly url: string
  /** Timeout in ms until the connection is open. */
  readonly timeoutMs: number
  /** A longer frame ends the connection with the fault `oversize`. */
  readonly maxFrameBytes: number
  /** Refuses addresses of this machine and its networks, also after name resolution. */
  readonly publicOnly: boolean
  /** Aborts the attempt. */
  readonly signal: AbortSignal
}

/** Why a connection ended; `oversize`: the other side exceeded the frame limit. */
export interface SocketEnd {
  readonly reason: string
  readonly fault?: 'oversize'
}

/** Callbacks of a socket. `frame` may run before the promise of `OpenSocket` resolves; `closed` runs once, and only after it. */
interface SocketListener {
  frame(text: string): void
  ping(): void
  pong(): void
  closed(end: SocketEnd): void
}

/** An open socket. No method throws, whatever the state. */
export interface RelaySocket {
  send(frame: string): void
  ping(): void
  pause(): void
  resume(): void
  /** Sent bytes that wait for the network. */
  bufferedBytes(): number
  /** Closes gracefully within two seconds. */
  close(): void
  terminate(): void
}

/** Opens a socket. Rejects with an Error whose message is the reason in one line. */
export type OpenSocket = (request: SocketRequest, listener: SocketListener) => Promise<RelaySocket>
