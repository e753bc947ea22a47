// What all clients together take of the memory: looked at once a second, and at once when much was added since.
import { dropLargest } from './hoarders.js'

/** A client. */
export interface Consumer {
  /** About what it takes, in bytes. */
  footprint(): number
  drop(reason: string): void
}

export interface Ceiling {
  /** Somebody takes so many bytes more. */
  grew(bytes: number): void
  /** Drops who takes the most, when all together take too much. */
  look(): void
}

/** Of the ceiling, what may be added between two looks. */
const PART = 1 / 8

export function createCeiling(most: number, all: Iterable<Consumer>): Ceiling {
  let added = 0

  function look(): void {
    added = 0
    dropLargest(all, { most, sizeOf: (one) => one.footprint(), reason: 'all clients together take too much memory' })
  }

  return {
    grew(bytes) {
      added += bytes
      if (added > most * PART) look()
    },
    look,
  }
}
