// Posting lists of staged events, ordered by place. Most hold one event (a gift wrap's key signs once), which stands for itself. Longer lists are
// cut into chunks, because old events are inserted in the middle of tens of thousands.
import type { Staged } from './staged-event.js'

/** One event, or non-empty chunks, oldest first. */
export type Postings = Staged | Staged[][]

const CHUNK = 256

/** True when `a` comes before `b` in an answer: at a later place, or at the same place with the higher number. */
export const isNewer = (a: Staged, b: Staged): boolean =>
  a.keys.place > b.keys.place || (a.keys.place === b.keys.place && a.seq > b.seq)

const NO_EVENTS: readonly Staged[] = []

/** All events of a list. */
export function stagedIn(list: Postings | undefined): readonly Staged[] {
  if (list === undefined) return NO_EVENTS
  return Array.isArray(list) ? list.flat() : [list]
}

/** Inserts an event; returns the list. */
export function insertPosting(list: Postings | undefined, one: Staged): Postings {
  if (list === undefined) return one
  if (!Array.isArray(list)) return isNewer(one, list) ? [[list, one]] : [[one, list]]
  const at = chunkFor(list, one)
  const chunk = list[at]
  if (chunk === undefined) return [[one]]
  insertInto(chunk, one)
  if (chunk.length > CHUNK) list.splice(at + 1, 0, chunk.splice(CHUNK / 2))
  return list
}

/** Removes an event; returns the list, or undefined when it is empty. */
export function erasePosting(list: Postings | undefined, one: Staged): Postings | undefined {
  if (!Array.isArray(list)) return list === one ? undefined : list
  const at = chunkFor(list, one)
  const chunk = list[at]
  if (chunk === undefined) return list
  const place = newerThan(chunk, one) - 1
  if (chunk[place] !== one) return list
  chunk.splice(place, 1)
  if (chunk.length === 0) list.splice(at, 1)
  return list.length > 0 ? list : undefined
}

/** Walks a list from the newest event at or below a place to the oldest; at that place only numbers below `cut`. */
export class PostingsWalk {
  readonly #chunks: readonly (readonly Staged[])[]
  #chunk: number
  #at: number

  constructor(list: Postings, top: number, cut: number) {
    this.#chunks = Array.isArray(list) ? list : [[list]]
    this.#chunk = lastWhere(this.#chunks.length, (at) => isBelow(this.#chunks[at]?.[0], top, cut))
    const chunk = this.#chunks[this.#chunk] ?? []
    this.#at = lastWhere(chunk.length, (at) => isBelow(chunk[at], top, cut))
  }

  get head(): Staged | undefined {
    return this.#chunks[this.#chunk]?.[this.#at]
  }

  advance(): void {
    this.#at--
    if (this.#at >= 0) return
    this.#chunk--
    this.#at = (this.#chunks[this.#chunk]?.length ?? 0) - 1
  }
}

const isBelow = (one: Staged | undefined, place: number, cut: number): boolean =>
  one !== undefined && (one.keys.place < place || (one.keys.place === place && one.seq < cut))

function insertInto(chunk: Staged[], one: Staged): void {
  const last = chunk.at(-1)
  if (last === undefined || isNewer(one, last)) chunk.push(one)
  else chunk.splice(newerThan(chunk, one), 0, one)
}

/** The last chunk whose oldest event is not newer than `one`; the first chunk if there is none. */
const chunkFor = (chunks: readonly (readonly Staged[])[], one: Staged): number => {
  const last = lastWhere(chunks.length, (at) => {
    const first = chunks[at]?.[0]
    return first !== undefined && !isNewer(first, one)
  })
  return Math.max(last, 0)
}

/** The index of the first event that is newer than `one`. */
const newerThan = (chunk: readonly Staged[], one: Staged): number =>
  lastWhere(chunk.length, (at) => {
    const other = chunk[at]
    return other !== undefined && !isNewer(other, one)
  }) + 1

/** Binary search: the last index for which `holds` is true, or -1; true values come first. */
function lastWhere(length: number, holds: (at: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) low = middle + 1
    else high = middle
  }
  return low - 1
}
