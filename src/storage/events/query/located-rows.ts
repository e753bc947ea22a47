// Matches as places and numbers without texts; the input of merges over several filters or many values.
import { idAt } from '../../../nostr/event/index.js'
import { prefixOf } from '../index/key-numbers.js'
import type { Staged } from '../staging/staged-event.js'
import { type Cursor, NOTHING_LEFT } from './cursor.js'
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
  shift(): void
  /** Reads about `count` more rows with one statement, when there is no head. May find none. */
  read(count: number): void
}

/** The position of an event in an answer. */
type Position = Pick<LocatedEvent, 'place' | 'seq'>

export const byNumber = (a: Position, b: Position): number => b.place - a.place || b.seq - a.seq

const locateStaged = (staged: Staged): LocatedEvent => ({ place: staged.place, seq: staged.seq, staged })

/** Matches in ranges of a table. */
export function locateRanges(cursor: Cursor): LocatedRows {
  let found: readonly LocatedEvent[] = []
  let at = 0
  return {
    get head() {
      return found[at]
    },
    get isDone() {
      return at >= found.length && cursor.isDone
    },
    shift: () => void at++,
    read(count) {
      found = nextBatch(cursor, count)
      at = 0
    },
  }
}

function nextBatch(cursor: Cursor, count: number): readonly LocatedEvent[] {
  const staged = cursor.staged(count)
  const reached = staged.end && locateStaged(staged.end)
  const numbers = cursor.sources.disk.locate(cursor.range(count, reached?.place ?? NOTHING_LEFT), cursor.cut)
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
    read() {
      found.push(...lookUp(cursor, ids.slice(asked, asked + IDS_AT_ONCE)))
      asked += IDS_AT_ONCE
      if (asked >= ids.length) found.sort(byNumber)
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
