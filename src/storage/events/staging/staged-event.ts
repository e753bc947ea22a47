// The events of a stage: their numbers in typed arrays, their texts in slabs of memory. Dropped as a whole.
import type { IndexKeys } from '../index/index-keys.js'
import { grown, KeyColumns } from '../index/key-columns.js'
import { PostingLists } from './postings.js'

/** A view of one event. Made when a reader takes the event, because tens of thousands of objects would load the garbage collector. */
export interface Staged {
  readonly seq: number
  readonly place: number
  /** The buffer that holds its text from `start` to `end`. */
  readonly bytes: Buffer
  readonly start: number
  readonly end: number
  /** Copied at each access. */
  readonly keys: IndexKeys
}

/** The keys of the events of one moment, in order of their numbers. */
export interface StagedKeys {
  readonly length: number
  /** The number of the last event; undefined: there is none. */
  readonly lastSeq: number | undefined
  /** Copies them in steps, as `KeyColumns.copying`. Events may be removed meanwhile, but not added. */
  copying(): Generator<number, KeyColumns>
}

const FIRST_EVENTS = 1024
const SLAB_BYTES = 1_048_576
/** Longer texts get a buffer of their own, so that slabs are filled well. */
const LONG_BYTES = 65_536
/** The slab of an event that was removed. */
const NO_SLAB = -1

/** An event is its position in the columns. Events come in order of their numbers. */
export class StagedEvents {
  readonly columns = new KeyColumns()
  readonly lists = new PostingLists(this.columns)
  /** Number of events that were not removed. */
  size = 0
  #slab = new Int32Array(FIRST_EVENTS)
  #start = new Int32Array(FIRST_EVENTS)
  #end = new Int32Array(FIRST_EVENTS)
  readonly #slabs: Buffer[] = []
  /** The slab that is being filled, and its used bytes. */
  #open = NO_SLAB
  #used = SLAB_BYTES

  /** Copies the text. Returns the position. */
  add(seq: number, keys: IndexKeys, text: Buffer): number {
    const one = this.columns.add(seq, keys)
    if (one === this.#slab.length) this.#grow(2 * one)
    this.#keep(one, text)
    this.size++
    return one
  }

  /** The event leaves `view` and `keys`; lists are not changed. */
  remove(one: number): void {
    this.#slab[one] = NO_SLAB
    this.size--
  }

  /** The position of a number; -1 if there is none. */
  find(seq: number): number {
    const one = this.columns.find(seq)
    return one >= 0 && this.#slab[one] !== NO_SLAB ? one : -1
  }

  /** The keys of all events of this moment. */
  keys(): StagedKeys {
    const kept = new Int32Array(this.size)
    let count = 0
    for (let one = 0; one < this.columns.length; one++) if (this.#slab[one] !== NO_SLAB) kept[count++] = one
    const last = kept.at(-1)
    return {
      length: kept.length,
      lastSeq: last === undefined ? undefined : this.columns.seq[last],
      copying: () => this.columns.copying(kept),
    }
  }

  bytesOf(one: number): Buffer {
    return this.#slabs[this.#slab[one] as number] as Buffer
  }

  startOf(one: number): number {
    return this.#start[one] as number
  }

  endOf(one: number): number {
    return this.#end[one] as number
  }

  view(one: number): Staged {
    return new View(this, one)
  }

  #keep(one: number, text: Buffer): void {
    const { length } = text
    if (length > LONG_BYTES) {
      this.#slab[one] = this.#slabs.push(Buffer.from(text)) - 1
      this.#end[one] = length
      return
    }
    if (this.#used + length > SLAB_BYTES) {
      this.#open = this.#slabs.push(Buffer.allocUnsafeSlow(SLAB_BYTES)) - 1
      this.#used = 0
    }
    this.#slab[one] = this.#open
    this.#start[one] = this.#used
    this.#used += text.copy(this.#slabs[this.#open] as Buffer, this.#used)
    this.#end[one] = this.#used
  }

  #grow(size: number): void {
    this.#slab = grown(this.#slab, new Int32Array(size))
    this.#start = grown(this.#start, new Int32Array(size))
    this.#end = grown(this.#end, new Int32Array(size))
  }
}

class View implements Staged {
  readonly seq: number
  readonly place: number
  readonly bytes: Buffer
  readonly start: number
  readonly end: number
  readonly #columns: KeyColumns
  readonly #one: number

  constructor(events: StagedEvents, one: number) {
    const { columns } = events
    this.seq = columns.seq[one] as number
    this.place = columns.place[one] as number
    this.bytes = events.bytesOf(one)
    this.start = events.startOf(one)
    this.end = events.endOf(one)
    this.#columns = columns
    this.#one = one
  }

  get keys(): IndexKeys {
    return this.#columns.keys(this.#one)
  }
}
