// The newest events, written but not yet in the index tables: indexed here until the writer moves them there, sorted and many at once.
import { type EventText, type NostrEvent, weightOf } from '../../nostr/event/index.js'
import type { IndexKeys } from './index-keys.js'
import type { Plan } from './plan.js'
import { erased, inserted, type Postings } from './postings.js'

export interface Staged {
  /** Number of the event's row. */
  readonly seq: number
  /** The stage keeps the event without its content. */
  readonly text: EventText
  readonly keys: IndexKeys
}

export interface Stage {
  readonly size: number
  /** About what the texts and tags take of the memory, in bytes; beside them an event costs about a kilobyte. */
  readonly bytes: number
  add(one: Staged): void
  /** Does nothing when there is none of this number. */
  remove(seq: number): void
  has(id: string): boolean
  get(id: string): Staged | undefined
  /** Index rows of such events may be written already, and are to be ignored. */
  holds(seq: number): boolean
  /** The first that were added, in that order; they stay until they are removed. */
  oldest(count: number): readonly Staged[]
  /** Lists that together hold all events in the ranges of a plan, and perhaps others; for a plan by ids those of the ids. */
  listsFor(plan: Pick<Plan, 'by' | 'first' | 'kinds'>, ids: readonly string[]): readonly Postings[]
}

type Lists = Map<number, Postings>

/** Tells the pairs of author and kind apart; two pairs may meet in one number. */
const KIND_STEP = 2_654_435_761
const pairOf = (author: number, kind: number): number => author + kind * KIND_STEP
/** Beyond that the authors' lists are walked whole. */
const MAX_PAIRS = 4096
/** The list of all events stands under this key. */
const ALL = 0

export function createStage(): Stage {
  const byId = new Map<string, Staged>()
  const bySeq = new Map<number, Staged>()
  const lists = {
    all: new Map(),
    kind: new Map(),
    author: new Map(),
    pair: new Map(),
    tag: new Map(),
  } satisfies Record<string, Lists>
  let bytes = 0

  function remove(seq: number): void {
    const one = bySeq.get(seq)
    if (one === undefined) return
    bySeq.delete(seq)
    byId.delete(one.text.event.id)
    bytes -= weightOf(one.text)
    everyList(one, (map, key) => erase(map, key, one))
  }

  function everyList({ keys }: Staged, act: (map: Lists, key: number) => void): void {
    act(lists.all, ALL)
    act(lists.kind, keys.kind)
    act(lists.author, keys.author)
    act(lists.pair, pairOf(keys.author, keys.kind))
    for (const hash of keys.tags) act(lists.tag, hash)
  }

  return {
    get size() {
      return bySeq.size
    },
    get bytes() {
      return bytes
    },
    add(given) {
      const one = withoutContent(given)
      bySeq.set(one.seq, one)
      byId.set(one.text.event.id, one)
      bytes += weightOf(one.text)
      everyList(one, (map, key) => map.set(key, inserted(map.get(key), one)))
    },
    remove,
    has: (id) => byId.has(id),
    get: (id) => byId.get(id),
    holds: (seq) => bySeq.has(seq),
    oldest: (count) => first(bySeq.values(), count),
    listsFor({ by, first, kinds }, ids) {
      if (by === 'id') return found(ids, byId)
      if (by === 'tag') return found(first, lists.tag)
      if (by === 'author') return authorLists(lists, first, kinds)
      return kinds === undefined ? found([ALL], lists.all) : found(kinds, lists.kind)
    },
  }
}

/** A content may be 128 kB, and is in the text anyway. */
const withoutContent = ({ seq, text, keys }: Staged): Staged => ({
  seq,
  text: { event: slim(text.event), bytes: text.bytes },
  keys,
})
const slim = ({ id, pubkey, created_at, kind, tags }: NostrEvent): NostrEvent => ({
  id,
  pubkey,
  created_at,
  kind,
  tags,
  content: '',
  sig: '',
})

function erase(map: Lists, key: number, one: Staged): void {
  const left = erased(map.get(key), one)
  if (left === undefined) map.delete(key)
  else map.set(key, left)
}

function first(all: Iterable<Staged>, count: number): readonly Staged[] {
  const taken: Staged[] = []
  for (const one of all) {
    if (taken.length >= count) break
    taken.push(one)
  }
  return taken
}

function authorLists(
  { author, pair }: Readonly<Record<'author' | 'pair', Lists>>,
  authors: readonly number[],
  kinds: readonly number[] | undefined,
): readonly Postings[] {
  if (kinds === undefined || authors.length * kinds.length > MAX_PAIRS) return found(authors, author)
  return found(
    kinds.flatMap((kind) => authors.map((one) => pairOf(one, kind))),
    pair,
  )
}

function found<K>(keys: readonly K[], map: ReadonlyMap<K, Postings>): readonly Postings[] {
  const some: Postings[] = []
  for (const key of keys) {
    const list = map.get(key)
    if (list !== undefined) some.push(list)
  }
  return some
}
