// What the writing process knows of the database without asking it. It changes after a commit, never before.
import type { Decided } from './decide.js'
import { addressText } from './deletions.js'
import type { Generation } from './generation.js'
import type { IndexKeys } from './index-keys.js'
import type { Stored } from './lookups.js'
import { createStage, type Stage, type Staged } from './stage.js'

export interface Remembered {
  readonly stage: Stage
  /** Staged events that replace others, by address. */
  readonly addresses: Map<string, Staged>
  /** Events that are no more while their index rows may be: readers ignore these rows. */
  readonly gone: Map<number, IndexKeys>
  generation: Generation | undefined
  /** Events whose rows are all written, and that may leave the stage. */
  leaving: Staged[]
  /** Events up to this number have all their rows. */
  indexed: number
  nextSeq: number
  /** Of all stored events. */
  events: number
  /** Whether any deletion is stored. */
  deletions: boolean
}

export const asStored = ({ seq, text, keys }: Staged): Stored => ({ seq, event: text.event, keys })

export const nothingRemembered = (): Remembered => ({
  stage: createStage(),
  addresses: new Map(),
  gone: new Map(),
  generation: undefined,
  leaving: [],
  indexed: 0,
  nextSeq: 1,
  events: 0,
  deletions: false,
})

/** Whether an event's index rows are written, or some of them may be. */
export const hasRows = ({ indexed, generation }: Remembered, seq: number): boolean =>
  seq <= Math.max(indexed, generation?.upTo ?? 0)

export function stageOne({ stage, addresses }: Remembered, one: Staged): void {
  stage.add(one)
  const address = one.keys.address === undefined ? undefined : addressText(one.text.event)
  if (address !== undefined) addresses.set(address, one)
}

export function unstage({ stage, addresses }: Remembered, { seq, event, keys }: Stored): void {
  stage.remove(seq)
  const address = keys.address === undefined ? undefined : addressText(event)
  if (address !== undefined && addresses.get(address)?.seq === seq) addresses.delete(address)
}

/** What a committed change means. */
export function follow(remembered: Remembered, { added, removed, marks }: Decided): void {
  for (const { seq, text, keys } of added) {
    stageOne(remembered, { seq, text, keys })
    remembered.nextSeq = Math.max(remembered.nextSeq, seq + 1)
  }
  const { generation, indexed } = remembered
  for (const stored of removed) {
    if (hasRows(remembered, stored.seq)) remembered.gone.set(stored.seq, stored.keys)
    if (generation && stored.seq > indexed && stored.seq <= generation.upTo) generation.lost++
    unstage(remembered, stored)
  }
  remembered.events += added.length - removed.length
  if (marks.length > 0) remembered.deletions = true
}
