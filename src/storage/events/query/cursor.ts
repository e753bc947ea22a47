// Where one filter's answer has come to: every batch begins at a place and ends at a lower one. Nothing else is kept between batches, so that
// events may come, go, and move from the stage into the tables meanwhile: none that was there all along is left out or comes twice.
import type { Filter } from '../../../nostr/filter/index.js'
import type { IndexKeys } from '../index/index-keys.js'
import type { EventStage } from '../staging/stage.js'
import { type StagedMatches, stagedMatches } from '../staging/staged-matches.js'
import type { Disk, Range } from './disk.js'
import type { QueryPlan } from './plan.js'
import { type TextCheck, wholeCheckFor } from './text-check.js'

/** Where events are read from. */
export interface Sources {
  readonly disk: Disk
  readonly stage: EventStage
  /** Events up to this number have all their rows in the tables; later ones are staged. */
  indexed(): number
  /** Events that are no more while their rows may still be in the tables. */
  readonly tombstones: ReadonlyMap<number, IndexKeys>
  /** Epoch seconds. */
  now(): number
}

/** Searches of the table that one statement may make, and steps to list the kinds of a plan that names none. */
const MAX_SEARCHES = 2048

export const NOTHING_LEFT = Number.NEGATIVE_INFINITY
/** Staged events that one step looks at: whoever wrote tens of thousands may ask for what is not among them. */
const ROOM = 512
const NONE: StagedMatches = { found: [], end: undefined }
/** Above all numbers of events. */
const NO_CUT = Number.MAX_SAFE_INTEGER

export class Cursor {
  readonly sources: Sources
  readonly #filter: Filter
  /** Made when the stage has something: hundreds of authors take their time. */
  #check: TextCheck | undefined = undefined
  readonly #ids: readonly string[]
  #plan: QueryPlan
  #kinds: readonly number[] | undefined
  #kindsAt = -1
  /** The highest place that is still to come; NOTHING_LEFT at the end. */
  top: number
  /** Of the place `top` only numbers below this are still to come. */
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

  /** Whether the place is in the filter's time. */
  reaches(place: number): boolean {
    return place <= this.top && place >= this.#plan.oldest
  }

  /** Everything from this place upwards has come. */
  moveBelow(place: number): void {
    this.moveTo(place - 1, NO_CUT)
  }

  /** Everything above this place has come, and of this place the numbers from `cut` upwards. */
  moveTo(place: number, cut: number): void {
    this.top = place
    this.cut = cut
  }

  /** The next staged matches, up to `count` of them; of ids all. */
  staged(count: number, ids = this.#ids): StagedMatches {
    const { stage, indexed, now } = this.sources
    if (stage.size === 0) return NONE
    const lists = stage.listsFor(this.#plan, ids)
    if (lists.length === 0) return NONE
    this.#check ??= wholeCheckFor(this.#filter)
    return stagedMatches(lists, {
      check: this.#check,
      newest: this.top,
      cut: this.cut,
      oldest: this.#plan.oldest,
      count,
      room: this.#plan.by === 'id' ? Number.POSITIVE_INFINITY : ROOM,
      now: now(),
      indexed: indexed(),
    })
  }

  /** The next `count` rows of the tables from the place `oldest` upwards. */
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

  /** The tables by tag and author are ordered by kinds first; new ones come when the stage moves. */
  #listKinds(): void {
    const { by, kinds } = this.#plan
    const indexed = this.sources.indexed()
    if ((by !== 'tag' && by !== 'author') || kinds !== undefined || this.#kindsAt === indexed) return
    const listed = this.sources.disk.kindsOf(this.#plan, MAX_SEARCHES)
    this.#kindsAt = indexed
    this.#kinds = listed
    if (listed !== undefined && listed.length * this.#plan.first.length <= MAX_SEARCHES) return
    // Then everything is looked through, and the texts tell what matches.
    this.#plan = { ...this.#plan, by: 'time', first: [] }
    this.#kinds = undefined
  }
}

/** Ranges of a table that the plan names; one for what it leaves open. */
export const searchesOf = ({ first, kinds }: QueryPlan): number => Math.max(first.length, 1) * (kinds?.length ?? 1)

/** The plan in parts that search the tables no more than so often at a time. */
export function split(plan: QueryPlan): readonly QueryPlan[] {
  const { by, first, kinds } = plan
  if (by === 'id' || searchesOf(plan) <= MAX_SEARCHES) return [plan]
  const each = Math.max(1, Math.floor(MAX_SEARCHES / (kinds?.length ?? 1)))
  const parts: QueryPlan[] = []
  for (let at = 0; at < first.length; at += each) parts.push({ ...plan, first: first.slice(at, at + each) })
  return parts
}
