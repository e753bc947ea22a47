// The only writer of a relay's events. A change is one transaction, which also moves some staged events into the index tables.
import { weightOf } from '../../../nostr/event/index.js'
import { inTransaction, type Sqlite } from '../../sqlite/sqlite.js'
import { createIndexing, type Growth, type IndexingSizes } from '../index/indexing.js'
import type { SearchIndex } from '../search/search-index.js'
import type { Decided } from './decide.js'
import { writeAdded, writeRemoved } from './write-changes.js'
import { hasRows, recordChange, type WriterState } from './writer-state.js'

export interface EventWriter {
  /** Carries out the decision of `plan` in one transaction. Throws the database's error; the call then has no effect. */
  commit(plan: () => Decided): Decided
  /** Runs a slice of pending indexing; with `eager`, even if little is pending. False: nothing to do. */
  step(eager: boolean): boolean
}

/** An empty change. */
export const NO_CHANGE: Decided = { outcomes: [], added: [], removed: [], marks: [] }

/** Estimated WAL bytes of a deleted event, and of a slice. */
const REMOVED_BYTES = 4096
const SLICE_BYTES = 200_000

interface Parts {
  readonly db: Sqlite
  readonly state: WriterState
  readonly sizes: IndexingSizes
  readonly search?: Pick<SearchIndex, 'write'>
  /** Called after every commit that changed something. */
  readonly wrote: (bytes: number) => void
}

export function createEventWriter({ db, state, sizes, search, wrote }: Parts): EventWriter {
  const indexing = createIndexing(db, state, sizes)

  function change(plan: () => Decided, most: boolean): Decided {
    let settle: (() => void) | undefined
    let settleSearch: (() => void) | undefined
    const decided = inTransaction(db, () => {
      const planned = plan()
      writeAdded(db, planned)
      writeRemoved(db, planned.removed, (seq) => hasRows(state, seq))
      const { indexed, moving } = countRemoved(planned)
      // `progress` counts only events with all their rows.
      if (indexed > 0) db.run('UPDATE progress SET events = events - ?', [indexed])
      settle = indexing.write(most ? 'most' : growthOf(planned), moving)
      settleSearch = search?.write(planned)
      return planned
    })
    recordChange(state, decided)
    settle?.()
    settleSearch?.()
    const bytes = bytesOf(decided) + (settle ? SLICE_BYTES : 0)
    if (bytes > 0) wrote(bytes)
    return decided
  }

  function countRemoved({ removed }: Decided) {
    const { indexed: limit, generation } = state
    let [indexed, moving] = [0, 0]
    for (const { seq } of removed)
      if (seq <= limit) indexed++
      else if (generation && seq <= generation.upTo) moving++
    return { indexed, moving }
  }

  return {
    commit(plan) {
      indexing.begin(false)
      return change(plan, false)
    },
    step(eager) {
      indexing.begin(eager)
      if (!state.generation) return false
      change(() => NO_CHANGE, true)
      return true
    },
  }
}

/** Deletions count like additions: one deletion may remove two thousand events. */
function growthOf({ added, removed }: Decided): Growth {
  let bytes = 0
  for (const { text } of added) bytes += weightOf(text)
  return { events: Math.max(added.length, removed.length), bytes }
}

function bytesOf({ added, removed }: Decided): number {
  let bytes = removed.length * REMOVED_BYTES
  for (const { text } of added) bytes += text.bytes.length
  return bytes
}
