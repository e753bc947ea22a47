// The stage in two halves. New events go into the young one; while the events of the old one move into the index tables nothing is added to it,
// and when they all have their rows it is dropped as a whole: taking tens of thousands of events out of their lists would cost as much as adding them.
import type { Shuffle } from './shuffle.js'
import { createStage, type EventStage } from './stage.js'
import type { Staged } from './staged-event.js'

export interface TwoStages extends EventStage {
  /** What is staged becomes the old half: these events, in the order of their numbers. There must be none. */
  rotate(): readonly Staged[]
  /** Drops the old half. */
  drop(): void
}

export function createTwoStages(shuffle?: Shuffle): TwoStages {
  let young = createStage(shuffle)
  let old: EventStage | undefined

  return {
    get size() {
      return young.size + (old?.size ?? 0)
    },
    get bytes() {
      return young.bytes + (old?.bytes ?? 0)
    },
    add: (one) => young.add(one),
    remove(seq) {
      young.remove(seq)
      old?.remove(seq)
    },
    has: (id) => young.has(id) || old?.has(id) === true,
    get: (id) => young.get(id) ?? old?.get(id),
    underAddress: (hash) => [...young.underAddress(hash), ...(old?.underAddress(hash) ?? [])],
    holds: (seq) => young.holds(seq) || old?.holds(seq) === true,
    all: () => [...(old?.all() ?? []), ...young.all()],
    listsFor(...asked) {
      const lists = young.listsFor(...asked)
      return old === undefined ? lists : [...lists, ...old.listsFor(...asked)]
    },
    rotate() {
      old = young
      young = createStage(shuffle)
      return old.all()
    },
    drop() {
      old = undefined
    },
  }
}
