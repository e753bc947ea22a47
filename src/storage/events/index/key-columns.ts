// The numbers of events that wait for their index rows, in typed arrays: tens of thousands of objects would load the garbage collector. An event is
// its position.
import type { IndexKeys } from './index-keys.js'

/** Events for which the columns have room at first. */
const FIRST_EVENTS = 1024
/** Outside of the 48 bits of an address hash. */
export const NO_ADDRESS = 2 ** 47
const NEVER = Number.POSITIVE_INFINITY

/** Append-only. A column that grows is replaced, so no caller may keep one while events are added. */
export class KeyColumns {
  length = 0
  seq = new Float64Array(FIRST_EVENTS)
  place = new Float64Array(FIRST_EVENTS)
  prefix = new Float64Array(FIRST_EVENTS)
  author = new Float64Array(FIRST_EVENTS)
  /** `NO_ADDRESS` for events that are not replaceable. */
  address = new Float64Array(FIRST_EVENTS)
  /** Epoch seconds; infinite: never. */
  expires = new Float64Array(FIRST_EVENTS)
  kind = new Uint16Array(FIRST_EVENTS)
  /** Tags of the event at `at`: from `tagStart[at]` to `tagStart[at + 1]` in `tags`. */
  tagStart = new Int32Array(FIRST_EVENTS + 1)
  tags = new Float64Array(2 * FIRST_EVENTS)

  /** Returns the position. */
  add(seq: number, keys: IndexKeys): number {
    const { tags } = keys
    const at = this.#reserve(tags.length)
    this.seq[at] = seq
    this.place[at] = keys.place
    this.prefix[at] = keys.prefix
    this.author[at] = keys.author
    this.address[at] = keys.address ?? NO_ADDRESS
    this.expires[at] = keys.expires ?? NEVER
    this.kind[at] = keys.kind
    let to = this.tagStart[at] as number
    for (let nth = 0; nth < tags.length; nth++) this.tags[to++] = tags[nth] as number
    this.tagStart[at + 1] = to
    return at
  }

  /** Appends an event of other columns. */
  copy(other: KeyColumns, from: number): void {
    const start = other.tagStart[from] as number
    const end = other.tagStart[from + 1] as number
    const at = this.#reserve(end - start)
    this.seq[at] = other.seq[from] as number
    this.place[at] = other.place[from] as number
    this.prefix[at] = other.prefix[from] as number
    this.author[at] = other.author[from] as number
    this.address[at] = other.address[from] as number
    this.expires[at] = other.expires[from] as number
    this.kind[at] = other.kind[from] as number
    let to = this.tagStart[at] as number
    for (let tag = start; tag < end; tag++) this.tags[to++] = other.tags[tag] as number
    this.tagStart[at + 1] = to
  }

  tagCount(at: number): number {
    return (this.tagStart[at + 1] as number) - (this.tagStart[at] as number)
  }

  tag(at: number, nth: number): number {
    return this.tags[(this.tagStart[at] as number) + nth] as number
  }

  keys(at: number): IndexKeys {
    const address = this.address[at] as number
    const expires = this.expires[at] as number
    return {
      prefix: this.prefix[at] as number,
      place: this.place[at] as number,
      kind: this.kind[at] as number,
      author: this.author[at] as number,
      tags: Array.from(this.tags.subarray(this.tagStart[at], this.tagStart[at + 1])),
      address: address === NO_ADDRESS ? undefined : address,
      expires: expires === NEVER ? undefined : expires,
    }
  }

  /** The position of an event, or -1. The events must be in order of their numbers. */
  find(seq: number): number {
    let low = 0
    let high = this.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.seq[middle] as number) < seq) low = middle + 1
      else high = middle
    }
    return low < this.length && this.seq[low] === seq ? low : -1
  }

  /** Makes room for an event with so many tags, and returns its position. */
  #reserve(tags: number): number {
    const at = this.length++
    if (at === this.seq.length) this.#growEvents(2 * at)
    const needed = (this.tagStart[at] as number) + tags
    if (needed > this.tags.length)
      this.tags = grown(this.tags, new Float64Array(Math.max(needed, 2 * this.tags.length)))
    return at
  }

  #growEvents(size: number): void {
    this.seq = grown(this.seq, new Float64Array(size))
    this.place = grown(this.place, new Float64Array(size))
    this.prefix = grown(this.prefix, new Float64Array(size))
    this.author = grown(this.author, new Float64Array(size))
    this.address = grown(this.address, new Float64Array(size))
    this.expires = grown(this.expires, new Float64Array(size))
    this.kind = grown(this.kind, new Uint16Array(size))
    this.tagStart = grown(this.tagStart, new Int32Array(size + 1))
  }
}

/** Copies the values into a longer array. */
export function grown<T extends Float64Array | Int32Array | Uint16Array>(from: T, into: T): T {
  into.set(from)
  return into
}
