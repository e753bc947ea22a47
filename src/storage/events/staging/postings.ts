// Lists of staged events in the order of their places. Most hold one event (a gift wrap's key signs once), so that one stands for itself;
// longer ones are cut into chunks, because an event of the past goes into the middle of lists of tens of thousands.
import type { Staged } from './staged-event.js'

/** One event, or chunks of them, oldest first; no chunk is empty. */
export type Postings = Staged | Staged[][]

const CHUNK = 256

/** Whether `a` comes before `b`: it is later, or of the same place and has the higher number, as rows of the tables are read. */
export const isNewer = (a: Staged, b: Staged): boolean =>
  a.keys.place > b.keys.place || (a.keys.place === b.keys.place && a.seq > b.seq)

const NOBODY: readonly Staged[] = []

/** All of a list. */
export function stagedIn(list: Postings | undefined): readonly Staged[] {
  if (list === undefined) return NOBODY
  return Array.isArray(list) ? list.flat() : [list]
}

/** The list with `one` in its place. */
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

/** The list without `one`, undefined when nothing is left of it. */
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

/** Walks a list to its oldest event, from the newest one at or below a place; of that place only numbers below `cut`. */
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

/** The last chunk whose oldest event is not newer than `one`; the first one for what is older than everything. */
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

/** The last index for which `holds` is true, -1 when there is none; true ones come first. */
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
