// Posting lists of staged events, ordered by place. A list is one integer: an event's position (most lists hold one event, since a gift wrap's key
// signs once), or refers to a block. Longer lists are cut into chunks, because old events are inserted in the middle of tens of thousands.
import { grown, type KeyColumns } from '../index/index-keys.js'

// Blocks of integers of a few sizes, in one typed array: the garbage collector sees one object instead of one for each list.

const FIRST_INTS = 4096
/** Sizes are powers of two up to this one. */
const MOST_BITS = 30
/** End of a chain of free blocks. */
const NO_BLOCK = -1

/** A block is the index of its first integer. */
class IntBlocks {
  /** Replaced when it grows, so no caller may keep it while blocks are taken. */
  ints = new Int32Array(FIRST_INTS)
  #end = 0
  /** The first free block of each size; each refers to the next one. */
  readonly #free = new Int32Array(MOST_BITS + 1).fill(NO_BLOCK)

  /** A block of `2 ** bits` integers; its content is arbitrary. */
  take(bits: number): number {
    const free = this.#free[bits] as number
    if (free !== NO_BLOCK) {
      this.#free[bits] = this.ints[free] as number
      return free
    }
    const block = this.#end
    this.#end += 2 ** bits
    if (this.#end > this.ints.length)
      this.ints = grown(this.ints, new Int32Array(Math.max(2 * this.ints.length, this.#end)))
    return block
  }

  /** Frees a block. */
  give(block: number, bits: number): void {
    this.ints[block] = this.#free[bits] as number
    this.#free[bits] = block
  }
}

/** The empty list. */
export const NO_EVENTS = 2 ** 31 - 1

/** What a block holds after its first integer. */
export const BLOCK_TYPE = {
  /** Positions, oldest first. */
  EVENTS: 0,
  /** Blocks of positions, none empty, oldest first. */
  CHUNKS: 1,
  /** Pairs of kind and list: see `kind-lists.ts`. */
  KINDS: 2,
} as const
type BlockType = (typeof BLOCK_TYPE)[keyof typeof BLOCK_TYPE]

/** A chunk has 256 integers, its head included. */
const CHUNK_BITS = 8
const SMALLEST_BITS = 2
/** The first integer of a block: number of values, then two bits of the type, then five of the size. */
const [COUNT_BITS, TYPE_BITS] = [7, 5]
const ONE_VALUE = 1 << COUNT_BITS
const [TYPE_MASK, SIZE_MASK] = [3, 31]

const headOf = (count: number, type: BlockType, bits: number): number =>
  (count << COUNT_BITS) | (type << TYPE_BITS) | bits

export class PostingLists {
  readonly blocks = new IntBlocks()
  readonly #columns: KeyColumns

  constructor(columns: KeyColumns) {
    this.#columns = columns
  }

  typeOf(block: number): number {
    return ((this.blocks.ints[block] as number) >>> TYPE_BITS) & TYPE_MASK
  }

  /** Number of values in a block. */
  countOf(block: number): number {
    return (this.blocks.ints[block] as number) >>> COUNT_BITS
  }

  /** Inserts an event; returns the list. */
  insert(list: number, one: number): number {
    if (list === NO_EVENTS) return one
    if (list >= 0) return this.#pair(list, one)
    const block = ~list
    if (this.typeOf(block) === BLOCK_TYPE.CHUNKS) return ~this.#insertIntoChunks(block, one)
    if (this.#isFull(block) && this.#bitsOf(block) === CHUNK_BITS)
      return ~this.#insertIntoChunks(this.newBlock(BLOCK_TYPE.CHUNKS, [block]), one)
    return ~this.insertAt(block, this.#countNotNewer(block, one), one)
  }

  /** Removes an event, which may be missing; returns the list. */
  erase(list: number, one: number): number {
    if (list >= 0) return list === one ? NO_EVENTS : list
    const block = ~list
    if (this.typeOf(block) === BLOCK_TYPE.CHUNKS) return this.#eraseFromChunks(block, one)
    const at = this.#countNotNewer(block, one) - 1
    if (at < 0 || this.value(block, at) !== one) return list
    this.removeAt(block, at)
    if (this.countOf(block) > 1) return list
    const left = this.value(block, 0)
    this.free(block)
    return left
  }

  /** Calls `act` for every event, oldest first. */
  each(list: number, act: (one: number) => void): void {
    if (list === NO_EVENTS) return
    if (list >= 0) {
      act(list)
      return
    }
    const block = ~list
    const isChunks = this.typeOf(block) === BLOCK_TYPE.CHUNKS
    for (let at = 0; at < this.countOf(block); at++) {
      const value = this.value(block, at)
      if (isChunks) this.each(~value, act)
      else act(value)
    }
  }

  value(block: number, at: number): number {
    return this.blocks.ints[block + 1 + at] as number
  }

  setValue(block: number, at: number, value: number): void {
    this.blocks.ints[block + 1 + at] = value
  }

  newBlock(type: BlockType, values: readonly number[]): number {
    const bits = Math.max(SMALLEST_BITS, Math.ceil(Math.log2(values.length + 1)))
    const block = this.blocks.take(bits)
    this.blocks.ints[block] = headOf(values.length, type, bits)
    this.blocks.ints.set(values, block + 1)
    return block
  }

  free(block: number): void {
    this.blocks.give(block, this.#bitsOf(block))
  }

  /** Inserts a value; returns the block, which moves when it grows. */
  insertAt(block: number, at: number, value: number): number {
    const roomy = this.#isFull(block) ? this.#enlarged(block) : block
    const { ints } = this.blocks
    const count = this.countOf(roomy)
    const to = roomy + 1 + at
    if (at < count) ints.copyWithin(to + 1, to, roomy + 1 + count)
    ints[to] = value
    ints[roomy] = (ints[roomy] as number) + ONE_VALUE
    return roomy
  }

  removeAt(block: number, at: number): void {
    const { ints } = this.blocks
    ints.copyWithin(block + 1 + at, block + 2 + at, block + 1 + this.countOf(block))
    ints[block] = (ints[block] as number) - ONE_VALUE
  }

  /** True when `a` comes before `b` in an answer: at a later place, or at the same place with the higher number. */
  isNewer(a: number, b: number): boolean {
    const { place } = this.#columns
    const [ofA, ofB] = [place[a] as number, place[b] as number]
    return ofA > ofB || (ofA === ofB && a > b)
  }

  #bitsOf(block: number): number {
    return (this.blocks.ints[block] as number) & SIZE_MASK
  }

  #isFull(block: number): boolean {
    return this.countOf(block) + 1 === 2 ** this.#bitsOf(block)
  }

  #pair(a: number, b: number): number {
    return ~this.newBlock(BLOCK_TYPE.EVENTS, this.isNewer(a, b) ? [b, a] : [a, b])
  }

  #enlarged(block: number): number {
    const bits = this.#bitsOf(block)
    const larger = this.blocks.take(bits + 1)
    const { ints } = this.blocks
    ints.copyWithin(larger, block, block + 2 ** bits)
    ints[larger] = (ints[larger] as number) + 1
    this.blocks.give(block, bits)
    return larger
  }

  /** The number of events in a block that are not newer than `one`. */
  #countNotNewer(block: number, one: number): number {
    const count = this.countOf(block)
    if (!this.isNewer(this.value(block, count - 1), one)) return count
    return firstWhere(count, (at) => this.isNewer(this.value(block, at), one))
  }

  #insertIntoChunks(directory: number, one: number): number {
    const at = this.#chunkFor(directory, one)
    const chunk = this.value(directory, at)
    const place = this.#countNotNewer(chunk, one)
    if (!this.#isFull(chunk)) {
      this.insertAt(chunk, place, one)
      return directory
    }
    // New events are mostly the newest: a chunk that ends the list stays full.
    const isLast = place === this.countOf(chunk) && at + 1 === this.countOf(directory)
    const after = isLast ? this.#newChunk(one) : this.#split(chunk)
    const moved = this.insertAt(directory, at + 1, after)
    return isLast ? moved : this.#insertIntoChunks(moved, one)
  }

  #newChunk(one: number): number {
    const chunk = this.blocks.take(CHUNK_BITS)
    this.blocks.ints[chunk] = headOf(1, BLOCK_TYPE.EVENTS, CHUNK_BITS)
    this.setValue(chunk, 0, one)
    return chunk
  }

