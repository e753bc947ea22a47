// Which subscriptions want a new event. Every filter is filed under the most selective thing it asks for, and an event looks only under
// what it is itself: subscriptions that ask for something else cost nothing.
import type { NostrEvent } from '../../nostr/event/index.js'
import { type Filter, fits, prepareFilter } from '../../nostr/filter/index.js'
import { PassingMap } from '../passing-map.js'
import { choose } from './choose.js'
import { Crowd, createShelf, type Entry, type Filed, type Shelf } from './shelf.js'

export interface LiveIndex<S> {
  /** A subscription that is there already is replaced. */
  add(subscription: S, filters: readonly Filter[]): void
  /** Unknown ones are no mistake. */
  remove(subscription: S): void
  /** Names each subscription that wants the event, once. `hit` may remove subscriptions, but neither add nor match. */
  match(event: NostrEvent, hit: (subscription: S) => void): void
  /** What is held: subscriptions, and the keys under which those lie that an event has seen. */
  sizes(): { readonly subscriptions: number; readonly keys: number }
}

/** More are not left to the next event: it is in a hurry. */
const MOST_ARRIVED = 32
const NONE: readonly never[] = []

export function createLiveIndex<S>(): LiveIndex<S> {
  const entries = new PassingMap<S, Entry<S>>()
  const ids = createShelf<S>()
  const authors = createShelf<S>()
  const kinds = createShelf<S>()
  const everything = createShelf<S>()
  /** By letter; a letter's shelf stays when it is empty. */
  const tags = new Map<string, Shelf<S>>()
  /** Came since the last event. Most queries are closed as soon as they are answered: those are never filed. */
  const arrived = new PassingMap<S, Entry<S>>()
  /** Counts events, so that a subscription that was named already is known by its stamp. */
  let stamp = 0

  function shelfFor(by: string): Shelf<S> {
    if (by === 'ids') return ids
    if (by === 'authors') return authors
    if (by === 'kinds') return kinds
    if (by === 'everything') return everything
    const shelf = tags.get(by) ?? createShelf<S>()
    tags.set(by, shelf)
    return shelf
  }

  function file(entry: Entry<S>, filter: Filter): Filed<S> {
    const { by, keys, rest } = choose(filter)
    const filed = { entry, shelf: shelfFor(by), keys, rest: prepareFilter(rest) }
    filed.shelf.put(filed)
    return filed
  }

  function fileArrived(): void {
    for (const entry of arrived.values()) {
      entry.filed = entry.unfiled.map((filter) => file(entry, filter))
      entry.unfiled = NONE
    }
    arrived.clear()
  }

  function remove(subscription: S): void {
    const entry = entries.get(subscription)
    if (!entry) return
    entries.delete(subscription)
    arrived.delete(subscription)
    for (const filed of entry.filed) filed.shelf.take(filed)
  }

  function offer(filed: Filed<S>, event: NostrEvent, hit: (subscription: S) => void): void {
    const { entry } = filed
    if (entry.stamp === stamp || !fits(filed.rest, event)) return
    entry.stamp = stamp
    hit(entry.subscription)
  }

  function visit(place: Filed<S> | Crowd<S> | undefined, event: NostrEvent, hit: (subscription: S) => void): void {
    if (place === undefined) return
    if (place instanceof Crowd) {
      if (place.stamp === stamp) return
      place.stamp = stamp
      for (const filed of place.filters) offer(filed, event, hit)
    } else offer(place, event, hit)
  }

  return {
    add(subscription, filters) {
      remove(subscription)
      const entry: Entry<S> = { subscription, unfiled: filters.filter(canMatch), filed: NONE, stamp: 0 }
      entries.set(subscription, entry)
      arrived.set(subscription, entry)
      if (arrived.size > MOST_ARRIVED) fileArrived()
    },
    remove,
    match(event, hit) {
      fileArrived()
      stamp += 1
      visit(ids.at(event.id), event, hit)
      visit(authors.at(event.pubkey), event, hit)
      visit(kinds.at(event.kind), event, hit)
      visit(everything.at(''), event, hit)
      for (const tag of event.tags) {
        const value = tag[1]
        if (value !== undefined) visit(tags.get(tag[0] ?? '')?.at(value), event, hit)
      }
    },
    sizes: () => ({
      subscriptions: entries.size,
      keys: [ids, authors, kinds, everything, ...tags.values()].reduce((sum, shelf) => sum + shelf.size(), 0),
    }),
  }
}

/** An empty range of time asks for nothing, and would be looked at for every event. */
const canMatch = ({ since = 0, until = since }: Filter): boolean => since <= until
