// A copy of a relay's database, looked at and made ready for another front end.
import { EVENTS_FILE } from '../sqlite/kinds.js'
import { naming, withFile } from '../sqlite/open-file.js'
import { inTransaction, type Sqlite } from '../sqlite/sqlite.js'
import { bindAnew, followsLog, type LogMembership, readMembership, readPosition } from './write/position.js'

export interface LogCopy extends Pick<LogMembership, 'log'> {
  /** The last entry that is applied in it; 0: none. */
  readonly pos: number
}

/** Throws DATABASE_MISSING, DATABASE_UNUSABLE. */
export const readLogCopy = (path: string): LogCopy =>
  using(path, 'reading', (db) =>
    followsLog(db) ? { pos: readPosition(db).pos, log: readMembership(db).log } : { pos: 0, log: undefined },
  )

/** Takes the position away: the next empty log begins with these events. `founder`: a new UUID. */
export const beginLogWith = (path: string, founder: string): void =>
  using(path, 'copy', (db) => inTransaction(db, () => bindAnew(db, founder)))

const using = <T>(path: string, how: 'reading' | 'copy', work: (db: Sqlite) => T): T =>
  naming(path, EVENTS_FILE, () =>
    withFile(path, how, (db) => {
      const answer = work(db)
      db.close()
      return answer
    }),
  )
