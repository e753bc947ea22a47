// A map from signed 48-bit numbers to lists, in typed arrays: open addressing, at most half full. Keys that clients choose must be shuffled, otherwise
// they could all lie side by side.

import type { KeyColumns } from '../index/index-keys.js'
import { BLOCK_TYPE, NO_EVENTS, type PostingLists } from './postings.js'

const FIRST_BITS = 10
/** Value of a slot that was never used: no list has it. */
const FREE = -(2 ** 31)
const LOW = 2 ** 32
/** Odd multipliers without a pattern. */
const [SPREAD, OTHER] = [0x9e3779b1, 0x85ebca6b]

export class KeyTable {
  #shift = 32 - FIRST_BITS
  #keys = new Float64Array(2 ** FIRST_BITS)
  #lists = new Int32Array(2 ** FIRST_BITS).fill(FREE)
  /** Slots with a key. Some of their lists may be empty. */
  #used = 0

  /** `NO_EVENTS` for an unknown key. */
  get(key: number): number {
    const list = this.#lists[this.#slotFor(key)] as number
    return list === FREE ? NO_EVENTS : list
  }

  /** The slot of a key, valid until the next claim. An unknown key gets one with an empty list. */
  claim(key: number): number {
    if (2 * this.#used >= this.#lists.length) this.#rebuild()
    const slot = this.#slotFor(key)
    if (this.#lists[slot] === FREE) {
      this.#keys[slot] = key
      this.#lists[slot] = NO_EVENTS
      this.#used++
    }
    return slot
  }

  at(slot: number): number {
    return this.#lists[slot] as number
  }

  put(slot: number, list: number): void {
    this.#lists[slot] = list
  }

  get capacity(): number {
    return this.#lists.length
  }

  /** Where the search for a key begins. */
  slotOf(key: number): number {
    return Math.imul((key | 0) ^ Math.imul(Math.floor(key / LOW), OTHER), SPREAD) >>> this.#shift
  }

  /** The slot that has the key, or the free one where it belongs. */
  #slotFor(key: number): number {
    const last = this.#lists.length - 1
    let slot = this.slotOf(key)
    while (this.#lists[slot] !== FREE && this.#keys[slot] !== key) slot = (slot + 1) & last
    return slot
  }

  /** Drops keys of empty lists, and makes room for as many keys again. */
  #rebuild(): void {
    const [keys, lists] = [this.#keys, this.#lists]
    let kept = 0
    for (const list of lists) if (list !== FREE && list !== NO_EVENTS) kept++
    const bits = Math.max(FIRST_BITS, Math.ceil(Math.log2(4 * (kept + 1))))
    this.#shift = 32 - bits
    this.#keys = new Float64Array(2 ** bits)
    this.#lists = new Int32Array(2 ** bits).fill(FREE)
    this.#used = kept
    for (let at = 0; at < lists.length; at++) {
      const list = lists[at] as number
      if (list === FREE || list === NO_EVENTS) continue
      const slot = this.#slotFor(keys[at] as number)
      this.#keys[slot] = keys[at] as number
      this.#lists[slot] = list
    }
  }
}

// Scrambles map keys that clients can choose. The engine hashes numbers predictably, and clients can choose the 48 bits of a tag's hash: a hundred
// thousand colliding keys would make every lookup scan all of them.

/** A secret permutation of signed 48-bit numbers. */
export type Shuffle = (key: number) => number

/** Bytes of the secret. */
export const SECRET_BYTES = 16

const HALF = 2 ** 47
const SIDE = 2 ** 24

/** A Feistel network of four rounds over two halves of 24 bits. */
export function createShuffle(secret: Uint8Array): Shuffle {
  const view = new DataView(secret.buffer, secret.byteOffset, SECRET_BYTES)
  const [first, second, third, fourth] = [view.getInt32(0), view.getInt32(4), view.getInt32(8), view.getInt32(12)]
  return (key) => {
    const number = key + HALF
    let high = Math.floor(number / SIDE)
    let low = number - high * SIDE
    high ^= Math.imul((low + first) | 0, SPREAD) >>> 8
    low ^= Math.imul((high + second) | 0, OTHER) >>> 8
    high ^= Math.imul((low + third) | 0, SPREAD) >>> 8
    low ^= Math.imul((high + fourth) | 0, OTHER) >>> 8
    return high * SIDE + low - HALF
  }
}

// Lists of staged events under a value: an author or a tag. A list that has grown is split by kind, because most filters name kinds: after
// thousands of notes of one author, a filter for its profile would otherwise visit all of them.

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
