// Found texts in answer order, and the pages made of them.

import { compareIds, createdAt, idStartAt } from '../../../nostr/event/index.js'
import type { EventPage } from '../../../relay/index.js'
import { placeFrom } from '../index/index-keys.js'
import type { Staged } from '../staging/stage.js'
import type { TextCheck } from './plan.js'

/** A text inside a larger buffer, without its line break. */
export interface TextRow {
  readonly place: number
  readonly bytes: Buffer
  readonly start: number
  readonly end: number
}

const LINE_BREAK = 10

export const stagedRow = ({ place, bytes, start, end }: Staged): TextRow => ({ place, bytes, start, end })

/** Visits every text of a buffer separated by line breaks. */
export function eachText(bytes: Buffer, visit: (start: number, end: number) => void): void {
  for (let start = 0; start <= bytes.length; ) {
    const end = endAt(bytes, start)
    visit(start, end)
    start = end + 1
  }
}

function endAt(bytes: Buffer, start: number): number {
  const end = bytes.indexOf(LINE_BREAK, start)
  return end < 0 ? bytes.length : end
}

export const placeAt = (bytes: Buffer, start: number): number =>
  placeFrom(createdAt(bytes, start), idStartAt(bytes, start))

/** Texts above `floor` that pass the check. Texts are ordered, so the first one below ends the scan. */
export function textRows(bytes: Buffer, floor: number, check: TextCheck | undefined): TextRow[] {
  const rows: TextRow[] = []
  for (let start = 0; start < bytes.length; ) {
    const end = endAt(bytes, start)
    const place = placeAt(bytes, start)
    if (place <= floor) break
    if (check === undefined || check(bytes, start, end)) rows.push({ place, bytes, start, end })
    start = end + 1
  }
  return rows
}

/** Sorts into answer order and removes duplicates; does nothing when already in order. */
export function inOrder(rows: TextRow[]): TextRow[] {
  for (let i = 1; i < rows.length; i++)
    if ((rows[i]?.place ?? 0) >= (rows[i - 1]?.place ?? 0)) return withoutDoubles(rows.sort(byPlace))
  return rows
}

/** An event appears twice when it has two of the requested tags. */
const withoutDoubles = (rows: readonly TextRow[]): TextRow[] =>
  rows.filter((row, i) => {
    const before = rows[i - 1]
    return before === undefined || byPlace(before, row) !== 0
  })

/** Newest first; at one place the lower id first. */
export function byPlace(a: TextRow, b: TextRow): number {
  return a.place !== b.place ? b.place - a.place : compareIds(a.bytes, a.start, b.bytes, b.start)
}

/** Copies adjacent rows together, or none when they are the whole buffer: a small page must not retain a slab. */
export function pageOf(rows: readonly TextRow[]): EventPage {
  const runs: { bytes: Buffer; start: number; end: number }[] = []
  const ends: number[] = []
  let length = 0
  let last: { bytes: Buffer; start: number; end: number } | undefined
  for (const { bytes, start, end } of rows) {
    length += end - start
    ends.push(length)
    length++
    if (last !== undefined && last.bytes === bytes && last.end + 1 === start) last.end = end
    else {
      last = { bytes, start, end }
      runs.push(last)
    }
  }
  const [only] = runs
  if (only !== undefined && runs.length === 1 && 2 * length > only.bytes.length)
    return { bytes: only.bytes.subarray(only.start, only.end), ends }
  return { bytes: join(runs, Math.max(length - 1, 0)), ends }
}

function join(runs: readonly { bytes: Buffer; start: number; end: number }[], length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  let at = 0
  for (const run of runs) {
    if (at > 0) bytes[at++] = LINE_BREAK
    at += run.bytes.copy(bytes, at, run.start, run.end)
  }
  return bytes
}

// Adapts the number of rows per page to a target size in bytes, from the sizes of previous pages.

export interface PageSize {
  rows(): number
  learn(page: EventPage): void
}

const PAGE_BYTES = 256 * 1024
/** Limits of rows: the mean does not predict a single author, whose texts may have 128 kB each. */
const MOST_ROWS = 64
const FEWEST_ROWS = 8
/** Assumed size of a text at the start. */
const USUAL_BYTES = 1300
/** Number of pages in the moving average. */
const MEMORY = 8

export function createPageSize(): PageSize {
  let mean = USUAL_BYTES
  return {
    rows: () => Math.max(FEWEST_ROWS, Math.min(MOST_ROWS, Math.floor(PAGE_BYTES / mean))),
    learn({ bytes, ends }) {
      if (ends.length > 0) mean += (bytes.length / ends.length - mean) / MEMORY
    },
  }
}
