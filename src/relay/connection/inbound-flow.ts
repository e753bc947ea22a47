// The inbound flow of one client: handles messages in order, queues the rest, and pauses reading. While the client has much in progress the relay stops
// reading from it: further messages wait in the client's system, and messages already read wait as raw frames, which cost little.

import { Fifo } from '../../lib/fifo.js'
import type { Clock } from '../../lib/ports.js'
import { createFairQueue, type Flow } from '../collections/fair-queue.js'
import type { Backlog } from '../ingest/verify-queue.js'
import type { ClientConnection } from './connection.js'

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

/** Handles the messages. */
export interface MessageHandler {
  readonly backlog: Backlog
  /** True: queued messages must wait, because a pending AUTH may change their answers. */
  readonly mustWait: boolean
  handle(frame: ReceivedFrame): void
}

/** What all flows share. */
interface FlowParts {
  /** Registers an object whose `turnEnded` is called at the end of this turn of the event loop. */
  busy(one: { turnEnded(): void }): void
  readonly largeMessages: LargeMessageQueue
}

export class InboundFlow implements LargeMessageReader {
  /** Incoming messages are ignored. */
  isOver = false
  /** Virtual time in the queue of large messages. */
  served = 0
  private readonly parts: FlowParts
  private readonly connection: ClientConnection
  private readonly handler: MessageHandler
  /** True while it waits in the queue of large messages. */
  private isQueued = false
  private isPaused = false
  private inThisTurn = 0
  private postponed: Fifo<ReceivedFrame> | undefined = undefined
  /** Bytes of the postponed messages. */
  private bytes = 0

  constructor(parts: FlowParts, connection: ClientConnection, handler: MessageHandler) {
    this.parts = parts
    this.connection = connection
    this.handler = handler
  }

  take(frame: ReceivedFrame): void {
    this.postponed ??= new Fifo()
    this.postponed.push(frame)
    this.bytes += frame.data.length
    this.proceed()
  }

  get largeBytes(): number {
    return this.postponed?.first?.data.length ?? 0
  }

  /** About the memory of messages that were read and not handled yet. */
  get postponedBytes(): number {
    return this.bytes + (this.postponed?.length ?? 0) * FRAME_BYTES
  }

  /** Handles queued messages as far as this connection's share of the turn goes. */
  proceed(): void {
    while (this.mayRead && !this.hasLargeNext && this.readNext());
    if (this.mayRead && this.hasLargeNext) {
      this.isQueued = true
      this.parts.largeMessages.wait(this)
    }
    if (!this.isOver) this.adjust()
  }

  /** Called at the end of a turn in which it handled messages. */
  turnEnded(): void {
    this.inThisTurn = 0
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
    this.postponed = undefined
    this.bytes = 0
  }

  private get mayRead(): boolean {
    return !this.isOver && !this.isQueued && !this.handler.mustWait && this.mayContinue
  }

  private get mayContinue(): boolean {
    return this.inThisTurn < MOST_IN_A_TURN && !this.holdsMoreThan(1)
  }

  /** True when the next message must wait in the queue of large messages. */
  private get hasLargeNext(): boolean {
    const first = this.postponed?.first
    return first !== undefined && isLarge(first.data)
  }

  /** False: no message is queued. */
  private readNext(): boolean {
    const frame = this.postponed?.shift()
    if (!frame) return false
    this.bytes -= frame.data.length
    if (this.inThisTurn === 0) this.parts.busy(this)
    this.inThisTurn += 1 + Math.floor(frame.data.length / MESSAGE_BYTES)
    this.handler.handle(frame)
    return true
  }

  /** Pauses or resumes reading. A paused connection resumes when half of its work is done, because each change costs a system call. */
  private adjust(): void {
    const hasPostponed = this.postponed !== undefined && this.postponed.length > 0
    const mustWait = this.handler.mustWait || this.isQueued || hasPostponed || !this.mayContinue
    const hasEnough = mustWait || (this.isPaused && this.holdsMoreThan(0.5))
    if (this.isPaused === hasEnough) return
    this.isPaused = hasEnough
    if (hasEnough) this.connection.pause()
    else this.connection.resume()
  }

  private holdsMoreThan(part: number): boolean {
    const { held, heldBytes, share } = this.handler.backlog
    return held >= HELD_PER_SHARE * share * part || heldBytes >= MOST_HELD_BYTES * part
  }
}

/** Calls `turnEnded` of each registered object at the end of the turn of the event loop. */
export function createAfterTurn(): FlowParts['busy'] {
  let busy: { turnEnded(): void }[] = []

  function end(): void {
    const ended = busy
    busy = []
    for (const one of ended) one.turnEnded()
  }

  return (one) => {
    if (busy.push(one) === 1) setImmediate(end)
  }
}

// Large messages of all connections wait in one fair queue, and each turn of the event loop handles a few milliseconds' worth. Clients with small
// messages, as nearly all have, do not wait for a flood of large ones.

/** Size from which a message counts as large. Filters take much longer than events of the same length, and start queries. */
const EVENT_BYTES = 16_384
const OTHER_BYTES = 1024
const EVENT = Buffer.from('["EVENT"')
/** Time budget of a turn. */
const BUDGET_MS = 2
/** Estimated parsing speed. */
const BYTES_A_MS = 65_536

/** True when a message must wait in the queue. */
export const isLarge = (data: Buffer): boolean =>
  data.length >= EVENT_BYTES ||
  (data.length >= OTHER_BYTES && data.compare(EVENT, 0, EVENT.length, 0, EVENT.length) !== 0)

/** A connection whose next message is large. */
export interface LargeMessageReader extends Flow {
  /** Size of that message. */
  readonly largeBytes: number
  /** Handles the message. The connection enqueues again for the next one. */
  readLarge(): void
}

export interface LargeMessageQueue {
  wait(reader: LargeMessageReader): void
}

interface LargeMessageQueueParts {
  readonly clock: Pick<Clock, 'monotonic'>
  /** Runs something in the next turn of the event loop. */
  readonly nextTurn: (run: () => void) => void
}

export function createLargeMessageQueue({ clock, nextTurn }: LargeMessageQueueParts): LargeMessageQueue {
  const queue = createFairQueue<LargeMessageReader>()
  let isTurnDue = false

  function requestTurn(): void {
    if (isTurnDue || queue.length === 0) return
    isTurnDue = true
    nextTurn(turn)
  }

  function turn(): void {
    const begun = clock.monotonic()
    // A connection that enqueues meanwhile waits for the next turn.
    for (let left = queue.length; left > 0 && clock.monotonic() - begun < BUDGET_MS; left--) {
      const reader = queue.shift()
      if (reader) read(reader)
    }
    isTurnDue = false
    requestTurn()
  }

  function read(reader: LargeMessageReader): void {
    // Charged by length: the clock also counts other work of the machine.
    queue.charge(reader, reader.largeBytes / BYTES_A_MS)
    reader.readLarge()
  }

  return {
    wait(reader) {
      queue.push(reader, reader.largeBytes / BYTES_A_MS)
      requestTurn()
    },
  }
}
