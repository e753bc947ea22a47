// Thread entry: long work on a relay's database, on a connection of its own.
import { parentPort } from 'node:worker_threads'
import { messageOf } from '../../../lib/errors.js'
import { copyDatabase } from '../../sqlite/migrate.js'
import { checkpointMost } from '../../sqlite/open-file.js'
import { inTransaction, openSqlite, type Sqlite } from '../../sqlite/sqlite.js'
import { countEvents } from '../stats.js'
import type { FromDatabaseThread, ToDatabaseThread } from './database-thread.js'

let db: Sqlite | undefined

function answer(message: ToDatabaseThread): FromDatabaseThread {
  db ??= openSqlite(message.path, 'merging')
  const own = db
  switch (message.kind) {
    case 'merge':
      return { kind: 'merged', ripe: checkpointMost(db) }
    case 'copy':
      copyDatabase(db, message.target)
      return { kind: 'copied' }
    case 'count':
      return { kind: 'counted', stats: inTransaction(own, () => countEvents(own), 'DEFERRED') }
    case 'close':
      db.close()
      db = undefined
      return { kind: 'closed' }
  }
}

parentPort?.on('message', (message: ToDatabaseThread) => {
  try {
    parentPort?.postMessage(answer(message))
  } catch (thrown) {
    parentPort?.postMessage({ kind: 'failed', problem: messageOf(thrown) } satisfies FromDatabaseThread)
  }
})