  /** Moves the newer half of a full chunk into a new one. */
  #split(chunk: number): number {
    const other = this.blocks.take(CHUNK_BITS)
    const { ints } = this.blocks
    const count = this.countOf(chunk)
    const half = count >>> 1
    ints.copyWithin(other + 1, chunk + 1 + half, chunk + 1 + count)
    ints[other] = headOf(count - half, BLOCK_TYPE.EVENTS, CHUNK_BITS)
    ints[chunk] = headOf(half, BLOCK_TYPE.EVENTS, CHUNK_BITS)
    return other
  }

  #eraseFromChunks(directory: number, one: number): number {
    const at = this.#chunkFor(directory, one)
    const chunk = this.value(directory, at)
    const place = this.#countNotNewer(chunk, one) - 1
    if (place < 0 || this.value(chunk, place) !== one) return ~directory
    this.removeAt(chunk, place)
    if (this.countOf(chunk) > 0) return ~directory
    this.free(chunk)
    this.removeAt(directory, at)
    if (this.countOf(directory) > 0) return ~directory
    this.free(directory)
    return NO_EVENTS
  }

  /** The last chunk whose oldest event is not newer than `one`; the first chunk if there is none. */
  #chunkFor(directory: number, one: number): number {
    const count = this.countOf(directory)
    return Math.max(0, firstWhere(count, (at) => this.isNewer(this.value(this.value(directory, at), 0), one)) - 1)
  }
}

/** Binary search: the first index for which `holds` is true, or `length`; true values come last. */
export function firstWhere(length: number, holds: (at: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
