// A list of a stage for a reader: valid until the stage changes.
import { BLOCK_TYPE, firstWhere, type PostingLists } from './postings.js'
import type { StagedEvents } from './staged-event.js'

export interface StagedList {
  readonly events: StagedEvents
  /** Never empty. */
  readonly list: number
}

/** Neither an event nor a block. */
const NONE = -1

/** Walks a list from the newest event at or below a place to the oldest; at that place only numbers below `cut`. */
export class ListWalk {
  readonly events: StagedEvents
  /** The event that is next; -1 at the end. */
  one = NONE
  /** Its place and number. */
  place = Number.NEGATIVE_INFINITY
  seq = 0
  readonly #lists: PostingLists
  readonly #directory: number
  #chunkAt = NONE
  #chunk = NONE
  #at = NONE

  constructor({ events, list }: StagedList, top: number, cut: number) {
    const { lists } = events
    this.events = events
    this.#lists = lists
    this.#directory = list < 0 && lists.typeOf(~list) === BLOCK_TYPE.CHUNKS ? ~list : NONE
    if (list >= 0) {
      if (this.#isBelow(list, top, cut)) this.#moveTo(list)
      return
    }
    this.#chunk = this.#directory === NONE ? ~list : this.#firstChunk(top, cut)
    if (this.#chunk === NONE) return
    const isAbove = (at: number) => !this.#isBelow(lists.value(this.#chunk, at), top, cut)
    this.#at = firstWhere(lists.countOf(this.#chunk), isAbove) - 1
    if (this.#at >= 0) this.#moveTo(lists.value(this.#chunk, this.#at))
  }

  advance(): void {
    this.#at--
    if (this.#at < 0 && this.#chunkAt > 0) {
      this.#chunk = this.#lists.value(this.#directory, --this.#chunkAt)
      this.#at = this.#lists.countOf(this.#chunk) - 1
    }
    if (this.#at >= 0) this.#moveTo(this.#lists.value(this.#chunk, this.#at))
    else this.one = NONE
  }

  #moveTo(one: number): void {
    const { columns } = this.events
    this.one = one
    this.place = columns.place[one] as number
    this.seq = columns.seq[one] as number
  }

  /** The newest chunk with an event at or below the place. */
  #firstChunk(top: number, cut: number): number {
    const lists = this.#lists
    const directory = this.#directory
    const isAbove = (at: number) => !this.#isBelow(lists.value(lists.value(directory, at), 0), top, cut)
    this.#chunkAt = firstWhere(lists.countOf(directory), isAbove) - 1
    return this.#chunkAt < 0 ? NONE : lists.value(directory, this.#chunkAt)
  }

  #isBelow(one: number, top: number, cut: number): boolean {
    const { place, seq } = this.events.columns
    const of = place[one] as number
    return of < top || (of === top && (seq[one] as number) < cut)
  }
}
