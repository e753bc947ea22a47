// Counts matching events (NIP-45) without reading texts: an index row costs a fortieth of an event. The 48 bits of the index are trusted, because a
// client that forges collisions could as well publish events. Rows of deleted and expired events are subtracted.

import { createdAt, idAt } from '../../../nostr/event/index.js'
import type { Filter } from '../../../nostr/filter/index.js'
import type { Count, EventStore, FindOptions, SetEntry, SetListing, SlicedWork } from '../../../relay/index.js'
import type { IndexKeys } from '../index/index-keys.js'
import type { IndexRow } from '../index/index-tables.js'
import { Cursor, type Sources } from './cursor.js'
import type { Range } from './disk.js'
import { planFor, type QueryPlan, wholeCheckFor } from './plan.js'
import { eachText } from './text-rows.js'

/** Counts index rows where these are exact; otherwise finds the events, one page per step. */
export function createCount(sources: Sources, find: EventStore['find']) {
  return (filters: readonly Filter[], max: number, { visible }: FindOptions = {}): SlicedWork<Count> => {
    const [only] = filters
    if (only !== undefined && filters.length === 1 && !only.search && !visible) {
      const filter = withoutLimit(only)
      const plan = planFor(filter)
      const rows = plan && countRows(sources, filter, plan, max)
      if (rows) return orElse(rows, () => countFound(find, filters, max, {}))
    }
    return countFound(find, filters, max, visible ? { visible } : {})
  }
}

/** `again` where the rows became inexact while they were counted. */
function orElse(rows: SlicedWork<Count | typeof INEXACT>, again: () => SlicedWork<Count>): SlicedWork<Count> {
  let other: SlicedWork<Count> | undefined
  return {
    step() {
      if (other) return other.step()
      const result = rows.step()
      if (result !== INEXACT) return result
      other = again()
      return undefined
    },
  }
}

function countFound(
  find: EventStore['find'],
  filters: readonly Filter[],
  max: number,
  options: FindOptions,
): SlicedWork<Count> {
  const query = find(filters.map(withoutLimit), options)
  let count = 0
  return {
    step() {
      const page = query.next()
      if (page === undefined) return { count, limited: false }
      count += page.ends.length
      return count > max ? { count: max, limited: true } : undefined
    },
  }
}

/** Rows per step, well below a millisecond. */
const ROWS = 10_000
/** Rows of deleted events per step. */
const GONE = 1024
/** Ranges per step. */
const RANGES = 64
/** Beyond these limits expired events are counted by finding, because their texts are read and may have 128 kB each. */
const MAX_EXPIRED = 1024
const MAX_EXPIRED_BYTES = 2 ** 21
/** Authors and kinds are counted pair by pair; beyond this many pairs, by finding. */
const MAX_PAIRS = 2048

/** Rows of deleted events were counted and then erased, so that it is not known how many to subtract. */
const INEXACT = 'inexact'

/** Undefined when the rows are not exact. */
function countRows(
  sources: Sources,
  filter: Filter,
  plan: QueryPlan,
  max: number,
): SlicedWork<Count | typeof INEXACT> | undefined {
  if (!plan.exact || plan.by === 'id' || (plan.by === 'tag' && plan.first.length > 1)) return undefined
  if (plan.first.length * (plan.kinds?.length ?? 1) > MAX_PAIRS) return undefined
  const cursor = new Cursor(sources, filter, plan)
  const whole = cursor.range(ROWS, plan.oldest)
  if (whole.plan.by !== plan.by) return undefined
  const expired = expiredMatches(sources, filter, whole.indexed)
  if (expired === undefined) return undefined
  const counter = createCounter(sources, rangesOf(whole))
  const staged = countStaged(sources, filter, whole)
  let rows = staged
  let tombstones: readonly IndexRow[] | undefined
  let goneAt = 0
  /** At the end of the first step: what was erased by then, and whether rows to erase may have been counted. */
  let before: { readonly erasures: number | undefined; readonly matters: boolean } | undefined

  function notDone(): undefined {
    const matters = (): boolean => (tombstones ?? goneRows(sources.tombstones, whole)).length > 0
    before ??= { erasures: sources.erasures?.(), matters: matters() }
    return undefined
  }

  return {
    step() {
      if (before?.matters && before.erasures !== sources.erasures?.()) return INEXACT
      if (!counter.isDone) rows = counter.step() + staged
      if (rows - expired.matches - (tombstones?.length ?? sources.tombstones.size) > max)
        return { count: max, limited: true }
      if (!counter.isDone) return notDone()
      tombstones ??= goneRows(sources.tombstones, whole)
      rows -= sources.disk.countRows(plan.by, tombstones.slice(goneAt, goneAt + GONE))
      goneAt += GONE
      if (goneAt < tombstones.length) return notDone()
      // Events that had expired at the start may be deleted by now: subtract each once.
      const stillThere = expiredMatches(sources, filter, whole.indexed, expired.staged) ?? expired
      const count = rows - stillThere.matches
      return count > max ? { count: max, limited: true } : { count, limited: false }
    },
  }
}

/** Counts staged events by their keys, which are as exact as rows, without reading texts. */
function countStaged({ stage, now }: Sources, filter: Filter, { plan, newest, oldest, indexed }: Range): number {
  const kinds = filter.kinds && new Set(filter.kinds)
  const moment = now()
  let count = 0
  for (const { events, list } of stage.listsFor(plan, [])) {
    const { seq, place, expires, kind } = events.columns
    events.lists.each(list, (one) => {
      const at = place[one] as number
      if ((seq[one] as number) <= indexed || at < oldest || at > newest || (expires[one] as number) <= moment) return
      if (!kinds || kinds.has(kind[one] as number)) count++
    })
  }
  return count
}

