// What the writing process knows of the database without asking it. It changes after a commit, never before.

import type { Generation } from '../index/generation.js'
import type { IndexKeys } from '../index/index-keys.js'
import type { Shuffle } from '../staging/shuffle.js'
import { createTwoStages, type TwoStages } from '../staging/two-stages.js'
import type { Decided } from './decide.js'

export interface WriterState {
  readonly stage: TwoStages
  /** Events that are no more while their index rows may be: readers ignore these rows. */
  readonly tombstones: Map<number, IndexKeys>
  /** The tags of all these: what they take of the memory. */
  tombstoneTags: number
  generation: Generation | undefined
  /** Events up to this number have all their rows. */
  indexed: number
  /** Of those up to this number an earlier process may have written some. */
  begun: number
  nextSeq: number
  /** Of all stored events. */
  events: number
  /** Whether any deletion is stored. */
  deletions: boolean
}

export const emptyWriterState = (shuffle?: Shuffle): WriterState => ({
  stage: createTwoStages(shuffle),
  tombstones: new Map(),
  tombstoneTags: 0,
  generation: undefined,
  indexed: 0,
  begun: 0,
  nextSeq: 1,
  events: 0,
  deletions: false,
})

/** Whether an event's index rows are written, or some of them may be. */
export const hasRows = ({ indexed, begun, generation }: WriterState, seq: number): boolean =>
  seq <= Math.max(indexed, begun, generation?.upTo ?? 0)

/** The event is no more, its rows are. */
export function addTombstone(state: WriterState, seq: number, keys: IndexKeys): void {
  state.tombstones.set(seq, keys)
  state.tombstoneTags += keys.tags.length
}

/** What a committed change means. */
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
