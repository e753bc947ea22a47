// The console's database: sign-in links, sessions, and the audit log. The daemon and commands have it open at once; what must not happen
// twice is decided in one transaction.
import { existsSync } from 'node:fs'
import type { ConsoleStore } from '../../console/index.js'
import { databaseMissing } from '../errors.js'
import { createWriteQueue, type Write } from '../sqlite/group-commit.js'
import { CONSOLE_FILE } from '../sqlite/kinds.js'
import { migrate, requireSchema } from '../sqlite/migrate.js'
import { closeOnce, createOwnFile, naming, withFile } from '../sqlite/open-file.js'
import type { Sqlite } from '../sqlite/sqlite.js'
import { auditVerbs } from './audit.js'
import { peopleVerbs } from './people.js'
import { sessionVerbs } from './sessions.js'

export interface OpenConsoleStore extends ConsoleStore {
  close(): Promise<void>
}

/**
 * Opens or creates the database of a console. `mustExist`: for commands, which neither create it nor migrate it under a running daemon.
 * Throws DATABASE_MISSING, DATABASE_OLDER (both with `mustExist`), DATABASE_NEWER, DATABASE_FOREIGN, DATABASE_UNUSABLE.
 */
export async function openConsoleStore(parts: {
  readonly path: string
  readonly mustExist?: boolean
}): Promise<OpenConsoleStore> {
  const { path, mustExist = false } = parts
  if (mustExist && !existsSync(path)) throw databaseMissing(path)
  return naming(path, CONSOLE_FILE, () => {
    createOwnFile(path, CONSOLE_FILE)
    return withFile(path, 'durable', (db) => {
      if (mustExist) requireSchema(db, CONSOLE_FILE)
      else migrate(db, CONSOLE_FILE)
      db.script('PRAGMA cache_size=-1024')
      return assemble(db)
    })
  })
}

const verbsOf = (db: Sqlite, write: Write): ConsoleStore => ({
  ...sessionVerbs(db, write),
  ...peopleVerbs(db, write),
  ...auditVerbs(db, write),
})

function assemble(db: Sqlite): OpenConsoleStore {
  const { write, close } = createWriteQueue(db)
  return { ...verbsOf(db, write), close: closeOnce(db, close) }
}
