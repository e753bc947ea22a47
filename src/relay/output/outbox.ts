// The way out of one connection: messages keep their order, go out in one write per turn, and wait while the connection takes no more.
import type { Page } from '../ports.js'
import type { Press } from './press.js'
import { Queue } from './queue.js'

/** The connection. */
export interface OutboxParts {
  readonly press: Press
  /** Takes finished frames, which may not be changed while `pendingBytes` is not 0. False: no more until it calls `drained`. */
  write(frames: Buffer): boolean
  /** Bytes written that the system did not take yet. */
  pendingBytes(): number
  /** Unsent bytes, after which the connection is given up. */
  readonly maxPendingBytes: number
  /** Ends the connection, which reads too slowly; called once at most. Nothing is written any more. */
  drop(reason: string): void
}

export interface Outbox {
  /** `prefix` is made by `eventPrefix`. The text must not change. */
  event(prefix: string, text: Buffer): void
  events(prefix: string, page: Page): void
  /** Any other message: OK, EOSE, NOTICE. */
  json(message: readonly unknown[]): void
  /** Unsent bytes, those included that wait for the end of the turn. */
  pending(): number
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

/** A class, because ten thousand of them are open and few are busy. */
class ConnectionOutbox implements Outbox {
  private readonly parts: OutboxParts
  private readonly queue = new Queue()
  private readonly waiting: (() => void)[] = []
  private state: 'open' | 'stalled' | 'closed' = 'open'
  private isDue = false

  constructor(parts: OutboxParts) {
    this.parts = parts
  }

  event(prefix: string, text: Buffer): void {
    if (this.state === 'closed') return
    this.queue.event(prefix, text)
    this.added()
  }

  events(prefix: string, page: Page): void {
    if (this.state === 'closed') return
    this.queue.events(prefix, page)
    this.added()
  }

  json(message: readonly unknown[]): void {
    if (this.state === 'closed') return
    this.queue.message(JSON.stringify(message))
    this.added()
  }

  pending(): number {
    return this.queue.bytes + this.parts.pendingBytes()
  }

  whenWritten(resume: () => void): void {
    this.waiting.push(resume)
  }

  drained(): void {
    if (this.state !== 'stalled') return
    this.state = 'open'
    this.flush()
  }

  flush(): void {
    this.isDue = false
    while (this.state === 'open' && !this.queue.isEmpty) this.writeSome()
    if (this.state === 'open') for (const resume of this.waiting.splice(0)) resume()
  }

  close(): void {
    this.state = 'closed'
    this.queue.clear()
    this.waiting.length = 0
  }

  private added(): void {
    if (!this.isDue) {
      this.isDue = true
      this.parts.press.due(this)
    }
    if (this.queue.bytes > Math.min(FLUSH_BYTES, this.parts.maxPendingBytes)) this.tooMuch()
  }

  private tooMuch(): void {
    if (this.state === 'open') this.flush()
    const unsent = this.pending()
    if (unsent <= this.parts.maxPendingBytes) return
    this.close()
    this.parts.drop(`${unsent} bytes unsent`)
  }

  private writeSome(): void {
    const { parts } = this
    const { slab } = parts.press
    slab.open(this.queue.nextFrame())
    const { buffer, from } = slab
    const end = this.queue.fill(buffer, from)
    if (!parts.write(buffer.subarray(from, end))) this.state = 'stalled'
    if (parts.pendingBytes() > 0) slab.keep(end)
  }
}

export const createOutbox = (parts: OutboxParts): Outbox => new ConnectionOutbox(parts)
