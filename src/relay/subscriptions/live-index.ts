// Which subscriptions want a new event. Every filter is filed under the most selective thing it asks for, and an event looks only under
// what it is itself: subscriptions that ask for something else cost nothing. Filters whose range of time no event can be in yet lie apart.
import type { NostrEvent } from '../../nostr/event/index.js'
import { type Filter, fits, prepareFilter } from '../../nostr/filter/index.js'
import { ChurnMap } from '../collections/churn-map.js'
import {
  Bucket,
  createFilterIndexes,
  type FilterIndexes,
  type IndexedFilter,
  type IndexedSubscription,
} from './filter-index.js'
import { chooseKeys } from './index-key.js'
import { createTimeWindow } from './time-window.js'

export interface LiveIndex<S> {
  /** A subscription that is there already is replaced. */
  add(subscription: S, filters: readonly Filter[]): void
  /** Unknown ones are no mistake. */
  remove(subscription: S): void
  /** Names each subscription that wants the event, once. `hit` may remove subscriptions, but neither add nor match. */
  match(event: NostrEvent, hit: (subscription: S) => void): void
  /** To be called about once a second, with the time in epoch seconds. Without it all filters lie where any event looks. */
  tick(now: number): void
  /** What is held: subscriptions, and the keys under which those lie that an event has seen. */
  sizes(): { readonly subscriptions: number; readonly keys: number }
}

/** More are not left to the next event: it is in a hurry. */
const MOST_ARRIVED = 32
const NONE: readonly never[] = []

/** `rejectFutureSeconds`: how far ahead of the clock an event may be. */
export function createLiveIndex<S>(rejectFutureSeconds = 0): LiveIndex<S> {
  const entries = new ChurnMap<S, IndexedSubscription<S>>()
  /** What any event may match, and what only events from the future may. */
  const [present, future] = [createFilterIndexes<S>(), createFilterIndexes<S>()]
  const times = createTimeWindow(rejectFutureSeconds)
  /** Came since the last event. Most queries are closed as soon as they are answered: those are never filed. */
  const added = new ChurnMap<S, IndexedSubscription<S>>()
  /** With filters that lie somewhere else later. */
  const timed = new ChurnMap<S, IndexedSubscription<S>>()
  /** When the first of them does. */
  let nextDue = Number.POSITIVE_INFINITY
  /** Counts events, so that a subscription that was named already is known by its stamp. */
  let stamp = 0

  function indexedFor(entry: IndexedSubscription<S>, filter: Filter): IndexedFilter<S> {
    const { by, keys, rest } = chooseKeys(filter)
    return { entry, by, index: undefined, keys, rest: prepareFilter(rest) }
  }

  /** Puts every filter of an entry where it belongs now. */
  function place(entry: IndexedSubscription<S>): void {
    entry.due = Number.POSITIVE_INFINITY
    for (const indexed of entry.indexed) {
      const { when, due } = times.of(indexed.rest)
      entry.due = Math.min(entry.due, due)
      const indexes = when === 'present' ? present : when === 'future' ? future : undefined
      put(indexed, indexes)
    }
    if (entry.due === Number.POSITIVE_INFINITY) return void timed.delete(entry.subscription)
    timed.set(entry.subscription, entry)
    nextDue = Math.min(nextDue, entry.due)
  }

  function put(indexed: IndexedFilter<S>, indexes: FilterIndexes<S> | undefined): void {
    const index = indexes?.forKey(indexed.by)
    if (indexed.index === index) return
    indexed.index?.take(indexed, indexed.keys)
    indexed.index = index
    index?.put(indexed, indexed.keys)
  }

  function indexAdded(): void {
    for (const entry of added.values()) {
      entry.indexed = entry.pendingFilters.map((filter) => indexedFor(entry, filter))
      entry.pendingFilters = NONE
      place(entry)
    }
    added.clear()
  }

  function remove(subscription: S): void {
    const entry = entries.get(subscription)
    if (!entry) return
    entries.delete(subscription)
    added.delete(subscription)
    timed.delete(subscription)
    for (const indexed of entry.indexed) indexed.index?.take(indexed, indexed.keys)
  }

  function offer(indexed: IndexedFilter<S>, event: NostrEvent, hit: (subscription: S) => void): void {
    const { entry } = indexed
    if (entry.stamp === stamp) return
    if (!fits(indexed.rest, event)) {
      if (times.isOver(indexed.rest)) put(indexed, undefined)
      return
    }
    entry.stamp = stamp
    hit(entry.subscription)
  }

  function visit(
    place: IndexedFilter<S> | Bucket<S> | undefined,
    event: NostrEvent,
    hit: (subscription: S) => void,
  ): void {
    if (place === undefined) return
    if (place instanceof Bucket) {
      if (place.stamp === stamp) return
      place.stamp = stamp
      for (const indexed of place.filters) offer(indexed, event, hit)
      visit(place.authors?.at(event.pubkey), event, hit)
      visit(place.kinds?.at(event.kind), event, hit)
    } else offer(place, event, hit)
  }

  function matchIn(
    { ids, authors, kinds, everything, tags }: FilterIndexes<S>,
    event: NostrEvent,
    hit: (subscription: S) => void,
  ): void {
    visit(ids.at(event.id), event, hit)
    visit(authors.at(event.pubkey), event, hit)
    visit(kinds.at(event.kind), event, hit)
    visit(everything.at(''), event, hit)
    for (const tag of event.tags) {
      const value = tag[1]
      if (value !== undefined) visit(tags.get(tag[0] ?? '')?.at(value), event, hit)
    }
  }

  return {
    add(subscription, filters) {
      remove(subscription)
      const pendingFilters = filters.filter(canMatch)
      const entry: IndexedSubscription<S> = {
        subscription,
        pendingFilters,
        indexed: NONE,
        due: Number.POSITIVE_INFINITY,
        stamp: 0,
      }
      entries.set(subscription, entry)
      added.set(subscription, entry)
      if (added.size > MOST_ARRIVED) indexAdded()
    },
    remove,
    match(event, hit) {
      indexAdded()
      stamp += 1
      matchIn(present, event, hit)
      if (timed.size > 0 && times.isAhead(event.created_at)) matchIn(future, event, hit)
    },
    tick(now) {
      times.tick(now)
      if (now < nextDue) return
      nextDue = Number.POSITIVE_INFINITY
      for (const entry of [...timed.values()])
        if (entry.due <= now) place(entry)
        else nextDue = Math.min(nextDue, entry.due)
    },
    sizes: () => ({ subscriptions: entries.size, keys: present.keys() + future.keys() }),
  }
}

/** An empty range of time asks for nothing, and would be looked at for every event. */
const canMatch = ({ since = 0, until = since }: Filter): boolean => since <= until
