// The numbers of events that wait for their index rows, in typed arrays: tens of thousands of objects would load the garbage collector. An event is
// its position.
import type { IndexKeys } from './index-keys.js'

/** Events for which the columns have room at first. */
const FIRST_EVENTS = 1024
/** Events of a step of copying tags. */
const TAGS_AT_ONCE = 8192
/** Outside of the 48 bits of an address hash. */
export const NO_ADDRESS = 2 ** 47
const NEVER = Number.POSITIVE_INFINITY

const FLOAT_COLUMNS = ['seq', 'place', 'prefix', 'author', 'address', 'expires'] as const

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

  /**
   * Copies the events at these positions, in this order. Each step copies one column, because all at once would take ten milliseconds; it yields the
   * number of copied values. No event may be added meanwhile.
   */
  *copying(kept: Int32Array): Generator<number, KeyColumns> {
    const copy = new KeyColumns()
    copy.length = kept.length
    for (const column of FLOAT_COLUMNS) {
      copy[column] = gathered(this[column], kept, new Float64Array(kept.length))
      yield kept.length
    }
    copy.kind = gathered(this.kind, kept, new Uint16Array(kept.length))
    copy.tagStart = new Int32Array(kept.length + 1)
    copy.tags = new Float64Array(this.tagStart[this.length] as number)
    for (let at = 0; at < kept.length; at++) {
      copy.#copyTags(this, kept[at] as number, at)
      if (at % TAGS_AT_ONCE === TAGS_AT_ONCE - 1) yield 2 * TAGS_AT_ONCE
    }
    return copy
  }

  #copyTags({ tags, tagStart }: KeyColumns, from: number, at: number): void {
    let to = this.tagStart[at] as number
    const end = tagStart[from + 1] as number
    for (let tag = tagStart[from] as number; tag < end; tag++) this.tags[to++] = tags[tag] as number
    this.tagStart[at + 1] = to
  }

  tagCount(at: number): number {
    return (this.tagStart[at + 1] as number) - (this.tagStart[at] as number)
  }

  tag(at: number, nth: number): number {
    return this.tags[(this.tagStart[at] as number) + nth] as number
  }

  /** The event of a position in `tags`. */
  ownerOfTag(tag: number): number {
    let low = 0
    let high = this.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if ((this.tagStart[middle] as number) <= tag) low = middle
      else high = middle - 1
    }
    return low
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
    if (at === this.seq.length) this.#growEvents(Math.max(2 * at, FIRST_EVENTS))
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

/** The values at these positions. One loop for all columns is compiled soon, although it runs seldom. */
function gathered<T extends Float64Array | Uint16Array>(from: T, kept: Int32Array, into: T): T {
  for (let at = 0; at < kept.length; at++) into[at] = from[kept[at] as number] as number
  return into
}
