// The outbox of one connection: messages keep their order, leave in one write per turn, and wait while the connection is stalled.
import type { EventPage } from '../ports.js'
import type { FrameWriter, OutputQueue } from './frame-writer.js'

/** The connection, as the outbox needs it. */
export interface OutboxParts {
  readonly frameWriter: FrameWriter
  /** Writes finished frames, whose bytes must not change while `pendingBytes` is not 0. False: write no more until `drained`. */
  write(frames: Buffer): boolean
  /** Written bytes that the operating system has not taken yet. */
  pendingBytes(): number
  /** Limit of unsent bytes; beyond it the connection is dropped. */
  readonly maxPendingBytes: number
  /** Called when the unsent bytes of a stalled connection grow. */
  grew?(bytes: number): void
  /** Drops a connection that reads too slowly. Called at most once; nothing is written afterwards. */
  drop(reason: string): void
}

export interface Outbox {
  /** `prefix` comes from `eventPrefix`. The text must not change. */
  event(prefix: string, text: Buffer): void
  events(prefix: string, page: EventPage): void
  /** Any other message: OK, EOSE, NOTICE. */
  json(message: readonly unknown[]): void
  /** Unsent bytes, including those queued in this turn. */
  pending(): number
  /** About the bytes of them in Node's heap: answers and queue slots. Texts of events lie outside. */
  heapBytes(): number
  /** Calls `resume` once when everything is written. */
  whenWritten(resume: () => void): void
  /** The connection takes more again. */
  drained(): void
  /** Writes as much as possible now, before a closing frame. */
  flush(): void
  /** Discards everything; the connection is closed. */
  close(): void
}

/** Queued bytes that trigger a write before the end of the turn. */
const FLUSH_BYTES = 1_048_576

const NO_CALLBACKS: readonly (() => void)[] = []

/** A class, because ten thousand may be open while few are busy. */
class ConnectionOutbox implements Outbox {
  private readonly parts: OutboxParts
  /** Absent while empty. */
  private queue: OutputQueue | undefined
  private waiting: readonly (() => void)[] = NO_CALLBACKS
  private state: 'open' | 'stalled' | 'closed' = 'open'
  private isScheduled = false
  /** Unsent bytes at the last report of growth. */
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

  private openQueue(): OutputQueue {
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

  /** Called with the number of queued bytes. */
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

  private writeSome(queue: OutputQueue): void {
    const { parts } = this
    const { slab } = parts.frameWriter
    slab.open(queue.nextFrame())
    const { buffer, from } = slab
    const end = queue.fill(buffer, from)
    if (queue.isEmpty) this.release()
    const frames = buffer.subarray(from, end)
    // A slow connection gets a copy of its own: otherwise a few bytes would retain a whole slab.
    const isBehind = parts.pendingBytes() > 0
    if (!parts.write(isBehind ? Buffer.from(frames) : frames)) this.state = 'stalled'
    if (!isBehind && parts.pendingBytes() > 0) slab.keep(end)
  }
}

export const createOutbox = (parts: OutboxParts): Outbox => new ConnectionOutbox(parts)
