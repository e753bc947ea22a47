// Messages that never end: each client has its own limits, and thousands of them together would take all of the memory.
import { dropLargest } from '../memory/memory-limit.js'

export interface UnfinishedReader {
  /** Bytes read since its last whole message. */
  unfinishedBytes(): number
  drop(reason: string): void
}

/** Drops those with the most until the others have no more than `most` bytes together. */
export const dropUnfinished = (all: Iterable<UnfinishedReader>, most: number): void =>
  dropLargest(all, { most, sizeOf: (one) => one.unfinishedBytes(), reason: 'a message without end' })
