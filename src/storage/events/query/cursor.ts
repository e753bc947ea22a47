// The position of one filter's answer: every batch begins at a place and ends at a lower one. No other state survives between batches, so events
// may be added, deleted and indexed meanwhile: no remaining event is skipped or repeated.
import type { Filter } from '../../../nostr/filter/index.js'
import type { IndexKeys } from '../index/index-keys.js'
import type { Readers } from '../readers/readers.js'
import type { EventStage } from '../staging/stage.js'
import { type StagedMatches, stagedMatches } from '../staging/staged-matches.js'
import type { Disk, Range } from './disk.js'
import { type QueryPlan, searchesOf } from './plan.js'
import { type TextCheck, wholeCheckFor } from './text-check.js'

/** The sources of events. */
export interface Sources {
  readonly disk: Disk
  readonly stage: EventStage
  /** Events up to this `seq` have all their rows in the tables; later ones are staged. */
  indexed(): number
  /** Deleted events whose rows may still be in the tables. */
  readonly tombstones: ReadonlyMap<number, IndexKeys>
  /** How often rows of deleted events were erased; absent: they never are. */
  readonly erasures?: () => number
  /** Epoch seconds. */
  now(): number
  /** Threads for dear statements; undefined: the main thread runs all. */
  readonly readers?: (() => Readers | undefined) | undefined
}

/** Limit of searches per statement, and of steps to list the kinds of a plan without kinds. */
const MAX_SEARCHES = 2048

export const NOTHING_LEFT = Number.NEGATIVE_INFINITY
/** Staged events per step: tens of thousands may exist without a match. */
const ROOM = 512
const NONE: StagedMatches = { found: [], end: undefined }
/** Above every `seq`. */
const NO_CUT = Number.MAX_SAFE_INTEGER

export class Cursor {
  readonly sources: Sources
  readonly #filter: Filter
  /** Built only if something is staged, because hundreds of authors take time. */
  #check: TextCheck | undefined = undefined
  readonly #ids: readonly string[]
  #plan: QueryPlan
  #kinds: readonly number[] | undefined
  #kindsAt = -1
  /** The highest remaining place; NOTHING_LEFT at the end. */
  top: number
  /** At place `top`, only numbers below this remain. */
  cut = NO_CUT

  constructor(sources: Sources, filter: Filter, plan: QueryPlan) {
    this.sources = sources
    this.#filter = filter
    this.#ids = filter.ids ?? []
    this.#plan = plan
    this.#kinds = plan.kinds
    this.top = plan.newest
  }

  get isDone(): boolean {
    return this.top < this.#plan.oldest
  }

  /** True when the place is within the remaining range. */
  reaches(place: number): boolean {
    return place <= this.top && place >= this.#plan.oldest
  }

  /** Marks everything from this place upwards as returned. */
  moveBelow(place: number): void {
    this.moveTo(place - 1, NO_CUT)
  }

  /** Marks everything above this place as returned, and at this place the numbers from `cut` upwards. */
  moveTo(place: number, cut: number): void {
    this.top = place
    this.cut = cut
  }

  /** The next staged matches, up to `count`; all of them for ids. */
  staged(count: number, ids = this.#ids): StagedMatches {
    const { stage, indexed, now } = this.sources
    if (stage.size === 0) return NONE
    const lists = stage.listsFor(this.#plan, ids)
    if (lists.length === 0) return NONE
    this.#check ??= wholeCheckFor(this.#filter)
    return stagedMatches(lists, {
      check: this.#check,
      kinds: this.#plan.kinds,
      newest: this.top,
      cut: this.cut,
      oldest: this.#plan.oldest,
      count,
      room: this.#plan.by === 'id' ? Number.POSITIVE_INFINITY : ROOM,
      now: now(),
      indexed: indexed(),
    })
  }

  /** The range of the next `count` rows, down to the place `oldest`. */
  range(count: number, oldest: number): Range {
    this.#listKinds()
    return {
      plan: this.#plan,
      kinds: this.#kinds,
      newest: this.top,
      oldest: Math.max(oldest, this.#plan.oldest),
      count,
      indexed: this.sources.indexed(),
    }
  }

  /** The tables by tag and author are ordered by kind first; indexing may add kinds. */
  #listKinds(): void {
    const { by, kinds } = this.#plan
    const indexed = this.sources.indexed()
    if ((by !== 'tag' && by !== 'author') || kinds !== undefined || this.#kindsAt === indexed) return
    const listed = this.sources.disk.kindsOf(this.#plan, MAX_SEARCHES)
    this.#kindsAt = indexed
    this.#kinds = listed
    if (listed !== undefined && listed.length * this.#plan.first.length <= MAX_SEARCHES) return
    // Otherwise the table by time is scanned, and texts decide.
    this.#plan = { ...this.#plan, by: 'time', first: [] }
    this.#kinds = undefined
  }
}

/** Splits a plan into parts within the limit of searches. */
export function split(plan: QueryPlan): readonly QueryPlan[] {
  const { by, first, kinds } = plan
  if (by === 'id' || searchesOf(plan) <= MAX_SEARCHES) return [plan]
  const each = Math.max(1, Math.floor(MAX_SEARCHES / (kinds?.length ?? 1)))
  const parts: QueryPlan[] = []
  for (let at = 0; at < first.length; at += each) parts.push({ ...plan, first: first.slice(at, at + each) })
  return parts
}
