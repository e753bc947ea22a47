// What takes long in a reconciliation, in slices of a few hundred microseconds: each `yield` lets others have their turn.
import type { SetEntry, SlicedWork } from '../ports.js'
import { openRound, type RoundParts } from './round.js'
import { createSetBuilder, type SyncSet } from './sync-set.js'

/** Ends with its answer. */
export type Slices<T> = Generator<undefined, T>

/** Entries, and ranges, of one slice. */
const ENTRIES = 512
const RANGES = 8

/** Work of the store. */
export function* sliced<T>(work: SlicedWork<T>): Slices<T> {
  for (;;) {
    const value = work.step()
    if (value !== undefined) return value
    yield
  }
}

/** The set of what is listed, in the order of the protocol. */
export function* setOf(entries: readonly SetEntry[]): Slices<SyncSet> {
  const builder = createSetBuilder(entries.length)
  for (const [index, { created_at, id }] of entries.entries()) {
    builder.add(created_at, id)
    if (index % ENTRIES === ENTRIES - 1) yield
  }
  return builder.seal()
}

/** The answer to a message of a side that asks. Throws BadMessage in any slice. */
export function* answerTo(parts: RoundParts, message: Uint8Array): Slices<Buffer> {
  const round = openRound(parts, message)
  while (!round.advance(RANGES)) yield
  return round.answer()
}
