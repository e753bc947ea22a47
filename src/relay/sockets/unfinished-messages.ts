// Bounds the memory of messages that never end. Each client has a limit of its own, but thousands of clients together would fill the memory.
import { dropLargest } from '../memory/memory-limit.js'

export interface UnfinishedReader {
  /** Bytes read since its last whole message. */
  unfinishedBytes(): number
  drop(reason: string): void
}

/** Disconnects the largest until the others hold at most `most` bytes together. */
export const dropUnfinished = (all: Iterable<UnfinishedReader>, most: number): void =>
  dropLargest(all, { most, sizeOf: (one) => one.unfinishedBytes(), reason: 'a message without end' })
