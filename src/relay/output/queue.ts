// Messages of one connection in their order, until they are framed. Bytes of events are referred to, not copied: a broadcast's text waits
// once, however many readers are slow. An empty queue is used again by whoever has something to say next.
import type { EventPage } from '../ports.js'
import { frameLength, writeAscii, writeHeader } from './frames.js'

const CLOSING_BRACKET = 0x5d
/** Free slots that a queue keeps. */
const MOST_FREE = 1024
/** Of a message's place in the queue, beside its text. */
const PLACE_BYTES = 64

export class Queue {
  /** Of all frames together. */
  bytes = 0
  /** Of messages that are texts. */
  private textBytes = 0
  /** The first message that is not framed yet, and where the next one is put. What lies outside is free. */
  private head = 0
  private tail = 0
  /** What stands before an event's text; empty: the source is a whole message. */
  private prefixes: string[] = []
  private sources: (string | Buffer)[] = []
  /** Bytes of the source. */
  private starts: number[] = []
  private ends: number[] = []

  get isEmpty(): boolean {
    return this.head === this.tail
  }

  /** About what it takes of the heap of Node. */
  get heapBytes(): number {
    return this.textBytes + (this.tail - this.head) * PLACE_BYTES
  }

  /** Answers, like the others, how many bytes wait now. */
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

  /** Bytes of the next frame; there is one. */
  nextFrame(): number {
    return frameLength(this.payload(this.head))
  }

  /** Takes out as many frames as fit into `target` from `from` on; answers where they end. */
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

  /** Forgets everything. */
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

  /** Lets go of the free slots: the queue of a reader that is always behind never becomes empty. */
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

  /** Writes the frame of the message at the head; answers where it ends. */
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

/** A view; cheaper than a Buffer's. */
const bytesOf = ({ buffer, byteOffset }: Buffer, start: number, end: number): Uint8Array =>
  new Uint8Array(buffer, byteOffset + start, end - start)
