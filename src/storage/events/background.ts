// Background work of an open store: the database thread, syncs to disk, maintenance.
import type { Sqlite } from '../sqlite/sqlite.js'
import { startMaintenance } from './maintenance.js'
import type { Removal } from './removal/removal.js'
import { createRequestHandler } from './removal/requests.js'
import type { SearchIndex } from './search/search-index.js'
import type { EventStats } from './stats.js'
import { createCheckpointer } from './wal/checkpointer.js'
import { createDatabaseThread } from './wal/database-thread.js'
import { createFileSync, type FileSync } from './wal/file-sync.js'
import type { EventWriter } from './write/writer.js'

interface Parts {
  readonly db: Sqlite
  /** Syncs the database file; its opener closes it. */
  readonly file: FileSync
  readonly writer: EventWriter
  readonly search: Pick<SearchIndex, 'step'>
  readonly removal: Removal
}

export function startBackground({ db, file, writer, search, removal }: Parts) {
  const { path } = db
  const thread = createDatabaseThread(path)
  const log = createCheckpointer(db, thread, file)
  const sync = createFileSync(`${path}-wal`)
  const upkeep = startMaintenance({
    sweep: removal.sweep,
    index: () => writer.step(true),
    indexSearch: search.step,
    answerRequests: createRequestHandler(db, removal),
  })

  return {
    verbs: {
      synced: sync.synced,
      stats: async (): Promise<EventStats> => {
        const answer = await thread.ask({ kind: 'count', path })
        if (answer.kind !== 'counted') throw new Error('the merging thread did not count')
        return answer.stats
      },
      copyTo: async (target: string): Promise<void> => void (await thread.ask({ kind: 'copy', path, target })),
    },
    wrote: log.wrote,
    changed: upkeep.changed,
    async close(): Promise<void> {
      upkeep.close()
      await sync.close()
      await log.close()
    },
  }
}
