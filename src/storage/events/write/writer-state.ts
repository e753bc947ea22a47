// The in-memory state of the writing process. It changes after a commit, never before.

import type { Generation } from '../index/generation.js'
import type { IndexKeys } from '../index/index-keys.js'
import type { Shuffle } from '../staging/shuffle.js'
import { createTwoStages, type TwoStages } from '../staging/two-stages.js'
import type { Decided } from './decide.js'

export interface WriterState {
  readonly stage: TwoStages
  /** Deleted events whose index rows may still exist: readers ignore these rows. */
  readonly tombstones: Map<number, IndexKeys>
  /** Number of tags of all tombstones, for their memory. */
  tombstoneTags: number
  generation: Generation | undefined
  /** How often rows of tombstones were erased. */
  erasures: number
  /** Events up to this number have all their index rows. */
  indexed: number
  /** An earlier process may have written rows of events up to this number. */
  begun: number
  nextSeq: number
  /** Number of stored events. */
  events: number
  /** True when a deletion is stored. */
  deletions: boolean
}

export const emptyWriterState = (shuffle?: Shuffle): WriterState => ({
  stage: createTwoStages(shuffle),
  tombstones: new Map(),
  tombstoneTags: 0,
  generation: undefined,
  erasures: 0,
  indexed: 0,
  begun: 0,
  nextSeq: 1,
  events: 0,
  deletions: false,
})

/** True when some of an event's index rows may be written. */
export const hasRows = ({ indexed, begun, generation }: WriterState, seq: number): boolean =>
  seq <= Math.max(indexed, begun, generation?.upTo ?? 0)

/** Records a deleted event whose rows remain. */
export function addTombstone(state: WriterState, seq: number, keys: IndexKeys): void {
  state.tombstones.set(seq, keys)
  state.tombstoneTags += keys.tags.length
}

/** Applies a committed change. */
export function recordChange(state: WriterState, { added, removed, marks }: Decided): void {
  for (const { seq, text, keys } of added) {
    state.stage.add({ seq, text, keys })
    state.nextSeq = Math.max(state.nextSeq, seq + 1)
  }
  const { generation, indexed } = state
  for (const stored of removed) {
    if (hasRows(state, stored.seq)) addTombstone(state, stored.seq, stored.keys)
    if (generation && stored.seq > indexed && stored.seq <= generation.upTo) generation.lost++
    state.stage.remove(stored.seq)
  }
  state.events += added.length - removed.length
  if (marks.length > 0) state.deletions = true
}
