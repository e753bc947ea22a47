// Assembles frames and hands them to sockets, once per turn per connection. Memory that a socket took at once is reused for the next frames; memory
// that it retains stays untouched. While clients keep up, all share one slab.

import type { EventPage } from '../ports.js'

const SLAB_BYTES = 262_144
/** Minimum free bytes of a slab; below them a new slab begins, so that frames leave many at a time. */
const LEAST_ROOM = 65_536
const SPARE_QUEUES = 256

/** An object with frames to write. */
interface Flushable {
  flush(): void
}

export interface FrameWriter {
  /** Flushes `box` at the end of this turn. */
  schedule(box: Flushable): void
  /** Flushes everything scheduled, now. */
  flush(): void
  /** The memory to write into, from `from` on. */
  readonly slab: Slab
  /** Returns an empty queue. */
  takeQueue(): OutputQueue
  /** Returns an empty queue for reuse. */
  returnQueue(queue: OutputQueue): void
}

class Slab {
  buffer = Buffer.allocUnsafeSlow(SLAB_BYTES)
  from = 0

  /** Makes room for a frame of this length. */
  open(length: number): void {
    if (length <= this.buffer.length - this.from) return
    this.buffer = Buffer.allocUnsafeSlow(Math.max(length, SLAB_BYTES))
    this.from = 0
  }

  /** Marks the bytes up to `end` as retained by a socket. */
  keep(end: number): void {
    this.from = end
    if (this.buffer.length - end < LEAST_ROOM) this.open(SLAB_BYTES)
  }
}

/** `defer` runs a callback after the current one, before the event loop continues. */
export function createFrameWriter(defer: (flush: () => void) => void = process.nextTick): FrameWriter {
  let scheduled: Flushable[] = []
  const queues: OutputQueue[] = []

  function flush(): void {
    const boxes = scheduled
    scheduled = []
    for (const box of boxes) box.flush()
  }

  return {
    schedule(box) {
      if (scheduled.push(box) === 1) defer(flush)
    },
    flush,
    slab: new Slab(),
    takeQueue: () => queues.pop() ?? new OutputQueue(),
    returnQueue(queue) {
      if (queues.length < SPARE_QUEUES) queues.push(queue)
    },
  }
}

// The queue of one connection's messages until they are framed. Texts of events are referenced, not copied: a broadcast text exists once, however
// many clients are slow. Empty queues are reused.

const CLOSING_BRACKET = 0x5d
/** Free slots that a queue retains. */
const MOST_FREE = 1024
/** Memory of a slot, beside the text. */
const PLACE_BYTES = 64

export class OutputQueue {
  /** Bytes of all frames. */
  bytes = 0
  /** Bytes of messages held as strings. */
  private textBytes = 0
  /** Indexes of the first unframed message, and of the next free slot. */
  private head = 0
  private tail = 0
  /** Prefix of an event's text; empty: the source is a whole message. */
  private prefixes: string[] = []
  private sources: (string | Buffer)[] = []
  /** Byte range within the source. */
  private starts: number[] = []
  private ends: number[] = []

  get isEmpty(): boolean {
    return this.head === this.tail
  }

  /** About its bytes in Node's heap. */
  get heapBytes(): number {
    return this.textBytes + (this.tail - this.head) * PLACE_BYTES
  }

  /** Adds a message. Like the others, returns the queued bytes. */
  message(text: string): number {
    const length = Buffer.byteLength(text)
    this.textBytes += length
    return this.add('', text, 0, length)
  }

  /** `prefix` is ASCII. */
  event(prefix: string, text: Buffer): number {
    return this.add(prefix, text, 0, text.length)
  }

  events(prefix: string, { bytes, ends }: EventPage): number {
    let start = 0
    for (const end of ends) {
      this.add(prefix, bytes, start, end)
      start = end + 1
    }
    return this.bytes
  }

  /** Size of the next frame; the queue must not be empty. */
  nextFrame(): number {
    return frameLength(this.payload(this.head))
  }