/** Splits into ranges with one first value each, so that the rows of a range are ordered. */
function rangesOf(whole: Range): readonly Range[] {
  const { plan, kinds } = whole
  const firsts = plan.first.length > 0 ? plan.first.map((first) => [first]) : [[]]
  const kindLists = kinds === undefined ? [undefined] : kinds.map((kind) => [kind])
  return firsts.flatMap((first) => kindLists.map((kind) => ({ ...whole, plan: { ...plan, first }, kinds: kind })))
}

function createCounter({ disk }: Sources, ranges: readonly Range[]) {
  let at = 0
  let rows = 0
  let newest: number | undefined
  let cut = Number.MAX_SAFE_INTEGER

  /** Counts the next rows of the current range. */
  function countSome(range: Range): number {
    const rest = { ...range, newest: newest ?? range.newest, count: ROWS + 1 }
    const count = disk.count(rest, cut)
    const after = count > ROWS ? disk.after({ ...rest, count: ROWS }, cut) : undefined
    if (after === undefined) {
      at++
      newest = undefined
      cut = Number.MAX_SAFE_INTEGER
      return count
    }
    newest = after[0]
    cut = after[1] + 1
    return ROWS
  }

  return {
    get isDone() {
      return at >= ranges.length
    },
    /** Returns all rows counted so far. */
    step(): number {
      let done = 0
      for (let turn = 0; turn < RANGES && done < ROWS; turn++) {
        const range = ranges[at]
        if (range === undefined) break
        done += countSome(range)
      }
      rows += done
      return rows
    },
  }
}

/** Rows of deleted events in the plan's table. Some may be erased already. */
function goneRows(tombstones: ReadonlyMap<number, IndexKeys>, whole: Range): readonly IndexRow[] {
  const { by, first } = whole.plan
  const rows: IndexRow[] = []
  const isIn = rangeCheck(whole)
  for (const [seq, keys] of tombstones) {
    if (seq > whole.indexed || !isIn(keys)) continue
    const { author, kind, place } = keys
    if (by === 'time') rows.push([place, seq])
    else if (by === 'kind') rows.push([kind, place, seq])
    else rows.push([by === 'author' ? author : (first[0] ?? 0), kind, place, seq])
  }
  return rows
}

/** Called for tens of thousands of events with thousands of kinds or authors. */
function rangeCheck({ plan: { by, first }, kinds, newest, oldest }: Range): (keys: IndexKeys) => boolean {
  const [firstOnes, some] = [new Set(first), kinds && new Set(kinds)]
  return ({ author, tags, kind, place }) => {
    if (place > newest || place < oldest || some?.has(kind) === false) return false
    if (by === 'author') return firstOnes.has(author)
    return by !== 'tag' || tags.some((hash) => firstOnes.has(hash))
  }
}

interface Expired {
  /** Indexed events that match and have expired. */
  readonly matches: number
  /** Ids of staged expired events. Their rows are never counted, even if they are indexed meanwhile. */
  readonly staged: ReadonlySet<string>
}

/** Undefined when there are too many to read. */
function expiredMatches(
  { disk, now, stage }: Sources,
  filter: Filter,
  indexed: number,
  known: ReadonlySet<string> = new Set(),
): Expired | undefined {
  const texts = disk.expired(MAX_EXPIRED, MAX_EXPIRED_BYTES, now())
  if (texts === undefined) return undefined
  const notIndexed = new Set(known)
  if (texts.length === 0) return { matches: 0, staged: notIndexed }
  const check = wholeCheckFor(filter)
  let matches = 0
  eachText(texts, (start, end) => {
    const id = idAt(texts, start)
    const seq = stage.get(id)?.seq ?? 0
    if (seq > indexed) notIndexed.add(id)
    if (!notIndexed.has(id) && check(texts, start, end)) matches++
  })
  return { matches, staged: notIndexed }
}

// Lists time and id of every match, for reconciliation (NIP-77).

/** By time, then by id; one page per step. A limit keeps the newest, as in every query. */
export function createListSet(find: EventStore['find']) {
  return (filters: readonly Filter[], max: number, options: FindOptions = {}): SetListing => {
    const query = find(filters, options)
    const entries: SetEntry[] = []
    return {
      get listed() {
        return entries.length
      },
      step() {
        const page = query.next()
        if (page === undefined) return oldestFirst(entries)
        let start = 0
        for (const end of page.ends) {
          entries.push({ created_at: createdAt(page.bytes, start), id: idAt(page.bytes, start) })
          start = end + 1
        }
        return entries.length > max ? 'too many' : undefined
      },
    }
  }
}

export const withoutLimit = (filter: Filter): Filter => {
  if (filter.limit === undefined) return filter
  const { limit: _, ...others } = filter
  return others
}

/** Reverses a newest-first list in place, except the ids within one second, which ascend both ways. Faster than sorting. */
function oldestFirst(entries: SetEntry[]): readonly SetEntry[] {
  entries.reverse()
  for (let from = 0, to = 1; from < entries.length; from = to++) {
    while (entries[to]?.created_at === entries[from]?.created_at) to++
    turnRound(entries, from, to)
  }
  return entries
}

function turnRound(entries: SetEntry[], from: number, to: number): void {
  for (let low = from, high = to - 1; low < high; low++, high--) {
    const [first, last] = [entries[low], entries[high]]
    if (first && last) [entries[low], entries[high]] = [last, first]
  }
}
