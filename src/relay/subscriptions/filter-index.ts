// Filters under keys. Most keys have one filter only, so it lies there itself; several lie in a crowd, and a large crowd is divided by author and kind,
// so that filters for one key with a kind or an author that never comes cost the events of that key nothing.
import type { Filter, PreparedFilter } from '../../nostr/filter/index.js'

export type Key = string | number

/** A subscription in the index. */
export interface Entry<S> {
  readonly subscription: S
  /** Filters that do not lie in their places yet, and those that do. */
  unfiled: readonly Filter[]
  filed: readonly Filed<S>[]
  /** When one of its filters belongs somewhere else, in epoch seconds. */
  due: number
  /** The last event that it was named for. */
  stamp: number
}

/** One of its filters. */
export interface Filed<S> {
  readonly entry: Entry<S>
  /** What it is filed under. */
  readonly by: string
  /** Where it lies; undefined while no event can match it. */
  shelf: Shelf<S> | undefined
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

export class Crowd<S> {
  /** Looked at by every event that has the key. */
  readonly filters = new Set<Filed<S>>()
  /** The others, by what else they ask for; undefined until it is divided. */
  authors: Shelf<S> | undefined
  kinds: Shelf<S> | undefined
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

  put(filed: Filed<S>): void {
    const divider = this.isDivided ? dividerOf(filed, this.depth) : undefined
    if (divider) this.part(divider).put(filed, filed.rest[divider] ?? [])
    else this.filters.add(filed)
    if (!this.isDivided && this.filters.size > LARGE) this.divide()
  }

  take(filed: Filed<S>): void {
    if (this.filters.delete(filed)) return
    const divider = dividerOf(filed, this.depth)
    if (divider) this[divider]?.take(filed, filed.rest[divider] ?? [])
  }

  private divide(): void {
    this.isDivided = true
    const all = [...this.filters]
    this.filters.clear()
    for (const filed of all) this.put(filed)
  }

  private part(divider: Divider): Shelf<S> {
    this[divider] ??= createShelf(DIVIDERS.indexOf(divider) + 1)
    return this[divider]
  }
}

/** The first divider that a filter has values for; undefined: it is not divided. */
const dividerOf = <S>(filed: Filed<S>, depth: number): Divider | undefined =>
  DIVIDERS.slice(depth).find(
    (divider) => filed.rest[divider] !== undefined && isWorth(filed, [...DIVIDERS.slice(0, depth), divider]),
  )

function isWorth<S>({ keys, rest }: Filed<S>, dividers: readonly Divider[]): boolean {
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

export interface Shelf<S> {
  readonly at: (key: Key) => Filed<S> | Crowd<S> | undefined
  put(filed: Filed<S>, keys: Iterable<Key>): void
  /** Keys as it was put under. */
  take(filed: Filed<S>, keys: Iterable<Key>): void
  /** Keys in use. */
  size(): number
}

/** `depth`: of the dividers of crowds, how many are used up. */
function createShelf<S>(depth = 0): Shelf<S> {
  const places = new Map<Key, Filed<S> | Crowd<S>>()

  function putUnder(key: Key, filed: Filed<S>): void {
    const there = places.get(key)
    if (there === undefined) places.set(key, filed)
    else if (there instanceof Crowd) there.put(filed)
    else if (there !== filed) places.set(key, crowdOf([there, filed], depth))
  }

  function takeFrom(key: Key, filed: Filed<S>): void {
    const there = places.get(key)
    if (there === filed) places.delete(key)
    if (!(there instanceof Crowd)) return
    there.take(filed)
    if (there.isEmpty) places.delete(key)
  }

  return {
    at: (key) => places.get(key),
    put: (filed, keys) => {
      for (const key of keys) putUnder(key, filed)
    },
    take: (filed, keys) => {
      for (const key of keys) takeFrom(key, filed)
    },
    size: () => places.size,
  }
}

function crowdOf<S>(filters: readonly Filed<S>[], depth: number): Crowd<S> {
  const crowd = new Crowd<S>(depth)
  for (const filed of filters) crowd.put(filed)
  return crowd
}

/** One shelf for everything that filters are filed under. */
export interface Shelves<S> {
  readonly ids: Shelf<S>
  readonly authors: Shelf<S>
  readonly kinds: Shelf<S>
  readonly everything: Shelf<S>
  /** By letter; a letter's shelf stays when it is empty. */
  readonly tags: ReadonlyMap<string, Shelf<S>>
  /** One of those by its name, or that of a letter, which is made when it is missing. */
  named(by: string): Shelf<S>
  /** Keys in use. */
  keys(): number
}

export function createShelves<S>(): Shelves<S> {
  const [ids, authors, kinds, everything] = [createShelf<S>(), createShelf<S>(), createShelf<S>(), createShelf<S>()]
  const tags = new Map<string, Shelf<S>>()
  const own: Readonly<Record<string, Shelf<S>>> = { ids, authors, kinds, everything }

  function ofTag(letter: string): Shelf<S> {
    const shelf = tags.get(letter) ?? createShelf<S>()
    tags.set(letter, shelf)
    return shelf
  }

  return {
    ...{ ids, authors, kinds, everything, tags },
    named: (by) => own[by] ?? ofTag(by),
    keys: () => [ids, authors, kinds, everything, ...tags.values()].reduce((sum, shelf) => sum + shelf.size(), 0),
  }
}
