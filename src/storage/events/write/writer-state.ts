// What the writing process knows of the database without asking it. It changes after a commit, never before.

import type { Generation } from '../index/generation.js'
import type { IndexKeys } from '../index/index-keys.js'
import type { Shuffle } from '../staging/shuffle.js'
import { createStages, type Stages } from '../staging/two-stages.js'
import type { Decided } from './decide.js'

export interface Remembered {
  readonly stage: Stages
  /** Events that are no more while their index rows may be: readers ignore these rows. */
  readonly gone: Map<number, IndexKeys>
  /** The tags of all these: what they take of the memory. */
  goneTags: number
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

export const nothingRemembered = (shuffle?: Shuffle): Remembered => ({
  stage: createStages(shuffle),
  gone: new Map(),
  goneTags: 0,
  generation: undefined,
  indexed: 0,
  begun: 0,
  nextSeq: 1,
  events: 0,
  deletions: false,
})

/** Whether an event's index rows are written, or some of them may be. */
export const hasRows = ({ indexed, begun, generation }: Remembered, seq: number): boolean =>
  seq <= Math.max(indexed, begun, generation?.upTo ?? 0)

/** The event is no more, its rows are. */
export function forgo(remembered: Remembered, seq: number, keys: IndexKeys): void {
  remembered.gone.set(seq, keys)
  remembered.goneTags += keys.tags.length
}

/** What a committed change means. */
export function follow(remembered: Remembered, { added, removed, marks }: Decided): void {
  for (const { seq, text, keys } of added) {
    remembered.stage.add({ seq, text, keys })
    remembered.nextSeq = Math.max(remembered.nextSeq, seq + 1)
  }
  const { generation, indexed } = remembered
  for (const stored of removed) {
    if (hasRows(remembered, stored.seq)) forgo(remembered, stored.seq, stored.keys)
    if (generation && stored.seq > indexed && stored.seq <= generation.upTo) generation.lost++
    remembered.stage.remove(stored.seq)
  }
  remembered.events += added.length - removed.length
  if (marks.length > 0) remembered.deletions = true
}
