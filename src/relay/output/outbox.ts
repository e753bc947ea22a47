// The way out of one connection: messages keep their order, go out in one write per turn, and wait while the connection takes no more.
import type { EventPage } from '../ports.js'
import type { FrameWriter } from './frame-writer.js'
import type { Queue } from './queue.js'

/** The connection. */
export interface OutboxParts {
  readonly frameWriter: FrameWriter
  /** Takes finished frames, which may not be changed while `pendingBytes` is not 0. False: no more until it calls `drained`. */
  write(frames: Buffer): boolean
  /** Bytes written that the system did not take yet. */
  pendingBytes(): number
  /** Unsent bytes, after which the connection is given up. */
  readonly maxPendingBytes: number
  /** So many bytes more wait for a connection that does not take them. */
  grew?(bytes: number): void
  /** Ends the connection, which reads too slowly; called once at most. Nothing is written any more. */
  drop(reason: string): void
}

export interface Outbox {
  /** `prefix` is made by `eventPrefix`. The text must not change. */
  event(prefix: string, text: Buffer): void
  events(prefix: string, page: EventPage): void
  /** Any other message: OK, EOSE, NOTICE. */
  json(message: readonly unknown[]): void
  /** Unsent bytes, those included that wait for the end of the turn. */
  pending(): number
  /** Of those, about the bytes in the heap of Node: answers, and the places of events, whose texts lie outside. */
  heapBytes(): number
  /** Calls `resume` once, when everything was written. */
  whenWritten(resume: () => void): void
  /** The connection takes more again. */
  drained(): void
  /** Writes what it can, now: before a closing frame. */
  flush(): void
  /** The connection is gone: forgets everything. */
  close(): void
}

/** A turn that has so much to say writes before its end. */
const FLUSH_BYTES = 1_048_576

const NO_CALLBACKS: readonly (() => void)[] = []

/** A class, because ten thousand of them are open and few are busy. */
class ConnectionOutbox implements Outbox {
  private readonly parts: OutboxParts
  /** Absent while nothing waits. */
  private queue: Queue | undefined
  private waiting: readonly (() => void)[] = NO_CALLBACKS
  private state: 'open' | 'stalled' | 'closed' = 'open'
  private isScheduled = false
  /** Of what waits, how much was told. */
  private reportedBytes = 0

  constructor(parts: OutboxParts) {
    this.parts = parts
  }

  event(prefix: string, text: Buffer): void {
    if (this.state !== 'closed') this.onQueued(this.openQueue().event(prefix, text))
  }

  events(prefix: string, page: EventPage): void {
    if (this.state !== 'closed' && page.ends.length > 0) this.onQueued(this.openQueue().events(prefix, page))
  }

  json(message: readonly unknown[]): void {
    if (this.state !== 'closed') this.onQueued(this.openQueue().message(JSON.stringify(message)))
  }

  pending(): number {
    return (this.queue?.bytes ?? 0) + this.parts.pendingBytes()
  }

  heapBytes(): number {
    return this.queue?.heapBytes ?? 0
  }

  whenWritten(resume: () => void): void {
    this.waiting = [...this.waiting, resume]
  }

  drained(): void {
    if (this.state !== 'stalled') return
    this.state = 'open'
    this.flush()
  }

  flush(): void {
    this.isScheduled = false
    while (this.state === 'open' && this.queue) this.writeSome(this.queue)
    if (this.state === 'open') this.callBack()
    else this.reportGrowth()
  }

  close(): void {
    this.state = 'closed'
    this.waiting = NO_CALLBACKS
    this.queue?.clear()
    this.release()
  }

  private openQueue(): Queue {
    this.queue ??= this.parts.frameWriter.takeQueue()
    return this.queue
  }

  private release(): void {
    if (this.queue) this.parts.frameWriter.returnQueue(this.queue)
    this.queue = undefined
  }

  private callBack(): void {
    if (this.waiting.length === 0) return
    const { waiting } = this
    this.waiting = NO_CALLBACKS
    for (const resume of waiting) resume()
  }

  /** `bytes` are waiting now. */
  private onQueued(bytes: number): void {
    if (!this.isScheduled) {
      this.isScheduled = true
      this.parts.frameWriter.schedule(this)
    }
    if (bytes > Math.min(FLUSH_BYTES, this.parts.maxPendingBytes)) this.enforceLimit()
  }

  private enforceLimit(): void {
    if (this.state === 'open') this.flush()
    const unsent = this.pending()
    if (unsent <= this.parts.maxPendingBytes) return
    this.close()
    this.parts.drop(`${unsent} bytes unsent`)
  }

  private reportGrowth(): void {
    const waiting = this.pending()
    if (waiting > this.reportedBytes) this.parts.grew?.(waiting - this.reportedBytes)
    this.reportedBytes = waiting
  }

  private writeSome(queue: Queue): void {
    const { parts } = this
    const { slab } = parts.frameWriter
    slab.open(queue.nextFrame())
    const { buffer, from } = slab
    const end = queue.fill(buffer, from)
    if (queue.isEmpty) this.release()
    const frames = buffer.subarray(from, end)
    // Whoever is behind keeps what it is given: of its own, or a few bytes would keep a whole slab.
    const isBehind = parts.pendingBytes() > 0
    if (!parts.write(isBehind ? Buffer.from(frames) : frames)) this.state = 'stalled'
    if (!isBehind && parts.pendingBytes() > 0) slab.keep(end)
  }
}

export const createOutbox = (parts: OutboxParts): Outbox => new ConnectionOutbox(parts)
