// A map from signed 48-bit numbers to lists, in typed arrays: open addressing, at most half full. Keys that clients choose must be shuffled, otherwise
// they could all lie side by side.
import { NO_EVENTS } from './postings.js'

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
