// Stores that follow the same log, each with clock, sweeps, restarts and index sizes of its own.
import { idAt } from '../../src/nostr/event/index.js'
import type { OpenEventStore } from '../../src/storage/events/event-store.js'
import { TINY, temporaryEvents } from './event-store.js'
import type { RandomEntry } from './log-entries.js'

/** How a store differs from the others. */
export interface StoreManner {
  /** Entries between two sweeps; undefined: it never sweeps. */
  readonly sweepEvery?: number
  /** Entries between two restarts, every other one after kill -9; undefined: none. */
  readonly restartEvery?: number
  readonly isTiny?: boolean
  /** Seconds by which its clock differs from the log's. */
  readonly clock: number
}

const FOLLOWS = { requestRemoval: async () => 0, founder: '00000000-0000-4000-8000-000000000001' }

export async function storeOf({ sweepEvery, restartEvery, isTiny = false, clock }: StoreManner) {
  const files = temporaryEvents()
  const parts = { follows: FOLLOWS, ...(isTiny && { sizes: TINY }) }
  let store = await files.open(parts)
  let applied = 0
  let restarts = 0

  const logOf = (one: OpenEventStore) => {
    if (!one.log) throw new Error('it follows no log')
    return one.log
  }

  async function change(entry: RandomEntry): Promise<void> {
    if ('events' in entry) store.append(entry.events, entry)
    else if ('settings' in entry) logOf(store).advance(entry, entry.settings)
    else await logOf(store).removeAt(entry, entry.remove, entry.spare === undefined ? {} : { authors: [entry.spare] })
  }

  return {
    async apply(entry: RandomEntry): Promise<void> {
      files.clock.seconds = Math.floor(entry.at / 1000) + clock
      await change(entry)
      applied++
      if (sweepEvery !== undefined && applied % sweepEvery === 0) while (store.sweep() > 0);
      if (restartEvery === undefined || applied % restartEvery !== 0) return
      if (restarts++ % 2 === 0) store = await files.crash(store, parts)
      else {
        await store.close()
        store = await files.open(parts)
      }
    },
    position: () => logOf(store).position(),
    /** Ids of what is stored once everything expired is swept, sorted. */
    async ids(): Promise<readonly string[]> {
      while (store.sweep() > 0);
      files.clock.seconds = 0
      const ids: string[] = []
      const query = store.find([{ tags: [] }])
      for (let page = query.next(); page; page = query.next()) {
        let start = 0
        for (const end of page.ends) {
          ids.push(idAt(page.bytes, start))
          start = end + 1
        }
      }
      return ids.sort()
    },
  }
}

/** Clocks before, at and behind the log's time; sweeps often, never and seldom; restarts of one. */
export const MANNERS: readonly StoreManner[] = [
  { clock: 0, sweepEvery: 7, isTiny: true },
  { clock: 3600 },
  { clock: -3600, sweepEvery: 301, restartEvery: 997 },
]
