// Matches as places and numbers without texts; the input of merges over several filters or many values.
import { idAt } from '../../../nostr/event/index.js'
import type { Waiting } from '../../../relay/index.js'
import { prefixOf } from '../index/key-numbers.js'
import type { Handover } from '../readers/handover.js'
import type { Readers } from '../readers/readers.js'
import type { Staged } from '../staging/staged-event.js'
import type { StagedMatches } from '../staging/staged-matches.js'
import { type Cursor, NOTHING_LEFT } from './cursor.js'
import type { Range } from './disk.js'
import { eachText, placeAt } from './text-rows.js'

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
