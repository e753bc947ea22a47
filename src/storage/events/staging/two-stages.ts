// Two stages. New events go into the young one. While the events of the old one move into the index tables it stays unchanged, and is then dropped
// as a whole: removing tens of thousands of events from lists would cost as much as adding them.
import type { Shuffle } from './shuffle.js'
import { createStage, type EventStage } from './stage.js'
import type { StagedKeys } from './staged-event.js'

export interface TwoStages extends EventStage {
  /** Makes the young stage the old one, and returns the keys of its events. There must be no old one. */
  rotate(): StagedKeys
  /** Drops the old stage. */
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
    listsFor(...asked) {
      const lists = young.listsFor(...asked)
      return old === undefined ? lists : [...lists, ...old.listsFor(...asked)]
    },
    rotate() {
      const keys = young.keys()
      old = young
      young = createStage(shuffle)
      return keys
    },
    drop() {
      old = undefined
    },
  }
}
