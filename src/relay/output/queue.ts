// Messages of one connection in their order, until they are framed. Bytes of events are referred to, not copied: a broadcast's text waits
// once, however many readers are slow.
import type { Page } from '../ports.js'
import { frameLength, writeAscii, writeHeader } from './frames.js'

const CLOSING_BRACKET = 0x5d
/** Framed messages that may stay at the front before the lists are cut. */
const MOST_DONE = 64

export class Queue {
  /** Of all frames together. */
  bytes = 0
  /** The first message that is not framed yet. The lists are equally long. */
  private head = 0
  /** What stands before an event's text; empty: the source is a whole message. */
  private readonly prefixes: string[] = []
  private readonly sources: (string | Buffer)[] = []
  /** Bytes of the source. */
  private readonly starts: number[] = []
  private readonly ends: number[] = []

  get isEmpty(): boolean {
    return this.head === this.sources.length
  }

  message(text: string): void {
    this.add('', text, 0, Buffer.byteLength(text))
  }

  /** `prefix` is ASCII. */
  event(prefix: string, text: Buffer): void {
    this.add(prefix, text, 0, text.length)
  }

  events(prefix: string, { bytes, ends }: Page): void {
    let start = 0
    for (const end of ends) {
      this.add(prefix, bytes, start, end)
      start = end + 1
    }
  }

  /** Bytes of the next frame; there is one. */
  nextFrame(): number {
    return frameLength(this.payload(this.head))
  }

  /** Takes out as many frames as fit into `target` from `from` on; answers where they end. */
  fill(target: Buffer, from: number): number {
    let at = from
    while (this.head < this.sources.length && at + this.nextFrame() <= target.length) {
      at = this.frame(target, at)
      this.head += 1
    }
    this.bytes -= at - from
    this.forgetDone()
    return at
  }

  clear(): void {
    this.head = this.sources.length
    this.bytes = 0
    this.forgetDone()
  }

  private add(prefix: string, source: string | Buffer, start: number, end: number): void {
    this.prefixes.push(prefix)
    this.sources.push(source)
    this.starts.push(start)
    this.ends.push(end)
    this.bytes += frameLength(this.payload(this.sources.length - 1))
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
    source.copy(target, text, start, end)
    target[text + end - start] = CLOSING_BRACKET
    return text + end - start + 1
  }

  /** What was framed must not be held any longer, or a slow reader would hold everything it ever got. */
  private forgetDone(): void {
    if (this.head < this.sources.length && this.head < MOST_DONE) return
    for (const list of [this.prefixes, this.sources, this.starts, this.ends]) list.splice(0, this.head)
    this.head = 0
  }
}
