// Blocks of integers of a few sizes, in one typed array: the garbage collector sees one object instead of one for each list.
import { grown } from '../index/key-columns.js'

const FIRST_INTS = 4096
/** Sizes are powers of two up to this one. */
const MOST_BITS = 30
/** End of a chain of free blocks. */
const NO_BLOCK = -1

/** A block is the index of its first integer. */
export class IntBlocks {
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
