// Filters under keys. Most keys have one filter only, so it lies there itself; several lie in a crowd.
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

export class Crowd<S> {
  readonly filters = new Set<Filed<S>>()
  /** The last event that it was read for: an event may carry one tag thousands of times. */
  stamp = 0
}

export interface Shelf<S> {
  readonly at: (key: Key) => Filed<S> | Crowd<S> | undefined
  put(filed: Filed<S>): void
  take(filed: Filed<S>): void
  /** Keys in use. */
  size(): number
}

function createShelf<S>(): Shelf<S> {
  const places = new Map<Key, Filed<S> | Crowd<S>>()

  function putUnder(key: Key, filed: Filed<S>): void {
    const there = places.get(key)
    if (there === undefined) places.set(key, filed)
    else if (there instanceof Crowd) there.filters.add(filed)
    else places.set(key, crowdOf(there, filed))
  }

  function takeFrom(key: Key, filed: Filed<S>): void {
    const there = places.get(key)
    if (there === filed) places.delete(key)
    if (there instanceof Crowd && there.filters.delete(filed) && there.filters.size === 0) places.delete(key)
  }

  return {
    at: (key) => places.get(key),
    put: (filed) => {
      for (const key of filed.keys) putUnder(key, filed)
    },
    take: (filed) => {
      for (const key of filed.keys) takeFrom(key, filed)
    },
    size: () => places.size,
  }
}

function crowdOf<S>(one: Filed<S>, other: Filed<S>): Crowd<S> {
  const crowd = new Crowd<S>()
  crowd.filters.add(one).add(other)
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
