// Where a store stands that follows a shared log. Position, time and digest of decisions are written in the transaction of each entry, so a restart
// continues exactly behind the last entry applied.
import { createHash } from 'node:crypto'
import type { LogMark, LogSettings, StoreOutcome } from '../../../relay/index.js'
import { EVENTS_FILE } from '../../sqlite/kinds.js'
import { naming, withFile } from '../../sqlite/open-file.js'
import { inTransaction, type Sqlite } from '../../sqlite/sqlite.js'

export interface LogPosition extends LogMark {
  /** 32 bytes, of all decisions up to here. */
  readonly digest: Uint8Array
  /** Of the last `settings` entry; undefined: there was none. */
  readonly settings: LogSettings | undefined
}

/** The table exists only in the file of a relay that follows a log. */
const CREATE = `CREATE TABLE IF NOT EXISTS log_position (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  pos INTEGER NOT NULL,
  at INTEGER NOT NULL,
  digest BLOB NOT NULL,
  settings TEXT,
  log TEXT,
  founder TEXT NOT NULL
) STRICT;`
const BEGIN = 'INSERT OR IGNORE INTO log_position (only, pos, at, digest, founder) VALUES (1, 0, 0, zeroblob(32), ?)'
const READ = 'SELECT pos, at, digest, settings FROM log_position'
const MEMBERSHIP = 'SELECT log, founder FROM log_position'
const BIND = 'UPDATE log_position SET log = ?'
/** Times go on from the last entry. */
const ANEW = 'UPDATE log_position SET pos = 0, digest = zeroblob(32), log = NULL, founder = ?'
const WRITE = 'UPDATE log_position SET pos = ?, at = ?, digest = ?, settings = ?'

/** Their numbers in digests, which all versions of the program share. */
const CODES: Readonly<Record<StoreOutcome, number>> = {
  stored: 1,
  duplicate: 2,
  replaced: 3,
  deleted: 4,
  expired: 5,
  foreign: 6,
  'too much': 7,
}

/** True when this file belongs to a relay that follows a log. */
export const followsLog = (db: Sqlite): boolean =>
  db.get("SELECT 1 FROM sqlite_schema WHERE name = 'log_position'") !== undefined

export function readPosition(db: Sqlite): LogPosition {
  const [pos, at, digest, settings] = db.get(READ) ?? []
  return {
    pos: Number(pos),
    at: Number(at),
    digest: digest instanceof Uint8Array ? Uint8Array.from(digest) : new Uint8Array(32),
    // Only this program writes this column.
    settings: typeof settings === 'string' ? (JSON.parse(settings) as LogSettings) : undefined,
  }
}

/** Which log a store follows. */
export interface LogMembership {
  /** UUID; undefined: none yet. */
  readonly log: string | undefined
  /** UUID of the store, for a log that begins with it. */
  readonly founder: string
}

export function readMembership(db: Sqlite): LogMembership {
  const [log, founder] = db.get(MEMBERSHIP) ?? []
  return { log: typeof log === 'string' ? log : undefined, founder: String(founder) }
}

export interface PositionKeeper {
  membership(): LogMembership
  /** From now on it follows this log. */
  bind(log: string): void
  current(): LogPosition
  /** The time of an entry: never before that of the entry before it. Throws when an entry was left out or comes twice. */
  timeOf(mark: LogMark): number
  /** Within the transaction of the entry. */
  write(next: LogPosition): void
  /** After the commit. */
  settle(next: LogPosition): void
}

/** Belongs to no log any more, within a transaction. `founder`: a new UUID. */
export function bindAnew(db: Sqlite, founder: string): void {
  db.script(CREATE)
  db.run(BEGIN, [founder])
  db.run(ANEW, [founder])
}

/** `founder`: a new UUID, for a store that has none. */
export function openPosition(db: Sqlite, founder: string): PositionKeeper {
  db.script(CREATE)
  inTransaction(db, () => db.run(BEGIN, [founder]))
  let current = readPosition(db)
  return {
    membership: () => readMembership(db),
    bind: (log) => void inTransaction(db, () => db.run(BIND, [log])),
    current: () => current,
    timeOf({ pos, at }) {
      if (pos !== current.pos + 1) throw new Error(`entry ${pos} of the log came after entry ${current.pos}`)
      return Math.max(at, current.at)
    },
    write: ({ pos, at, digest, settings }) =>
      db.run(WRITE, [pos, at, digest, settings === undefined ? null : JSON.stringify(settings)]),
    settle(next) {
      current = next
    },
  }
}

/** The position after an entry with these outcomes. */
export function positionAfter(
  before: LogPosition,
  { pos, at }: LogMark,
  outcomes: readonly StoreOutcome[],
): LogPosition {
  const head = Buffer.alloc(16)
  head.writeBigInt64BE(BigInt(pos), 0)
  head.writeBigInt64BE(BigInt(at), 8)
  const codes = Uint8Array.from(outcomes, (outcome) => CODES[outcome])
  const digest = Uint8Array.from(createHash('sha256').update(before.digest).update(head).update(codes).digest())
  return { pos, at, digest, settings: before.settings }
}

// A copy of a relay's database, looked at and made ready for another front end.

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
