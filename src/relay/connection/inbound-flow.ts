// What one client sends, message by message and in order: what is worked on now, what waits for its turn, and when nothing more is read.

import type { Engine } from '../engine.js'
import type { Lane } from '../ingest/pending-event.js'
import type { Connection } from './connection.js'
import type { LargeReader } from './large-message-queue.js'
import { type Frame, Pace } from './read-throttle.js'

/** Whose messages they are. */
export interface Recipient {
  readonly lane: Lane
  /** What has come is worked on later: it may need what is being found out. */
  readonly mustWait: boolean
  work(frame: Frame): void
}

export class Inflow implements LargeReader {
  /** Nothing is taken in any more. */
  isOver = false
  /** In the line of large messages. */
  served = 0
  private readonly engine: Pick<Engine, 'busy' | 'large'>
  private readonly recipient: Recipient
  private readonly pace: Pace
  private isInLine = false

  constructor(engine: Pick<Engine, 'busy' | 'large'>, connection: Connection, recipient: Recipient) {
    this.engine = engine
    this.recipient = recipient
    this.pace = new Pace(connection, recipient.lane)
  }

  take(frame: Frame): void {
    this.pace.postpone(frame)
    this.goOn()
  }

  get largeBytes(): number {
    return this.pace.nextBytes
  }

  /** About what the messages take of the memory that are not worked on yet. */
  get postponedBytes(): number {
    return this.pace.postponedBytes
  }

  /** Works on what has come, as far as it is this connection's turn. */
  goOn(): void {
    while (this.mayRead && !this.pace.hasLargeNext && this.readNext());
    if (this.mayRead && this.pace.hasLargeNext) {
      this.isInLine = true
      this.engine.large.wait(this)
    }
    if (!this.isOver) this.pace.adjust(this.recipient.mustWait || this.isInLine)
  }

  /** The turn of the event loop in which it was busy is over. */
  turnEnded(): void {
    this.pace.turnEnded()
    this.goOn()
  }

  /** Its turn in the line of large messages. */
  readLarge(): void {
    this.isInLine = false
    if (this.mayRead) this.readNext()
    this.goOn()
  }

  /** What was not worked on is forgotten. */
  end(): void {
    this.isOver = true
    this.pace.forget()
  }

  private get mayRead(): boolean {
    return !this.isOver && !this.isInLine && !this.recipient.mustWait && this.pace.mayGoOn
  }

  /** False: there is none. */
  private readNext(): boolean {
    const frame = this.pace.next()
    if (!frame) return false
    if (this.pace.count(frame)) this.engine.busy(this)
    this.recipient.work(frame)
    return true
  }
}