  /** Moves as many frames as fit into `target` from `from` on; returns their end. */
  fill(target: Buffer, from: number): number {
    let at = from
    while (this.head < this.tail && at + this.nextFrame() <= target.length) {
      at = this.frame(target, at)
      if (typeof this.sources[this.head] === 'string') this.textBytes -= this.ends[this.head] ?? 0
      this.sources[this.head] = ''
      this.head += 1
    }
    this.bytes -= at - from
    if (this.isEmpty) this.restart()
    else if (this.head > MOST_FREE && this.head * 2 > this.tail) this.shift()
    return at
  }

  /** Discards everything. */
  clear(): void {
    this.sources.fill('', this.head, this.tail)
    this.bytes = 0
    this.textBytes = 0
    this.restart()
  }

  private restart(): void {
    this.head = 0
    this.tail = 0
    if (this.sources.length > MOST_FREE) this.shift()
  }

  /** Drops free slots: the queue of a slow client never becomes empty. */
  private shift(): void {
    const { head, tail } = this
    this.prefixes = this.prefixes.slice(head, tail)
    this.sources = this.sources.slice(head, tail)
    this.starts = this.starts.slice(head, tail)
    this.ends = this.ends.slice(head, tail)
    this.tail = tail - head
    this.head = 0
  }

  private add(prefix: string, source: string | Buffer, start: number, end: number): number {
    const { tail } = this
    this.prefixes[tail] = prefix
    this.sources[tail] = source
    this.starts[tail] = start
    this.ends[tail] = end
    this.tail = tail + 1
    this.bytes += frameLength(this.payload(tail))
    return this.bytes
  }

  private payload(index: number): number {
    const prefix = this.prefixes[index] ?? ''
    const length = (this.ends[index] ?? 0) - (this.starts[index] ?? 0)
    return prefix === '' ? length : prefix.length + length + 1
  }

  /** Writes the frame at the head; returns its end. */
  private frame(target: Buffer, from: number): number {
    const [prefix, source] = [this.prefixes[this.head] ?? '', this.sources[this.head] ?? '']
    const at = writeHeader(target, from, this.payload(this.head))
    if (typeof source === 'string') return at + target.write(source, at)
    const [start, end] = [this.starts[this.head] ?? 0, this.ends[this.head] ?? 0]
    const text = writeAscii(target, at, prefix)
    target.set(start === 0 && end === source.length ? source : bytesOf(source, start, end), text)
    target[text + end - start] = CLOSING_BRACKET
    return text + end - start + 1
  }
}

/** A plain view is cheaper than a Buffer. */
const bytesOf = ({ buffer, byteOffset }: Buffer, start: number, end: number): Uint8Array =>
  new Uint8Array(buffer, byteOffset + start, end - start)

// Websocket data frames from the server (RFC 6455, 5.2): one unmasked frame per message.

const TEXT_FRAME = 0x81
const LONGEST_SHORT = 125
const LONGEST_MIDDLE = 65_535

/** Header length for a payload of this length. */
export const headerLength = (length: number): number => {
  if (length <= LONGEST_SHORT) return 2
  return length <= LONGEST_MIDDLE ? 4 : 10
}

/** Bytes of the whole frame. */
export const frameLength = (length: number): number => headerLength(length) + length

/** Writes the header of a text frame at `at`; returns the start of the payload. */
export function writeHeader(target: Buffer, at: number, length: number): number {
  target[at] = TEXT_FRAME
  if (length <= LONGEST_SHORT) {
    target[at + 1] = length
    return at + 2
  }
  if (length <= LONGEST_MIDDLE) {
    target[at + 1] = 126
    target[at + 2] = length >>> 8
    target[at + 3] = length & 255
    return at + 4
  }
  target[at + 1] = 127
  target.writeUInt32BE(0, at + 2)
  return target.writeUInt32BE(length, at + 6)
}

const NOT_ASCII = /[\u0080-\uffff]/g

/**
 * The prefix of an event in a message to a subscription: `["EVENT","<id>",`. Non-ASCII characters are escaped, so that it has as many bytes as
 * characters.
 */
export const eventPrefix = (subscription: string): string =>
  `["EVENT",${JSON.stringify(subscription).replace(NOT_ASCII, escaped)},`

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Writes ASCII text; returns its end. Faster than `Buffer.write` for a few characters. */
export function writeAscii(target: Buffer, at: number, text: string): number {
  for (let index = 0; index < text.length; index += 1) target[at + index] = text.charCodeAt(index)
  return at + text.length
}
