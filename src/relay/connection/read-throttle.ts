// How fast one connection is read. Whoever has much under way is not read for a while: what it sends next waits with its own system, and what
// was read already waits as it came, which costs next to nothing.

import { Fifo } from '../collections/fifo.js'
import type { Backlog } from '../ingest/pending-event.js'
import type { ClientConnection } from './connection.js'
import { isLarge } from './large-message-queue.js'

/** Events that are not answered yet, for each signature of this connection that may be under way: who is trusted little gets little read. */
const HELD_PER_SHARE = 2
const MOST_HELD_BYTES = 2_097_152
/** Messages in one turn of the event loop; then the others have theirs. So many bytes more are as good as one more message. */
const MOST_IN_A_TURN = 32
const MESSAGE_BYTES = 2048

/** Of a message in memory, beside its bytes. */
const FRAME_BYTES = 200

export interface Frame {
  readonly data: Buffer
  readonly isBinary: boolean
}

export class ReadThrottle {
  private readonly connection: ClientConnection
  private readonly backlog: Backlog
  private inThisTurn = 0
  private isPaused = false
  private bytes = 0
  private postponed: Fifo<Frame> | undefined = undefined

  constructor(connection: ClientConnection, backlog: Backlog) {
    this.connection = connection
    this.backlog = backlog
  }

  /** Whether one more message may be worked on. */
  get mayContinue(): boolean {
    return this.inThisTurn < MOST_IN_A_TURN && !this.holdsMoreThan(1)
  }

  /** About what the messages take that were read and are not worked on yet. */
  get postponedBytes(): number {
    return this.bytes + (this.postponed?.length ?? 0) * FRAME_BYTES
  }

  get hasPostponed(): boolean {
    return this.postponed !== undefined && this.postponed.length > 0
  }

  /** One more message is worked on. True for the first of a turn: its end is to be told. */
  count({ data }: Frame): boolean {
    const isFirst = this.inThisTurn === 0
    this.inThisTurn += 1 + Math.floor(data.length / MESSAGE_BYTES)
    return isFirst
  }

  turnEnded(): void {
    this.inThisTurn = 0
  }

  postpone(frame: Frame): void {
    this.postponed ??= new Fifo()
    this.postponed.push(frame)
    this.bytes += frame.data.length
  }

  /** Whether the next message has to stand in line. */
  get hasLargeNext(): boolean {
    const first = this.postponed?.first
    return first !== undefined && isLarge(first.data)
  }

  get nextBytes(): number {
    return this.postponed?.first?.data.length ?? 0
  }

  /** The oldest message that was postponed. */
  next(): Frame | undefined {
    const frame = this.postponed?.shift()
    if (frame) this.bytes -= frame.data.length
    return frame
  }

  forget(): void {
    this.postponed = undefined
    this.bytes = 0
  }

  /** Reads on, or does not. A connection that is paused is read again when half of what it has under way is done: each change costs a system call. */
  adjust(mustWait: boolean): void {
    const hasEnough = mustWait || this.hasPostponed || !this.mayContinue || (this.isPaused && this.holdsMoreThan(0.5))
    if (this.isPaused === hasEnough) return
    this.isPaused = hasEnough
    if (hasEnough) this.connection.pause()
    else this.connection.resume()
  }

  private holdsMoreThan(part: number): boolean {
    const { held, heldBytes, share } = this.backlog
    return held >= HELD_PER_SHARE * share * part || heldBytes >= MOST_HELD_BYTES * part
  }
}
