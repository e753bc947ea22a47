// What the relay needs of a connection, and what a connection needs of the relay. Only `sockets/client-socket.ts` knows that websockets carry it.

export interface ClientConnection {
  /** The client's address, as a trusted proxy tells it. */
  readonly address: string
  /** Sends whole frames, which may not change while `pendingBytes` is not 0. False: no more until `drained`. */
  write(frames: Buffer): boolean
  /** Bytes that are not with the system yet. */
  pendingBytes(): number
  /** Stops reading; what was read already may still come. */
  pause(): void
  resume(): void
  /** Says goodbye; `code` is one of RFC 6455, 7.4. */
  end(code: number, reason: string): void
  /** Hangs up without a word. */
  drop(reason: string): void
}

/** One client, from the connection's side. */
export interface ConnectionListener {
  /** One message, at most as long as the relay allows. The bytes are not kept. */
  take(data: Buffer, isBinary: boolean): void
  /** The connection takes more again. */
  drained(): void
  /** The connection is no more. */
  gone(): void
}
