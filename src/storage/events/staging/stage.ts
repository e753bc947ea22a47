// The stage: an in-memory index of the newest events, which are stored but not in the index tables yet. The writer moves them there, sorted and
// many at once. Events, lists and maps are typed arrays, because tens of thousands of objects would load the garbage collector.
import { type EventText, idAt, weightOf } from '../../../nostr/event/index.js'
import type { IndexKeys } from '../index/index-keys.js'
import { NO_ADDRESS } from '../index/key-columns.js'
import { prefixOf } from '../index/key-numbers.js'
import type { QueryPlan } from '../query/plan.js'
import { KeyTable } from './key-table.js'
import { KindLists } from './kind-lists.js'
import { NO_EVENTS } from './postings.js'
import type { Shuffle } from './shuffle.js'
import { type Staged, StagedEvents, type StagedKeys } from './staged-event.js'
import type { StagedList } from './staged-list.js'

/** An event to stage. */
interface StageEntry {
  /** `seq` of the event's row: higher than that of the event before. */
  readonly seq: number
  readonly text: EventText
  readonly keys: IndexKeys
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
