// The inbound flow of one client: handles messages in order, queues the rest, and pauses reading.

import type { Engine } from '../engine.js'
import type { Backlog } from '../ingest/pending-event.js'
import type { ClientConnection } from './connection.js'
import type { LargeMessageReader } from './large-message-queue.js'
import { ReadThrottle, type ReceivedFrame } from './read-throttle.js'

/** Handles the messages. */
export interface MessageHandler {
  readonly backlog: Backlog
  /** True: queued messages must wait, because a pending AUTH may change their answers. */
  readonly mustWait: boolean
  handle(frame: ReceivedFrame): void
}

export class InboundFlow implements LargeMessageReader {
  /** Incoming messages are ignored. */
  isOver = false
  /** Virtual time in the queue of large messages. */
  served = 0
  private readonly engine: Pick<Engine, 'busy' | 'largeMessages'>
  private readonly handler: MessageHandler
  private readonly throttle: ReadThrottle
  private isQueued = false

  constructor(engine: Pick<Engine, 'busy' | 'largeMessages'>, connection: ClientConnection, handler: MessageHandler) {
    this.engine = engine
    this.handler = handler
    this.throttle = new ReadThrottle(connection, handler.backlog)
  }

  take(frame: ReceivedFrame): void {
    this.throttle.postpone(frame)
    this.proceed()
  }

  get largeBytes(): number {
    return this.throttle.nextBytes
  }

  /** About the memory of queued messages. */
  get postponedBytes(): number {
    return this.throttle.postponedBytes
  }

  /** Handles queued messages as far as this connection's share of the turn goes. */
  proceed(): void {
    while (this.mayRead && !this.throttle.hasLargeNext && this.readNext());
    if (this.mayRead && this.throttle.hasLargeNext) {
      this.isQueued = true
      this.engine.largeMessages.wait(this)
    }
    if (!this.isOver) this.throttle.adjust(this.handler.mustWait || this.isQueued)
  }

  /** Called at the end of a turn in which it handled messages. */
  turnEnded(): void {
    this.throttle.turnEnded()
    this.proceed()
  }

  /** Called by the queue of large messages. */
  readLarge(): void {
    this.isQueued = false
    if (this.mayRead) this.readNext()
    this.proceed()
  }

  /** Discards queued messages. */
  end(): void {
    this.isOver = true
    this.throttle.forget()
  }

  private get mayRead(): boolean {
    return !this.isOver && !this.isQueued && !this.handler.mustWait && this.throttle.mayContinue
  }

  /** False: no message is queued. */
  private readNext(): boolean {
    const frame = this.throttle.next()
    if (!frame) return false
    if (this.throttle.count(frame)) this.engine.busy(this)
    this.handler.handle(frame)
    return true
  }
}
