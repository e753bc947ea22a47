// The position of one filter's answer: every batch begins at a place and ends at a lower one. No other state survives between batches, so events
// may be added, deleted and indexed meanwhile: no remaining event is skipped or repeated.

import { idAt } from '../../../nostr/event/index.js'
import type { Filter } from '../../../nostr/filter/index.js'
import type { Waiting } from '../../../relay/index.js'
import { type IndexKeys, prefixOf } from '../index/index-keys.js'
import type { Handover, Readers } from '../readers/readers.js'
import type { EventStage, Staged } from '../staging/stage.js'
import { type StagedMatches, stagedMatches } from '../staging/staged-matches.js'
import type { Disk, Range } from './disk.js'
import { type QueryPlan, searchesOf, type TextCheck, wholeCheckFor } from './plan.js'
import { eachText, placeAt } from './text-rows.js'

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

// Matches as places and numbers without texts; the input of merges over several filters or many values.

/** A possible match; a staged one is certain. */
export interface LocatedEvent {
  readonly place: number
  readonly seq: number
  readonly staged: Staged | undefined
}

/** Newest first; at one place the higher number first. */
export interface LocatedRows {
  /** The next row; undefined also before rows are read. */
  readonly head: LocatedEvent | undefined
  /** True at the end. */
  readonly isDone: boolean
  /** True when reader threads search these rows. */
  readonly mayWait: boolean
  shift(): void
  /**
   * Reads about `count` more rows with one statement, when there is no head. May find none. With `mayWait` a reader thread may do it: call again
   * when the returned wait is over.
   */
  read(count: number, mayWait: boolean): Waiting | undefined
  /** Bytes of rows that a reader has read and that were not taken yet. */
  heldBytes(): number
  /** Ends a wait. */
  drop(): void
}

/** The position of an event in an answer. */
type Position = Pick<LocatedEvent, 'place' | 'seq'>

export const byNumber = (a: Position, b: Position): number => b.place - a.place || b.seq - a.seq

const locateStaged = (staged: Staged): LocatedEvent => ({ place: staged.place, seq: staged.seq, staged })

/** A statement that a reader works on, and the staged matches of the moment when it was asked. */
interface Pending {
  readonly handover: Handover<ArrayLike<number>>
  readonly staged: StagedMatches
  readonly count: number
}

/** Matches in ranges of a table. `readers` search them where that is dear. */
export function locateRanges(cursor: Cursor, readers?: Readers): LocatedRows {
  const { disk } = cursor.sources
  let found: readonly LocatedEvent[] = []
  let at = 0
  let pending: Pending | undefined

  const rangeBelow = (count: number, { end }: StagedMatches): Range => cursor.range(count, end?.place ?? NOTHING_LEFT)

  function ask(count: number): Pending | undefined {
    const staged = cursor.staged(count)
    const handover = readers?.places({ range: rangeBelow(count, staged), cut: cursor.cut })
    return handover && { handover, staged, count }
  }

  function drop(): void {
    pending?.handover.drop()
    pending = undefined
  }

  /** What a reader found. Undefined: nothing was asked, or no reader could answer. */
  function answered(): readonly LocatedEvent[] | undefined {
    if (!pending) return undefined
    const { handover, staged, count } = pending
    const numbers = handover.take()
    drop()
    return numbers && batchOf(cursor, count, staged, numbers)
  }

  function readHere(count: number): readonly LocatedEvent[] {
    const staged = cursor.staged(count)
    return batchOf(cursor, count, staged, disk.locate(rangeBelow(count, staged), cursor.cut))
  }

  return {
    get head() {
      return found[at]
    },
    get isDone() {
      return at >= found.length && cursor.isDone
    },
    shift: () => void at++,
    mayWait: readers !== undefined,
    heldBytes: () => pending?.handover.heldBytes ?? 0,
    drop,
    read(count, mayWait) {
      if (mayWait) pending ??= ask(count)
      if (mayWait && pending && !pending.handover.isOver) return pending.handover
      found = answered() ?? readHere(count)
      at = 0
      return undefined
    },
  }
}

/** Joins staged matches and rows of the tables, and moves the cursor behind them. */
function batchOf(
  cursor: Cursor,
  count: number,
  staged: StagedMatches,
  numbers: ArrayLike<number>,
): readonly LocatedEvent[] {
  const reached = staged.end && locateStaged(staged.end)
  const all: LocatedEvent[] = []
  for (let i = 0; i < numbers.length; i += 2)
    all.push({ place: numbers[i] ?? 0, seq: numbers[i + 1] ?? 0, staged: undefined })
  const last = all.length < count ? undefined : all.at(-1)
  for (const one of staged.found) all.push(locateStaged(one))
  all.sort(byNumber)
  const end = firstOf(last, reached)
  if (end === undefined) cursor.moveBelow(NOTHING_LEFT)
  else cursor.moveTo(end.place, end.seq)
  // Rows beyond the end are found again by the next batch.
  return end === undefined ? all : all.filter((one) => byNumber(one, end) <= 0)
}

function firstOf(a: Position | undefined, b: Position | undefined): Position | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return byNumber(a, b) < 0 ? a : b
}

/** Ids per statement. */
const IDS_AT_ONCE = 128

/** Matches of many ids. Places are known only from texts, so all ids are looked up first. */
export function locateIds(cursor: Cursor, ids: readonly string[]): LocatedRows {
  const found: LocatedEvent[] = []
  let asked = 0
  let at = 0
  return {
    get head() {
      return asked < ids.length ? undefined : found[at]
    },
    get isDone() {
      return asked >= ids.length && at >= found.length
    },
    shift: () => void at++,
    mayWait: false,
    heldBytes: () => 0,
    drop() {},
    read() {
      found.push(...lookUp(cursor, ids.slice(asked, asked + IDS_AT_ONCE)))
      asked += IDS_AT_ONCE
      if (asked >= ids.length) found.sort(byNumber)
      return undefined
    },
  }
}

function lookUp(cursor: Cursor, ids: readonly string[]): readonly LocatedEvent[] {
  const { disk, indexed, now } = cursor.sources
  const found = cursor.staged(ids.length, ids).found.map(locateStaged)
  const wanted = new Set(ids)
  const heads = disk.headsById(ids.map(prefixOf), indexed(), now())
  if (heads === undefined) return found
  eachText(heads, (start) => {
    const text = heads.indexOf(BLANK, start) + 1
    if (!wanted.has(idAt(heads, text))) return
    const place = placeAt(heads, text)
    if (!cursor.reaches(place)) return
    found.push({ place, seq: Number(heads.toString('latin1', start, text)), staged: undefined })
  })
  return found
}

const BLANK = 32
