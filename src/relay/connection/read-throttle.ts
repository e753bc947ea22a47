// Back-pressure on one connection. While it has much in progress the relay stops reading from it: further messages wait in the client's system, and
// messages already read wait as raw frames, which cost little.
import { Fifo } from '../../lib/fifo.js'
import type { Backlog } from '../ingest/pending-event.js'
import type { ClientConnection } from './connection.js'
import { isLarge } from './large-message-queue.js'

/** Unanswered events per signature that this connection may have in flight: a connection with little trust is read little. */
const HELD_PER_SHARE = 2
const MOST_HELD_BYTES = 2_097_152
/** Messages of one connection per turn of the event loop. So many bytes more count as one more message. */
const MOST_IN_A_TURN = 32
const MESSAGE_BYTES = 2048

/** Memory overhead of a queued message. */
const FRAME_BYTES = 200

export interface ReceivedFrame {
  readonly data: Buffer
  readonly isBinary: boolean
}

export class ReadThrottle {
  private readonly connection: ClientConnection
  private readonly backlog: Backlog
  private inThisTurn = 0
  private isPaused = false
  private bytes = 0
  private postponed: Fifo<ReceivedFrame> | undefined = undefined

  constructor(connection: ClientConnection, backlog: Backlog) {
    this.connection = connection
    this.backlog = backlog
  }

  /** True while another message may be handled. */
  get mayContinue(): boolean {
    return this.inThisTurn < MOST_IN_A_TURN && !this.holdsMoreThan(1)
  }

  /** About the memory of messages that were read and not handled yet. */
  get postponedBytes(): number {
    return this.bytes + (this.postponed?.length ?? 0) * FRAME_BYTES
  }

  get hasPostponed(): boolean {
    return this.postponed !== undefined && this.postponed.length > 0
  }

  /** Counts a message. True for the first of a turn: the caller then registers for its end. */
  count({ data }: ReceivedFrame): boolean {
    const isFirst = this.inThisTurn === 0
    this.inThisTurn += 1 + Math.floor(data.length / MESSAGE_BYTES)
    return isFirst
  }

  turnEnded(): void {
    this.inThisTurn = 0
  }

  postpone(frame: ReceivedFrame): void {
    this.postponed ??= new Fifo()
    this.postponed.push(frame)
    this.bytes += frame.data.length
  }

  /** True when the next message must wait in the queue of large messages. */
  get hasLargeNext(): boolean {
    const first = this.postponed?.first
    return first !== undefined && isLarge(first.data)
  }

  get nextBytes(): number {
    return this.postponed?.first?.data.length ?? 0
  }

  /** Takes out the oldest queued message. */
  next(): ReceivedFrame | undefined {
    const frame = this.postponed?.shift()
    if (frame) this.bytes -= frame.data.length
    return frame
  }

  forget(): void {
    this.postponed = undefined
    this.bytes = 0
  }

  /** Pauses or resumes reading. A paused connection resumes when half of its work is done, because each change costs a system call. */
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
