// Lists of staged events under a value: an author or a tag. A list that has grown is split by kind, because most filters name kinds: after
// thousands of notes of one author, a filter for its profile would otherwise visit all of them.
import type { KeyColumns } from '../index/key-columns.js'
import { KeyTable } from './key-table.js'
import { BLOCK_TYPE, NO_EVENTS, type PostingLists } from './postings.js'

/** Events from which a list is split. */
const SPLIT_AT = 16
/** Lists per value: anyone may sign events of 65,536 kinds. */
const MOST_KINDS = 64
/** Key of the list for all further kinds. */
const OTHER_KINDS = -1
/** Integers of a pair of kind and list. */
const PAIR = 2

export class KindLists {
  /** The list under a value, or a block of lists by kind. Most values hold one event. */
  readonly #byValue = new KeyTable()
  readonly #columns: KeyColumns
  readonly #lists: PostingLists

  constructor(columns: KeyColumns, lists: PostingLists) {
    this.#columns = columns
    this.#lists = lists
  }

  add(value: number, one: number): void {
    const slot = this.#byValue.claim(value)
    const list = this.#byValue.at(slot)
    this.#byValue.put(slot, this.#isSplit(list) ? ~this.#insertByKind(~list, one) : this.#insert(list, one))
  }

  remove(value: number, one: number): void {
    const slot = this.#byValue.claim(value)
    const list = this.#byValue.at(slot)
    if (list === NO_EVENTS) return
    this.#byValue.put(slot, this.#isSplit(list) ? this.#eraseByKind(~list, one) : this.#lists.erase(list, one))
  }

  /** Lists that contain all events of the value with one of the kinds, and maybe others; undefined: every kind. */
  collect(value: number, kinds: readonly number[] | undefined, into: number[]): void {
    const list = this.#byValue.get(value)
    if (list === NO_EVENTS) return
    if (!this.#isSplit(list)) {
      into.push(list)
      return
    }
    const count = this.#lists.countOf(~list)
    if (kinds === undefined || kinds.length >= count / PAIR)
      for (let at = 0; at < count; at += PAIR) into.push(this.#lists.value(~list, at + 1))
    else for (const kind of [...kinds, OTHER_KINDS]) this.#pushKind(~list, kind, into)
  }

  #pushKind(block: number, kind: number, into: number[]): void {
    const at = this.#pairOf(block, kind)
    if (at >= 0) into.push(this.#lists.value(block, at + 1))
  }

  #isSplit(list: number): boolean {
    return list < 0 && this.#lists.typeOf(~list) === BLOCK_TYPE.KINDS
  }

  #insert(list: number, one: number): number {
    const longer = this.#lists.insert(list, one)
    if (longer >= 0 || this.#lists.countOf(~longer) < SPLIT_AT) return longer
    let block = this.#lists.newBlock(BLOCK_TYPE.KINDS, [])
    for (let at = 0; at < SPLIT_AT; at++) block = this.#insertByKind(block, this.#lists.value(~longer, at))
    this.#lists.free(~longer)
    return ~block
  }

  /** The index of a kind's pair, or -1. */
  #pairOf(block: number, kind: number): number {
    const count = this.#lists.countOf(block)
    for (let at = 0; at < count; at += PAIR) if (this.#lists.value(block, at) === kind) return at
    return -1
  }

  /** Returns the block, which moves when it grows. */
  #insertByKind(block: number, one: number): number {
    const kind = this.#columns.kind[one] as number
    let at = this.#pairOf(block, kind)
    const hasRoom = this.#lists.countOf(block) < PAIR * MOST_KINDS
    if (at < 0 && !hasRoom) at = this.#pairOf(block, OTHER_KINDS)
    if (at >= 0) {
      this.#lists.setValue(block, at + 1, this.#lists.insert(this.#lists.value(block, at + 1), one))
      return block
    }
    const end = this.#lists.countOf(block)
    const moved = this.#lists.insertAt(block, end, hasRoom ? kind : OTHER_KINDS)
    return this.#lists.insertAt(moved, end + 1, one)
  }

  /** A kind may have events in its own list and among the further kinds: a list may have emptied in between. */
  #eraseByKind(block: number, one: number): number {
    for (const kind of [this.#columns.kind[one] as number, OTHER_KINDS]) {
      const at = this.#pairOf(block, kind)
      if (at < 0) continue
      const left = this.#lists.erase(this.#lists.value(block, at + 1), one)
      this.#lists.setValue(block, at + 1, left)
      if (left === NO_EVENTS) for (let nth = 0; nth < PAIR; nth++) this.#lists.removeAt(block, at)
    }
    if (this.#lists.countOf(block) > 0) return ~block
    this.#lists.free(block)
    return NO_EVENTS
  }
}
