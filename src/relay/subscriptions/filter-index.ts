// Filters under keys. Most keys have one filter only, so it lies there itself; several lie in a crowd, and a large crowd is divided by author and kind,
// so that filters for one key with a kind or an author that never comes cost the events of that key nothing.
import type { Filter, PreparedFilter } from '../../nostr/filter/index.js'

export type Key = string | number

/** A subscription in the index. */
export interface IndexedSubscription<S> {
  readonly subscription: S
  /** Filters that do not lie in their places yet, and those that do. */
  pendingFilters: readonly Filter[]
  indexed: readonly IndexedFilter<S>[]
  /** When one of its filters belongs somewhere else, in epoch seconds. */
  due: number
  /** The last event that it was named for. */
  stamp: number
}

/** One of its filters. */
export interface IndexedFilter<S> {
  readonly entry: IndexedSubscription<S>
  /** What it is filed under. */
  readonly by: string
  /** Where it lies; undefined while no event can match it. */
  index: FilterIndex<S> | undefined
  readonly keys: readonly Key[]
  /** What remains to be checked. */
  readonly rest: PreparedFilter
}

/** What a large crowd is divided by, in this order. An event has one of each, so it looks at two parts of a crowd. */
const DIVIDERS = ['authors', 'kinds'] as const
type Divider = (typeof DIVIDERS)[number]

/** Smaller crowds are not divided. */
const LARGE = 32
/** In a divided crowd a filter lies in a place for each combination of its values. One that needs so many more places than it has values is not divided. */
const MOST_MORE = 64

export class Bucket<S> {
  /** Looked at by every event that has the key. */
  readonly filters = new Set<IndexedFilter<S>>()
  /** The others, by what else they ask for; undefined until it is divided. */
  authors: FilterIndex<S> | undefined
  kinds: FilterIndex<S> | undefined
  /** The last event that it was read for: an event may carry one tag thousands of times. */
  stamp = 0
  /** Of the dividers, how many are used up. */
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
    this[divider] ??= createShelf(DIVIDERS.indexOf(divider) + 1)
    return this[divider]
  }
}

/** The first divider that a filter has values for; undefined: it is not divided. */
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
  readonly at: (key: Key) => IndexedFilter<S> | Bucket<S> | undefined
  put(indexed: IndexedFilter<S>, keys: Iterable<Key>): void
  /** Keys as it was put under. */
  take(indexed: IndexedFilter<S>, keys: Iterable<Key>): void
  /** Keys in use. */
  size(): number
}

/** `depth`: of the dividers of crowds, how many are used up. */
function createShelf<S>(depth = 0): FilterIndex<S> {
  const places = new Map<Key, IndexedFilter<S> | Bucket<S>>()

  function putUnder(key: Key, indexed: IndexedFilter<S>): void {
    const there = places.get(key)
    if (there === undefined) places.set(key, indexed)
    else if (there instanceof Bucket) there.put(indexed)
    else if (there !== indexed) places.set(key, bucketOf([there, indexed], depth))
  }

  function takeFrom(key: Key, indexed: IndexedFilter<S>): void {
    const there = places.get(key)
    if (there === indexed) places.delete(key)
    if (!(there instanceof Bucket)) return
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

function bucketOf<S>(filters: readonly IndexedFilter<S>[], depth: number): Bucket<S> {
  const bucket = new Bucket<S>(depth)
  for (const indexed of filters) bucket.put(indexed)
  return bucket
}

/** One shelf for everything that filters are filed under. */
export interface FilterIndexes<S> {
  readonly ids: FilterIndex<S>
  readonly authors: FilterIndex<S>
  readonly kinds: FilterIndex<S>
  readonly everything: FilterIndex<S>
  /** By letter; a letter's shelf stays when it is empty. */
  readonly tags: ReadonlyMap<string, FilterIndex<S>>
  /** One of those by its name, or that of a letter, which is made when it is missing. */
  forKey(by: string): FilterIndex<S>
  /** Keys in use. */
  keys(): number
}

export function createFilterIndexes<S>(): FilterIndexes<S> {
  const [ids, authors, kinds, everything] = [createShelf<S>(), createShelf<S>(), createShelf<S>(), createShelf<S>()]
  const tags = new Map<string, FilterIndex<S>>()
  const own: Readonly<Record<string, FilterIndex<S>>> = { ids, authors, kinds, everything }

  function ofTag(letter: string): FilterIndex<S> {
    const index = tags.get(letter) ?? createShelf<S>()
    tags.set(letter, index)
    return index
  }

  return {
    ...{ ids, authors, kinds, everything, tags },
    forKey: (by) => own[by] ?? ofTag(by),
    keys: () => [ids, authors, kinds, everything, ...tags.values()].reduce((sum, index) => sum + index.size(), 0),
  }
}
