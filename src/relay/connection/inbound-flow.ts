// What one client sends, message by message and in order: what is worked on now, what waits for its turn, and when nothing more is read.

import type { Engine } from '../engine.js'
import type { Backlog } from '../ingest/pending-event.js'
import type { ClientConnection } from './connection.js'
import type { LargeMessageReader } from './large-message-queue.js'
import { type Frame, ReadThrottle } from './read-throttle.js'

/** Whose messages they are. */
export interface MessageHandler {
  readonly backlog: Backlog
  /** What has come is worked on later: it may need what is being found out. */
  readonly mustWait: boolean
  handle(frame: Frame): void
}

export class InboundFlow implements LargeMessageReader {
  /** Nothing is taken in any more. */
  isOver = false
  /** In the line of large messages. */
  served = 0
  private readonly engine: Pick<Engine, 'busy' | 'largeMessages'>
  private readonly handler: MessageHandler
  private readonly throttle: ReadThrottle
  private isInLine = false

  constructor(engine: Pick<Engine, 'busy' | 'largeMessages'>, connection: ClientConnection, handler: MessageHandler) {
    this.engine = engine
    this.handler = handler
    this.throttle = new ReadThrottle(connection, handler.backlog)
  }

  take(frame: Frame): void {
    this.throttle.postpone(frame)
    this.proceed()
  }

  get largeBytes(): number {
    return this.throttle.nextBytes
  }

  /** About what the messages take of the memory that are not worked on yet. */
  get postponedBytes(): number {
    return this.throttle.postponedBytes
  }

  /** Works on what has come, as far as it is this connection's turn. */
  proceed(): void {
    while (this.mayRead && !this.throttle.hasLargeNext && this.readNext());
    if (this.mayRead && this.throttle.hasLargeNext) {
      this.isInLine = true
      this.engine.largeMessages.wait(this)
    }
    if (!this.isOver) this.throttle.adjust(this.handler.mustWait || this.isInLine)
  }

  /** The turn of the event loop in which it was busy is over. */
  turnEnded(): void {
    this.throttle.turnEnded()
    this.proceed()
  }

  /** Its turn in the line of large messages. */
  readLarge(): void {
    this.isInLine = false
    if (this.mayRead) this.readNext()
    this.proceed()
  }

  /** What was not worked on is forgotten. */
  end(): void {
    this.isOver = true
    this.throttle.forget()
  }

  private get mayRead(): boolean {
    return !this.isOver && !this.isInLine && !this.handler.mustWait && this.throttle.mayContinue
  }

  /** False: there is none. */
  private readNext(): boolean {
    const frame = this.throttle.next()
    if (!frame) return false
    if (this.throttle.count(frame)) this.engine.busy(this)
    this.handler.handle(frame)
    return true
  }
}
