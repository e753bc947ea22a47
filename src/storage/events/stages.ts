// The stage in two halves. New events go into the young one; while the events of the old one move into the index tables nothing is added to it,
// and when they all have their rows it is dropped as a whole: taking fifteen thousand events out of their lists would cost as much as adding them.
import { addressText } from './deletions.js'
import type { Stored } from './lookups.js'
import { createStage, type Stage, type Staged } from './stage.js'

export interface Stages extends Stage {
  /** The staged version under an address. */
  byAddress(address: string): Staged | undefined
  /** Takes an event out that is no more. */
  forget(stored: Stored): void
  /** What is staged becomes the old half: these events, in the order of their numbers. There must be none. */
  turn(): readonly Staged[]
  /** Drops the old half. */
  drop(): void
}

interface Half {
  readonly stage: Stage
  readonly addresses: Map<string, Staged>
}

const emptyHalf = (): Half => ({ stage: createStage(), addresses: new Map() })

export function createStages(): Stages {
  let young = emptyHalf()
  let old: Half | undefined

  return {
    get size() {
      return young.stage.size + (old?.stage.size ?? 0)
    },
    get bytes() {
      return young.stage.bytes + (old?.stage.bytes ?? 0)
    },
    add(one) {
      young.stage.add(one)
      const address = one.keys.address === undefined ? undefined : addressText(one.text.event)
      if (address !== undefined) young.addresses.set(address, one)
    },
    remove(seq) {
      young.stage.remove(seq)
      old?.stage.remove(seq)
    },
    has: (id) => young.stage.has(id) || old?.stage.has(id) === true,
    get: (id) => young.stage.get(id) ?? old?.stage.get(id),
    holds: (seq) => young.stage.holds(seq) || old?.stage.holds(seq) === true,
    oldest: (count) => (old ?? young).stage.oldest(count),
    listsFor(...asked) {
      const lists = young.stage.listsFor(...asked)
      return old === undefined ? lists : [...lists, ...old.stage.listsFor(...asked)]
    },
    byAddress: (address) => young.addresses.get(address) ?? old?.addresses.get(address),
    forget({ seq, event, keys }) {
      this.remove(seq)
      const address = keys.address === undefined ? undefined : addressText(event)
      if (address === undefined) return
      for (const half of [young, old]) if (half?.addresses.get(address)?.seq === seq) half.addresses.delete(address)
    },
    turn() {
      old = young
      young = emptyHalf()
      return old.stage.oldest(old.stage.size)
    },
    drop() {
      old = undefined
    },
  }
}
