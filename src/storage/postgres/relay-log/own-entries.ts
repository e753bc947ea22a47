// Batches of this process between their sending and their application.
import type { LogEvent } from '../../../relay/index.js'
import type { OwnEntry, Place } from './writer.js'

export interface OwnEntries<Own extends LogEvent> {
  readonly size: number
  add(entry: OwnEntry<Own>): void
  /** It stands there; a batch whose position is not known is found when the log is read. */
  setPlace(entry: OwnEntry<Own>, place: Place): void
  at(pos: number): { readonly entry: OwnEntry<Own>; readonly rules: number } | undefined
  numbered(oseq: number): OwnEntry<Own> | undefined
  delete(entry: OwnEntry<Own>): void
  all(): readonly OwnEntry<Own>[]
}

export function createOwnEntries<Own extends LogEvent>(): OwnEntries<Own> {
  const byNumber = new Map<number, OwnEntry<Own>>()
  const byPosition = new Map<number, { readonly entry: OwnEntry<Own>; readonly rules: number }>()
  const positions = new Map<OwnEntry<Own>, number>()
  return {
    get size() {
      return byNumber.size
    },
    add: (entry) => void byNumber.set(entry.oseq, entry),
    setPlace(entry, { pos, rules }) {
      byPosition.set(pos, { entry, rules })
      positions.set(entry, pos)
    },
    at: (pos) => byPosition.get(pos),
    numbered: (oseq) => byNumber.get(oseq),
    delete(entry) {
      byNumber.delete(entry.oseq)
      byPosition.delete(positions.get(entry) ?? 0)
      positions.delete(entry)
    },
    all: () => [...byNumber.values()],
  }
}
