// Maps keys to filters. A key with one filter holds it directly; several filters form a bucket. Large buckets are divided by author and kind, so
// that filters with other authors or kinds cost an event nothing.
import type { Filter, PreparedFilter } from '../../nostr/filter/index.js'

export type Key = string | number

/** A subscription in the live index. */
export interface IndexedSubscription<S> {
  readonly subscription: S
  /** Filters not indexed yet, and those that are. */
  pendingFilters: readonly Filter[]
  indexed: readonly IndexedFilter<S>[]
  /** The time at which one of its filters moves to another index, in epoch seconds. */
  due: number
  /** Number of the last event that it matched. */
  stamp: number
}

/** One filter of a subscription. */
export interface IndexedFilter<S> {
  readonly entry: IndexedSubscription<S>
  /** The kind of its keys. */
  readonly by: string
  /** Its index; undefined while no event can match. */
  index: FilterIndex<S> | undefined
  readonly keys: readonly Key[]
  /** The conditions beyond its keys. */
  readonly rest: PreparedFilter
}

/** Dividers of large buckets, in order. An event has one author and one kind, so it looks at two parts of a bucket. */
const DIVIDERS = ['authors', 'kinds'] as const
type Divider = (typeof DIVIDERS)[number]

/** Smaller buckets are not divided. */
const LARGE = 32
/** In a divided bucket a filter has an entry per combination of its values. A filter with this many more entries than values is not divided. */
const MOST_MORE = 64

export class FilterBucket<S> {
  /** Filters that every event with the key is checked against. */
  readonly filters = new Set<IndexedFilter<S>>()
  /** Divided filters; undefined until the bucket is divided. */
  authors: FilterIndex<S> | undefined
  kinds: FilterIndex<S> | undefined
  /** Number of the last event that visited it: an event may repeat a tag thousands of times. */
  stamp = 0
  /** Number of dividers in use above this bucket. */
  private readonly depth: number
  private isDivided = false

  constructor(depth: number) {
    this.depth = depth
  }

  get isEmpty(): boolean {
    return this.filters.size + (this.authors?.size() ?? 0) + (this.kinds?.size() ?? 0) === 0
  }

  put(indexed: IndexedFilter<S>): void {
    const divider = this.isDivided ? dividerOf(indexed, this.depth) : undefined
    if (divider) this.part(divider).put(indexed, indexed.rest[divider] ?? [])
    else this.filters.add(indexed)
    if (!this.isDivided && this.filters.size > LARGE) this.divide()
  }

  take(indexed: IndexedFilter<S>): void {
    if (this.filters.delete(indexed)) return
    const divider = dividerOf(indexed, this.depth)
    if (divider) this[divider]?.take(indexed, indexed.rest[divider] ?? [])
  }

  private divide(): void {
    this.isDivided = true
    const all = [...this.filters]
    this.filters.clear()
    for (const indexed of all) this.put(indexed)
  }

  private part(divider: Divider): FilterIndex<S> {
    this[divider] ??= createFilterBuckets(DIVIDERS.indexOf(divider) + 1)
    return this[divider]
  }
}

/** The first divider that the filter has values for; undefined: it stays undivided. */
const dividerOf = <S>(indexed: IndexedFilter<S>, depth: number): Divider | undefined =>
  DIVIDERS.slice(depth).find(
    (divider) => indexed.rest[divider] !== undefined && isWorth(indexed, [...DIVIDERS.slice(0, depth), divider]),
  )

function isWorth<S>({ keys, rest }: IndexedFilter<S>, dividers: readonly Divider[]): boolean {
  let [places, values] = [keys.length, keys.length]
  for (const divider of dividers) {
    const count = countOf(rest[divider])
    places *= Math.max(1, count)
    values += count
  }
  return places <= values + MOST_MORE
}

const countOf = (values: readonly Key[] | ReadonlySet<Key> = []): number =>
  'size' in values ? values.size : values.length

export interface FilterIndex<S> {
  readonly at: (key: Key) => IndexedFilter<S> | FilterBucket<S> | undefined
  put(indexed: IndexedFilter<S>, keys: Iterable<Key>): void
  /** `keys` must be those it was added with. */
  take(indexed: IndexedFilter<S>, keys: Iterable<Key>): void
  /** Keys in use. */
  size(): number
}

/** `depth`: number of dividers already in use. */
function createFilterBuckets<S>(depth = 0): FilterIndex<S> {
  const places = new Map<Key, IndexedFilter<S> | FilterBucket<S>>()

  function putUnder(key: Key, indexed: IndexedFilter<S>): void {
    const there = places.get(key)
    if (there === undefined) places.set(key, indexed)
    else if (there instanceof FilterBucket) there.put(indexed)
    else if (there !== indexed) places.set(key, bucketOf([there, indexed], depth))
  }

  function takeFrom(key: Key, indexed: IndexedFilter<S>): void {
    const there = places.get(key)
    if (there === indexed) places.delete(key)
    if (!(there instanceof FilterBucket)) return
    there.take(indexed)
    if (there.isEmpty) places.delete(key)
  }

  return {
    at: (key) => places.get(key),
    put: (indexed, keys) => {
      for (const key of keys) putUnder(key, indexed)
    },
    take: (indexed, keys) => {
      for (const key of keys) takeFrom(key, indexed)
    },
    size: () => places.size,
  }
}

function bucketOf<S>(filters: readonly IndexedFilter<S>[], depth: number): FilterBucket<S> {
  const bucket = new FilterBucket<S>(depth)
  for (const indexed of filters) bucket.put(indexed)
  return bucket
}

/** One index per kind of key. */
export interface FilterIndexes<S> {
  readonly ids: FilterIndex<S>
  readonly authors: FilterIndex<S>
  readonly kinds: FilterIndex<S>
  readonly everything: FilterIndex<S>
  /** By tag letter. An empty index stays. */
  readonly tags: ReadonlyMap<string, FilterIndex<S>>
  /** Returns the index of a kind of key, and creates that of a tag letter when missing. */
  forKey(by: string): FilterIndex<S>
  /** Keys in use. */
  keys(): number
}

export function createFilterIndexes<S>(): FilterIndexes<S> {
  const [ids, authors, kinds, everything] = [
    createFilterBuckets<S>(),
    createFilterBuckets<S>(),
    createFilterBuckets<S>(),
    createFilterBuckets<S>(),
  ]
  const tags = new Map<string, FilterIndex<S>>()
  const own: Readonly<Record<string, FilterIndex<S>>> = { ids, authors, kinds, everything }

  function ofTag(letter: string): FilterIndex<S> {
    const index = tags.get(letter) ?? createFilterBuckets<S>()
    tags.set(letter, index)
    return index
  }

  return {
    ...{ ids, authors, kinds, everything, tags },
    forKey: (by) => own[by] ?? ofTag(by),
    keys: () => [ids, authors, kinds, everything, ...tags.values()].reduce((sum, index) => sum + index.size(), 0),
  }
}
