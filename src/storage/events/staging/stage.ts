// The stage: an in-memory index of the newest events, which are stored but not in the index tables yet. The writer moves them there, sorted and
// many at once. Events, lists and maps are typed arrays, because tens of thousands of objects would load the garbage collector.
import { type EventText, idAt, weightOf } from '../../../nostr/event/index.js'
import { grown, type IndexKeys, KeyColumns, NO_ADDRESS, prefixOf } from '../index/index-keys.js'
import type { QueryPlan } from '../query/plan.js'
import { KeyTable, KindLists, type Shuffle } from './key-table.js'
import { NO_EVENTS, PostingLists } from './postings.js'

/** An event to stage. */
interface StageEntry {
  /** `seq` of the event's row: higher than that of the event before. */
  readonly seq: number
  readonly text: EventText
  readonly keys: IndexKeys
}

/** A list of a stage, for a reader: valid until the stage changes. */
export interface StagedList {
  readonly events: StagedEvents
  /** Never empty. */
  readonly list: number
}

export interface EventStage {
  readonly size: number
  /** About the memory of texts and tags of all events ever added. Each event costs a quarter of a kilobyte more. */
  readonly bytes: number
  add(one: StageEntry): void
  /** Ignores unknown numbers. */
  remove(seq: number): void
  has(id: string): boolean
  get(id: string): Staged | undefined
  /** Events with this address hash. */
  underAddress(hash: number): readonly Staged[]
  /** True: the event is staged. Readers ignore its index rows, which may exist already. */
  holds(seq: number): boolean
  /** Lists that together contain all events in the ranges of a plan, and maybe others; for a plan by ids those of the ids. */
  listsFor(plan: Pick<QueryPlan, 'by' | 'first' | 'kinds'>, ids: readonly string[]): readonly StagedList[]
}

interface SingleStage extends EventStage {
  /** The keys of all events of this moment. */
  keys(): StagedKeys
}

/** Keys that clients can choose pass through `shuffle`. */
export function createStage(shuffle: Shuffle = (key) => key): SingleStage {
  const events = new StagedEvents()
  const { columns, lists } = events
  const [byId, byKind, byAddress] = [new KeyTable(), new KeyTable(), new KeyTable()]
  const [authors, tags] = [new KindLists(columns, lists), new KindLists(columns, lists)]
  let all = NO_EVENTS
  let bytes = 0

  function insert(table: KeyTable, key: number, one: number): void {
    const slot = table.claim(key)
    table.put(slot, lists.insert(table.at(slot), one))
  }

  function erase(table: KeyTable, key: number, one: number): void {
    const slot = table.claim(key)
    table.put(slot, lists.erase(table.at(slot), one))
  }

  function eachKey(one: number, act: (table: KeyTable, key: number, one: number) => void): void {
    const address = columns.address[one] as number
    act(byId, shuffle(columns.prefix[one] as number), one)
    act(byKind, columns.kind[one] as number, one)
    if (address !== NO_ADDRESS) act(byAddress, shuffle(address), one)
  }

  /** The event with this id, or -1. */
  function findId(id: string): number {
    let found = -1
    lists.each(byId.get(shuffle(prefixOf(id))), (one) => {
      if (found < 0 && idAt(events.bytesOf(one), events.startOf(one)) === id) found = one
    })
    return found
  }

  function listsUnder({ by, first, kinds }: Pick<QueryPlan, 'by' | 'first' | 'kinds'>, ids: readonly string[]) {
    if (by === 'id') return ids.map((id) => byId.get(shuffle(prefixOf(id))))
    if (by === 'tag' || by === 'author') {
      const some: number[] = []
      for (const value of first) (by === 'tag' ? tags : authors).collect(shuffle(value), kinds, some)
      return some
    }
    return kinds === undefined ? [all] : kinds.map((kind) => byKind.get(kind))
  }

  return {
    get size() {
      return events.size
    },
    get bytes() {
      return bytes
    },
    add({ seq, text, keys }) {
      const one = events.add(seq, keys, text.bytes)
      bytes += weightOf(text)
      all = lists.insert(all, one)
      eachKey(one, insert)
      authors.add(shuffle(keys.author), one)
      for (const hash of keys.tags) tags.add(shuffle(hash), one)
    },
    remove(seq) {
      const one = events.find(seq)
      if (one < 0) return
      events.remove(one)
      all = lists.erase(all, one)
      eachKey(one, erase)
      authors.remove(shuffle(columns.author[one] as number), one)
      for (let nth = 0; nth < columns.tagCount(one); nth++) tags.remove(shuffle(columns.tag(one, nth)), one)
    },
    has: (id) => findId(id) >= 0,
    get(id) {
      const one = findId(id)
      return one < 0 ? undefined : events.view(one)
    },
    underAddress(hash) {
      const found: Staged[] = []
      lists.each(byAddress.get(shuffle(hash)), (one) => found.push(events.view(one)))
      return found
    },
    holds: (seq) => events.find(seq) >= 0,
    keys: () => events.keys(),
    listsFor(plan, ids) {
      const found: StagedList[] = []
      for (const list of listsUnder(plan, ids)) if (list !== NO_EVENTS) found.push({ events, list })
      return found
    },
  }
}

// The events of a stage: their numbers in typed arrays, their texts in slabs of memory. Dropped as a whole.

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

// Two stages. New events go into the young one. While the events of the old one move into the index tables it stays unchanged, and is then dropped
// as a whole: removing tens of thousands of events from lists would cost as much as adding them.

export interface TwoStages extends EventStage {
  /** Makes the young stage the old one, and returns the keys of its events. There must be no old one. */
  rotate(): StagedKeys
  /** Drops the old stage. */
  drop(): void
}

export function createTwoStages(shuffle?: Shuffle): TwoStages {
  let young = createStage(shuffle)
  let old: EventStage | undefined

  return {
    get size() {
      return young.size + (old?.size ?? 0)
    },
    get bytes() {
      return young.bytes + (old?.bytes ?? 0)
    },
    add: (one) => young.add(one),
    remove(seq) {
      young.remove(seq)
      old?.remove(seq)
    },
    has: (id) => young.has(id) || old?.has(id) === true,
    get: (id) => young.get(id) ?? old?.get(id),
    underAddress: (hash) => [...young.underAddress(hash), ...(old?.underAddress(hash) ?? [])],
    holds: (seq) => young.holds(seq) || old?.holds(seq) === true,
    listsFor(...asked) {
      const lists = young.listsFor(...asked)
      return old === undefined ? lists : [...lists, ...old.listsFor(...asked)]
    },
    rotate() {
      const keys = young.keys()
      old = young
      young = createStage(shuffle)
      return keys
    },
    drop() {
      old = undefined
    },
  }
}
