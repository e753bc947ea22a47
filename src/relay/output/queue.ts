// The queue of one connection's messages until they are framed. Texts of events are referenced, not copied: a broadcast text exists once, however
// many clients are slow. Empty queues are reused.
import type { EventPage } from '../ports.js'
import { frameLength, writeAscii, writeHeader } from './frames.js'

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
