// A staged event, and the slabs of memory that hold the texts of staged events.
import type { IndexKeys } from '../index/index-keys.js'

export interface Staged {
  readonly seq: number
  readonly keys: IndexKeys
  /** The buffer that holds its text from `start` to `end`. */
  readonly bytes: Buffer
  readonly start: number
  readonly end: number
}

/** The position of a text. */
interface TextPosition {
  readonly bytes: Buffer
  readonly start: number
  readonly end: number
}

export interface Slabs {
  /** Copies the text. */
  keep(text: Buffer): TextPosition
}

const SLAB_BYTES = 1_048_576
/** Longer texts get a buffer of their own, so that slabs are filled well. */
const LONG_BYTES = 65_536

export function createSlabs(): Slabs {
  let slab = Buffer.alloc(0)
  let used = 0

  return {
    keep(text) {
      const { length } = text
      if (length > LONG_BYTES) return { bytes: Buffer.from(text), start: 0, end: length }
      if (used + length > slab.length) {
        slab = Buffer.allocUnsafeSlow(SLAB_BYTES)
        used = 0
      }
      const start = used
      used += text.copy(slab, start)
      return { bytes: slab, start, end: used }
    },
  }
}
