// The stage: an in-memory index of the newest events, which are stored but not in the index tables yet. The writer moves them there, sorted and
// many at once. An event is its text in a slab and a few numbers, because tens of thousands of objects would load the garbage collector.
import { type EventText, idAt, weightOf } from '../../../nostr/event/index.js'
import type { IndexKeys } from '../index/index-keys.js'
import { prefixOf } from '../index/key-numbers.js'
import type { QueryPlan } from '../query/plan.js'
import { createKindLists } from './kind-lists.js'
import { erasePosting, insertPosting, type Postings, stagedIn } from './postings.js'
import type { Shuffle } from './shuffle.js'
import { createSlabs, type Staged } from './staged-event.js'

/** An event to stage. */
interface StageEntry {
  /** `seq` of the event's row. */
  readonly seq: number
  readonly text: EventText
  readonly keys: IndexKeys
}

export interface EventStage {
  readonly size: number
  /** About the memory of texts and tags of all events ever added. Each event costs half a kilobyte more. */
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
  /** In order of insertion. */
  all(): readonly Staged[]
  /** Lists that together contain all events in the ranges of a plan, and maybe others; for a plan by ids those of the ids. */
  listsFor(plan: Pick<QueryPlan, 'by' | 'first' | 'kinds'>, ids: readonly string[]): readonly Postings[]
}

type Lists = Map<number, Postings>

/** Key of the list of all events. */
const ALL = 0

/** Keys that clients can choose pass through `shuffle`. */
export function createStage(shuffle: Shuffle = (key) => key): EventStage {
  const slabs = createSlabs()
  const bySeq = new Map<number, Staged>()
  const lists = {
    all: new Map(),
    id: new Map(),
    kind: new Map(),
    address: new Map(),
  } satisfies Record<string, Lists>
  const authors = createKindLists()
  const tags = createKindLists()
  let bytes = 0

  function everyList({ keys }: Staged, act: (map: Lists, key: number) => void): void {
    act(lists.all, ALL)
    act(lists.id, shuffle(keys.prefix))
    act(lists.kind, keys.kind)
    if (keys.address !== undefined) act(lists.address, shuffle(keys.address))
  }

  const under = (map: Lists, key: number): readonly Staged[] => stagedIn(map.get(key))
  const get = (id: string): Staged | undefined =>
    under(lists.id, shuffle(prefixOf(id))).find(({ bytes, start }) => idAt(bytes, start) === id)

  return {
    get size() {
      return bySeq.size
    },
    get bytes() {
      return bytes
    },
    add({ seq, text, keys }) {
      const one: Staged = { seq, keys, ...slabs.keep(text.bytes) }
      bySeq.set(seq, one)
      bytes += weightOf(text)
      everyList(one, (map, key) => map.set(key, insertPosting(map.get(key), one)))
      authors.add(shuffle(keys.author), one)
      for (const hash of keys.tags) tags.add(shuffle(hash), one)
    },
    remove(seq) {
      const one = bySeq.get(seq)
      if (one === undefined) return
      bySeq.delete(seq)
      everyList(one, (map, key) => erase(map, key, one))
      authors.remove(shuffle(one.keys.author), one)
      for (const hash of one.keys.tags) tags.remove(shuffle(hash), one)
    },
    has: (id) => get(id) !== undefined,
    get,
    underAddress: (hash) => under(lists.address, shuffle(hash)),
    holds: (seq) => bySeq.has(seq),
    all: () => [...bySeq.values()],
    listsFor({ by, first, kinds }, ids) {
      if (by === 'id')
        return found(
          ids.map((id) => shuffle(prefixOf(id))),
          lists.id,
        )
      if (by === 'tag' || by === 'author') {
        const some: Postings[] = []
        for (const value of first) (by === 'tag' ? tags : authors).collect(shuffle(value), kinds, some)
        return some
      }
      return kinds === undefined ? found([ALL], lists.all) : found(kinds, lists.kind)
    },
  }
}

function erase(map: Lists, key: number, one: Staged): void {
  const left = erasePosting(map.get(key), one)
  if (left === undefined) map.delete(key)
  else map.set(key, left)
}

function found(keys: readonly number[], map: Lists): readonly Postings[] {
  const some: Postings[] = []
  for (const key of keys) {
    const list = map.get(key)
    if (list !== undefined) some.push(list)
  }
  return some
}
