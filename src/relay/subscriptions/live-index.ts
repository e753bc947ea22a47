// Finds the subscriptions that match a new event. Each filter is indexed under its most selective condition, and an event looks up only its own
// values, so other subscriptions cost nothing. Filters whose time range no current event can match are kept apart.

import type { NostrEvent } from '../../nostr/event/index.js'
import { type Filter, fits, prepareFilter, type TagCondition } from '../../nostr/filter/index.js'
import { ChurnMap } from '../collections/churn-map.js'
import {
  createFilterIndexes,
  FilterBucket,
  type FilterIndexes,
  type IndexedFilter,
  type IndexedSubscription,
  type Key,
} from './filter-index.js'

export interface LiveIndex<S> {
  /** Adds or replaces a subscription. */
  add(subscription: S, filters: readonly Filter[]): void
  /** Unknown subscriptions are ignored. */
  remove(subscription: S): void
  /** Calls `hit` once for each matching subscription. `hit` may remove subscriptions, but neither add nor match. */
  match(event: NostrEvent, hit: (subscription: S) => void): void
  /** Called about once a second with the time in epoch seconds. Until the first call every filter counts as current. */
  tick(now: number): void
  /** Numbers of subscriptions, and of index keys in use. */
  sizes(): { readonly subscriptions: number; readonly keys: number }
}

/** More new filters are indexed at once instead of by the next event. */
const MOST_ARRIVED = 32
const NONE: readonly never[] = []

/** `rejectFutureSeconds`: how far in the future events are accepted. */
export function createLiveIndex<S>(rejectFutureSeconds = 0): LiveIndex<S> {
  const entries = new ChurnMap<S, IndexedSubscription<S>>()
  /** Filters for current events, and filters for events dated ahead. */
  const [present, future] = [createFilterIndexes<S>(), createFilterIndexes<S>()]
  const times = createTimeWindow(rejectFutureSeconds)
  /** New since the last event. Most queries close as soon as they are answered, and are then never indexed. */
  const added = new ChurnMap<S, IndexedSubscription<S>>()
  /** Subscriptions with filters that move to another index later. */
  const timed = new ChurnMap<S, IndexedSubscription<S>>()
  /** The time of the first such move. */
  let nextDue = Number.POSITIVE_INFINITY
  /** Number of the current event: a subscription matches it at most once. */
  let stamp = 0

  function indexedFor(entry: IndexedSubscription<S>, filter: Filter): IndexedFilter<S> {
    const { by, keys, rest } = chooseKeys(filter)
    return { entry, by, index: undefined, keys, rest: prepareFilter(rest) }
  }

  /** Moves each filter of a subscription to its current index. */
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
    place: IndexedFilter<S> | FilterBucket<S> | undefined,
    event: NostrEvent,
    hit: (subscription: S) => void,
  ): void {
    if (place === undefined) return
    if (place instanceof FilterBucket) {
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

/** False for an empty time range, which would be checked against every event in vain. */
const canMatch = ({ since = 0, until = since }: Filter): boolean => since <= until

// Chooses the index keys of a filter: its most selective condition.

/** The keys of a filter in the index, and the conditions that remain to be checked. */
interface KeyChoice {
  /** A single letter stands for the tag of that name. */
  readonly by: 'ids' | 'authors' | 'kinds' | 'everything' | string
  readonly keys: readonly Key[]
  readonly rest: Filter
}

/** True for tags that name one event or one key, and not a topic that many share. */
const isNarrow = ({ letter }: TagCondition): boolean => letter === 'e' || letter === 'p'

/** Order of preference: ids, narrow tags, authors, other tags, kinds. */
function chooseKeys(filter: Filter): KeyChoice {
  if (filter.ids) return byIds(filter.ids, filter)
  const narrow = filter.tags.find(isNarrow)
  if (narrow) return byTag(narrow, filter)
  if (filter.authors) return byAuthors(filter.authors, filter)
  const [tag] = filter.tags
  if (tag) return byTag(tag, filter)
  if (filter.kinds) return byKinds(filter.kinds, filter)
  return { by: 'everything', keys: [''], rest: filter }
}

const byIds = (keys: readonly string[], { ids: _, ...rest }: Filter): KeyChoice => ({ by: 'ids', keys, rest })
const byAuthors = (keys: readonly string[], { authors: _, ...rest }: Filter): KeyChoice => ({
  by: 'authors',
  keys,
  rest,
})
const byKinds = (keys: readonly number[], { kinds: _, ...rest }: Filter): KeyChoice => ({ by: 'kinds', keys, rest })
const byTag = (tag: TagCondition, filter: Filter): KeyChoice => ({
  by: tag.letter,
  keys: tag.values,
  rest: { ...filter, tags: filter.tags.filter((other) => other !== tag) },
})

// Decides by time range alone which events a filter can still match. The answer changes with time; `due` says when.

interface Range {
  /** Epoch seconds, both ends included. */
  readonly since: number
  readonly until: number
}

/** `present`: a current event may match. `future`: only an event dated ahead. `never`: no event that the relay accepts now. */
type When = 'present' | 'future' | 'never'

interface TimeWindow {
  /** `due`: epoch seconds at which the answer changes. */
  of(range: Range): { readonly when: When; readonly due: number }
  /** True when `until` is in the past. Backdated events are not waited for. */
  isOver(range: Range): boolean
  /** True when the event may match `future` filters. */
  isAhead(createdAt: number): boolean
  tick(now: number): void
}

/** Tolerance for fast clocks of clients, and for late ticks. */
const AHEAD = 2
const SLACK = 60
const NO_MORE = Number.POSITIVE_INFINITY

/** Until the first tick every range is `present`. */
function createTimeWindow(rejectFutureSeconds: number): TimeWindow {
  let now = Number.NEGATIVE_INFINITY
  let presentUntil = Number.POSITIVE_INFINITY
  let futureUntil = Number.POSITIVE_INFINITY
  const isOver = ({ until }: Range): boolean => until < now

  return {
    of(range) {
      const { since } = range
      if (isOver(range)) return { when: 'never', due: NO_MORE }
      if (since <= presentUntil) return { when: 'present', due: NO_MORE }
      if (since <= futureUntil) return { when: 'future', due: since - AHEAD }
      return { when: 'never', due: since - rejectFutureSeconds - SLACK }
    },
    isOver,
    isAhead: (createdAt) => createdAt > presentUntil,
    tick(time) {
      now = time
      presentUntil = time + AHEAD
      futureUntil = time + rejectFutureSeconds + SLACK
    },
  }
}
