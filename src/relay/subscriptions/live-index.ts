// Which subscriptions want a new event. Every filter is filed under the most selective thing it asks for, and an event looks only under
// what it is itself: subscriptions that ask for something else cost nothing. Filters whose range of time no event can be in yet lie apart.
import type { NostrEvent } from '../../nostr/event/index.js'
import { type Filter, fits, prepareFilter } from '../../nostr/filter/index.js'
import { PassingMap } from '../collections/churn-map.js'
import { Crowd, createShelves, type Entry, type Filed, type Shelves } from './filter-index.js'
import { choose } from './index-key.js'
import { createTimes } from './time-window.js'

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
  const entries = new PassingMap<S, Entry<S>>()
  /** What any event may match, and what only events from the future may. */
  const [present, future] = [createShelves<S>(), createShelves<S>()]
  const times = createTimes(rejectFutureSeconds)
  /** Came since the last event. Most queries are closed as soon as they are answered: those are never filed. */
  const arrived = new PassingMap<S, Entry<S>>()
  /** With filters that lie somewhere else later. */
  const early = new PassingMap<S, Entry<S>>()
  /** When the first of them does. */
  let nextDue = Number.POSITIVE_INFINITY
  /** Counts events, so that a subscription that was named already is known by its stamp. */
  let stamp = 0

  function filedFor(entry: Entry<S>, filter: Filter): Filed<S> {
    const { by, keys, rest } = choose(filter)
    return { entry, by, shelf: undefined, keys, rest: prepareFilter(rest) }
  }

  /** Puts every filter of an entry where it belongs now. */
  function place(entry: Entry<S>): void {
    entry.due = Number.POSITIVE_INFINITY
    for (const filed of entry.filed) {
      const { when, due } = times.of(filed.rest)
      entry.due = Math.min(entry.due, due)
      const shelves = when === 'present' ? present : when === 'future' ? future : undefined
      put(filed, shelves)
    }
    if (entry.due === Number.POSITIVE_INFINITY) return void early.delete(entry.subscription)
    early.set(entry.subscription, entry)
    nextDue = Math.min(nextDue, entry.due)
  }

  function put(filed: Filed<S>, shelves: Shelves<S> | undefined): void {
    const shelf = shelves?.named(filed.by)
    if (filed.shelf === shelf) return
    filed.shelf?.take(filed, filed.keys)
    filed.shelf = shelf
    shelf?.put(filed, filed.keys)
  }

  function fileArrived(): void {
    for (const entry of arrived.values()) {
      entry.filed = entry.unfiled.map((filter) => filedFor(entry, filter))
      entry.unfiled = NONE
      place(entry)
    }
    arrived.clear()
  }

  function remove(subscription: S): void {
    const entry = entries.get(subscription)
    if (!entry) return
    entries.delete(subscription)
    arrived.delete(subscription)
    early.delete(subscription)
    for (const filed of entry.filed) filed.shelf?.take(filed, filed.keys)
  }

  function offer(filed: Filed<S>, event: NostrEvent, hit: (subscription: S) => void): void {
    const { entry } = filed
    if (entry.stamp === stamp) return
    if (!fits(filed.rest, event)) {
      if (times.isOver(filed.rest)) put(filed, undefined)
      return
    }
    entry.stamp = stamp
    hit(entry.subscription)
  }

  function visit(place: Filed<S> | Crowd<S> | undefined, event: NostrEvent, hit: (subscription: S) => void): void {
    if (place === undefined) return
    if (place instanceof Crowd) {
      if (place.stamp === stamp) return
      place.stamp = stamp
      for (const filed of place.filters) offer(filed, event, hit)
      visit(place.authors?.at(event.pubkey), event, hit)
      visit(place.kinds?.at(event.kind), event, hit)
    } else offer(place, event, hit)
  }

  function lookIn(
    { ids, authors, kinds, everything, tags }: Shelves<S>,
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
      const unfiled = filters.filter(canMatch)
      const entry: Entry<S> = { subscription, unfiled, filed: NONE, due: Number.POSITIVE_INFINITY, stamp: 0 }
      entries.set(subscription, entry)
      arrived.set(subscription, entry)
      if (arrived.size > MOST_ARRIVED) fileArrived()
    },
    remove,
    match(event, hit) {
      fileArrived()
      stamp += 1
      lookIn(present, event, hit)
      if (early.size > 0 && times.isAhead(event.created_at)) lookIn(future, event, hit)
    },
    tick(now) {
      times.tick(now)
      if (now < nextDue) return
      nextDue = Number.POSITIVE_INFINITY
      for (const entry of [...early.values()])
        if (entry.due <= now) place(entry)
        else nextDue = Math.min(nextDue, entry.due)
    },
    sizes: () => ({ subscriptions: entries.size, keys: present.keys() + future.keys() }),
  }
}

/** An empty range of time asks for nothing, and would be looked at for every event. */
const canMatch = ({ since = 0, until = since }: Filter): boolean => since <= until
