// Slices the long steps of a reconciliation into a few hundred microseconds; each `yield` returns to the scheduler.
import type { SetEntry, SlicedWork } from '../ports.js'
import { openRound, type RoundParts } from './round.js'
import { createSetBuilder, type SyncSet } from './sync-set.js'

/** Returns its answer at the end. */
export type Slices<T> = Generator<undefined, T>

/** Entries, or ranges, per slice. */
const ENTRIES = 512
const RANGES = 8

/** Runs sliced work of the store. */
export function* runSliced<T>(work: SlicedWork<T>): Slices<T> {
  for (;;) {
    const value = work.step()
    if (value !== undefined) return value
    yield
  }
}

/** Builds the set from listed entries, in the order of the protocol. */
export function* setOf(entries: readonly SetEntry[]): Slices<SyncSet> {
  const builder = createSetBuilder(entries.length)
  for (const [index, { created_at, id }] of entries.entries()) {
    builder.add(created_at, id)
    if (index % ENTRIES === ENTRIES - 1) yield
  }
  return builder.seal()
}

/** Computes the answer to a message of the initiator. May throw BadMessage in each slice. */
export function* answerTo(parts: RoundParts, message: Uint8Array): Slices<Buffer> {
  const round = openRound(parts, message)
  while (!round.advance(RANGES)) yield
  return round.answer()
}
