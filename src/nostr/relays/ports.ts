// What the relay pool needs from outside: sockets, time, randomness, a log. src/system implements them.

/** Time: epoch milliseconds; `sleep` never rejects, an abort ends it early. */
export interface RelayClock {
  /** Epoch milliseconds: for what is sent and shown. */
  now(): number
  /** Milliseconds since some moment, never set: for windows, pauses and due times. */
  monotonic(): number
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export interface RelayLog {
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
}

interface SocketRequest {
  /** `ws://` or `wss://`. */
  readonly url: string
  /** For everything until the connection stands, in ms. */
  readonly timeoutMs: number
  /** A longer frame ends the connection with the fault `oversize`. */
  readonly maxFrameBytes: number
  /** Never reach an address of this machine or its neighbours, whatever the host name resolves to. */
  readonly publicOnly: boolean
  /** Ends the attempt. */
  readonly signal: AbortSignal
}

/** Why a connection ended; `oversize` when the other side sent a frame over the cap. */
export interface SocketEnd {
  readonly reason: string
  readonly fault?: 'oversize'
}

/** What a socket tells. `frame` may come before the promise of `OpenSocket` has resolved; `closed` comes once, and only after it has. */
interface SocketListener {
  frame(text: string): void
  ping(): void
  pong(): void
  closed(end: SocketEnd): void
}

/** An open socket. No method throws, whatever state it is in. */
export interface RelaySocket {
  send(frame: string): void
  ping(): void
  pause(): void
  resume(): void
  /** Bytes that were sent and that the network has not taken yet. */
  bufferedBytes(): number
  /** Ends politely, within two seconds. */
  close(): void
  terminate(): void
}

/** Opens a socket. Rejects with an Error whose message says in one line why there is none. */
export type OpenSocket = (request: SocketRequest, listener: SocketListener) => Promise<RelaySocket>
