// The two sides of a client connection. Only `sockets/client-socket.ts` knows that websockets carry it.

export interface ClientConnection {
  /** The client's address, from a trusted proxy where there is one. */
  readonly address: string
  /** Sends whole frames, whose bytes must not change while `pendingBytes` is not 0. False: send no more until `drained`. */
  write(frames: Buffer): boolean
  /** Bytes that the operating system has not taken yet. */
  pendingBytes(): number
  /** Stops reading. Messages read before may still arrive. */
  pause(): void
  resume(): void
  /** Closes with a closing handshake; `code` is one of RFC 6455, 7.4. */
  end(code: number, reason: string): void
  /** Disconnects without a closing handshake. */
  drop(reason: string): void
}

/** A client session, as its connection sees it. */
export interface ConnectionListener {
  /** Receives one message within the size limit. The bytes are not retained. */
  take(data: Buffer, isBinary: boolean): void
  /** The connection accepts output again. */
  drained(): void
  /** The connection is closed. */
  disconnected(): void
}
