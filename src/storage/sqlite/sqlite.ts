// The only file that knows libsql: everything above sees SQL text, arrays of values and plain errors.

import {
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import Database from 'libsql'
import { hasCode } from '../../lib/errors.js'
import { databaseClosed } from '../errors.js'

/**
 * Integers are read as bigint, exactly; numbers may be given for them when they are safe integers. The `events` database has no others, and
 * reads them as numbers.
 */
export type SqlValue = bigint | number | string | Uint8Array | null
/** One row, in the order of the columns that were asked for. */
export type Row = readonly SqlValue[]

/** One connection. Every method is synchronous and throws the library's error, whose `code` names the cause; once closed, DATABASE_CLOSED. */
export interface Sqlite {
  readonly path: string
  /** False also after SQLite gave up a transaction by itself, e.g. on a full disk. */
  readonly inTransaction: boolean
  /** Runs a statement that answers no rows; gives the number of rows it changed. */
  run(sql: string, values?: Row): number
  get(sql: string, values?: Row): Row | undefined
  all(sql: string, values?: Row): readonly Row[]
  /**
   * Several statements, nothing bound, nothing answered. What may meet SQLITE_BUSY (BEGIN, COMMIT) belongs here: the library
   * leaves a prepared statement that was refused so unfinished, and every later read would keep its lock and its snapshot.
   */
  script(sql: string): void
  close(): void
}

/**
 * The first statements of a connection. WAL and FULL: a commit is on the disk when it returns, and readers never wait. The log grows to
 * 32 MB before it is merged: among a million invoices a merge costs 0.1 s whether it is of 4 or of 32 MB. The time to wait for
 * others comes first: choosing the log needs a lock as well. A daemon waits in its event loop, so it waits little: several parts of it one after the
 * other may meet the same lock, and within ten seconds it says that it is not ready.
 */
const PRAGMAS = {
  durable:
    'busy_timeout=3000;journal_mode=WAL;synchronous=FULL;wal_autocheckpoint=8000;foreign_keys=ON;cache_size=-32768',
  /**
   * `query_only`, because the library's own read-only option does not stop writes; `trusted_schema`, because the schema may be that of
   * another program's file, and must not call anything.
   */
  reading: 'busy_timeout=5000;foreign_keys=ON;query_only=ON;trusted_schema=OFF',
  marker: 'busy_timeout=100;synchronous=OFF',
  /**
   * A relay's events: NORMAL, so a commit survives a killed process and the log is synced when it is merged, or by `synced` of the event
   * store. The log is never merged by a commit: a worker does it. The inner pages of all indexes fit into the cache. The library maps at most
   * 2 GiB less 64 KiB of a file (SQLITE_MAX_MMAP_SIZE), whatever is asked for; it reads what lies beyond through its cache.
   */
  events:
    'busy_timeout=3000;page_size=4096;journal_mode=WAL;synchronous=NORMAL;wal_autocheckpoint=0;cache_size=-131072;mmap_size=2147418112;temp_store=MEMORY;journal_size_limit=134217728',
  /** Who looks at such a database. */
  'events-reading':
    'busy_timeout=5000;query_only=ON;trusted_schema=OFF;cache_size=-65536;mmap_size=2147418112;temp_store=MEMORY',
  /** A reader thread beside the one that writes: mapped pages need no cache, so it is small. */
  'events-reader':
    'busy_timeout=5000;query_only=ON;trusted_schema=OFF;cache_size=-8192;mmap_size=2147418112;temp_store=MEMORY',
  /** Who merges the log of such a database, or copies it, beside the one that writes. */
  merging: 'busy_timeout=5000;synchronous=NORMAL;wal_autocheckpoint=0;cache_size=-2048',
  /** For a private copy: one file when it is closed, and deleted content is overwritten. */
  copy: 'journal_mode=DELETE;synchronous=FULL;foreign_keys=ON;secure_delete=ON;trusted_schema=OFF',
} as const

/** Every file that this process has opened as a database. They stay: a closed connection keeps its locks until its statements are collected. */
const opened = new Set<string>()

/** The time of birth, because the number of a deleted file is given to the next one. */
const fileId = (path: string): string => {
  const { dev, ino, birthtimeNs } = statSync(path, { bigint: true })
  return `${dev}:${ino}:${birthtimeNs}`
}

/**
 * Whether this process has opened the file as a database. Such a file must not be opened and closed in another way: closing one descriptor
 * of a file drops all POSIX locks that the process holds on it, and then another process deletes the log that this one still writes to
 * (sqlite.org, "How To Corrupt An SQLite Database File", section 2.2). Throws ENOENT.
 */
export const isOpenedHere = (path: string): boolean => opened.has(fileId(path))

/** What writes from the start. Readers need room too, for the index of the log, unless another process has the database open. */
const WRITING = new Set<keyof typeof PRAGMAS>(['durable', 'events'])
const READING = new Set<keyof typeof PRAGMAS>(['reading', 'events-reading'])

const needsRoom = (path: string, kind: keyof typeof PRAGMAS): boolean =>
  WRITING.has(kind) || (READING.has(kind) && !existsSync(`${realPathOf(path)}-shm`))

const [MOST_SIGNED, MOST_UNSIGNED] = [2n ** 63n - 1n, 2n ** 64n - 1n]
const isWide = (value: SqlValue): value is bigint =>
  typeof value === 'bigint' && value > MOST_SIGNED && value <= MOST_UNSIGNED

/** Columns are signed: a value from 2^63 to 2^64-1 is kept as its two's complement. `u64Cell` reads it. */
const signed = (values: Row): Row =>
  values.some(isWide) ? values.map((value) => (isWide(value) ? BigInt.asIntN(64, value) : value)) : values

/** Opens a database file that exists. Prepared statements are kept for the life of the connection. */
export function openSqlite(path: string, kind: keyof typeof PRAGMAS): Sqlite {
  if (needsRoom(path, kind)) makeRoomToOpen(path)
  const db = new Database(path)
  opened.add(fileId(path))
  db.defaultSafeIntegers(!kind.startsWith('events'))
  for (const pragma of PRAGMAS[kind].split(';')) db.exec(`PRAGMA ${pragma}`)

  let isOpen = true
  const kept = <T>(make: (sql: string) => T): ((sql: string) => T) => {
    const statements = new Map<string, T>()
    return (sql) => {
      // The library itself would only say that something of an object is not there.
      if (!isOpen) throw databaseClosed()
      const known = statements.get(sql)
      if (known !== undefined) return known
      const made = make(sql)
      statements.set(sql, made)
      return made
    }
  }
  const writer = kept((sql) => db.prepare(sql))
  // Rows as arrays: twice as fast as objects, and no `_metadata` member beside the columns.
  const reader = () => kept((sql) => db.prepare(sql).raw(true))
  // One statement must not serve both: after `all` found no row, the library's next `get` finds none either.
  const one = reader()
  const many = reader()
  // Events have no such integers.
  const bound = kind.startsWith('events') ? (values: Row) => values : signed

  return {
    path,
    get inTransaction() {
      return db.inTransaction
    },
    run: (sql, values = []) => writer(sql).run(bound(values)).changes,
    get: (sql, values = []) => one(sql).get(bound(values)) as Row | undefined,
    all: (sql, values = []) => many(sql).all(bound(values)) as readonly Row[],
    script: (sql) => void db.exec(sql),
    close() {
      isOpen = false
      db.close()
    },
  }
}

/**
 * The whole of `work` or nothing of it; what only reads asks for `DEFERRED`. On a full disk `work` runs again when room can be made, so it
 * changes nothing but the database before it returns.
 */
export function inTransaction<T>(db: Sqlite, work: () => T, how: 'IMMEDIATE' | 'DEFERRED' = 'IMMEDIATE'): T {
  return withRoom(db, () => {
    db.script(`BEGIN ${how}`)
    try {
      const answer = work()
      db.script('COMMIT')
      return answer
    } catch (error) {
      if (db.inTransaction) db.script('ROLLBACK')
      throw error
    }
  })
}

/** Runs a whole transaction, again when the disk was full and room could be made: by the reserve, then by merging the log. */
export function withRoom<T>(db: Sqlite, transaction: () => T): T {
  const ways = [() => giveBackReserves(db.path), () => shortenLog(db)]
  for (;;) {
    try {
      return transaction()
    } catch (error) {
      if (!isDiskFull(error) || !oneWorks(ways)) throw error
    }
  }
}

export const isDiskFull = (error: unknown): boolean => hasCode(error, 'SQLITE_FULL')

/** Tries the ways in order, each once, until one works. */
function oneWorks(ways: (() => boolean)[]): boolean {
  for (let way = ways.shift(); way; way = ways.shift()) if (way()) return true
  return false
}

/** Readers of an old snapshot may keep the log as it is; a daemon waits so many milliseconds for them. */
const PATIENCE_MS = 250

/** Merges the log and gives its room to the disk. False: nothing was gained. */
function shortenLog(db: Sqlite): boolean {
  const before = logBytes(db.path)
  if (before === 0) return false
  const [usual] = db.all('PRAGMA busy_timeout')[0] ?? []
  db.script(`PRAGMA busy_timeout=${PATIENCE_MS}`)
  try {
    db.script('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // The write itself says that the disk is full.
  }
  db.script(`PRAGMA busy_timeout=${usual}`)
  return logBytes(db.path) < before
}

// The reserve of a database: a file beside it that takes room while there is enough, and is deleted when the disk is full. Then a start, and
// commands that free room, find room to work.

const END = '.reserve'
/** For people who find the file; nothing else is ever deleted. */
const TITLE = 'grinpay: this file only keeps room for a full disk. It may be deleted.\n'

/** Where the reserve of a database lies: beside the file itself, also where `path` is a symbolic link to it, so that it is on the same disk. */
const reservePathOf = (path: string): string => `${realPathOf(path)}${END}`

/** Where the file of a database lies, and so the files beside it. */
export const realPathOf = (path: string): string => (existsSync(path) ? realpathSync(path) : path)

/** Bytes that the reserves in the folder of a database keep; 0: there is none. */
export const reservedBytes = (path: string): number =>
  reservesBeside(path).reduce((sum, reserve) => sum + (statSync(reserve, { throwIfNoEntry: false })?.size ?? 0), 0)

/** Bytes of the write-ahead log of a database. */
export const logBytes = (path: string): number =>
  statSync(`${realPathOf(path)}-wal`, { throwIfNoEntry: false })?.size ?? 0

/** What ordinary users may still take on the disk of a database, and its size, in bytes. Throws what the system throws. */
export function roomBeside(path: string): { readonly free: number; readonly size: number } {
  const { bavail, blocks, bsize } = statfsSync(dirname(realPathOf(path)))
  return { free: bavail * bsize, size: blocks * bsize }
}

/**
 * Deletes every reserve in the folder of a database: what a till, a console and a relay keep there share one disk. False: there is none, or
 * this user may not delete it.
 */
export function giveBackReserves(path: string): boolean {
  let isGiven = false
  for (const reserve of reservesBeside(path)) {
    try {
      rmSync(reserve)
      isGiven = true
    } catch {
      // Another process was first, or owns the folder: the write that needs the room says what is wrong.
    }
  }
  return isGiven
}

/** Before a database is opened: a disk that has less room than the reserves keep gets them back. */
export function makeRoomToOpen(path: string): void {
  const kept = reservedBytes(path)
  if (kept > 0 && roomBeside(path).free < kept) giveBackReserves(path)
}

/** Only our own ones: files that begin with the title. */
export function reservesBeside(path: string): readonly string[] {
  const folder = dirname(realPathOf(path))
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(END))
      .map(({ name }) => join(folder, name))
      .filter(hasTitle)
  } catch {
    return [] // opening the database says why
  }
}

function hasTitle(path: string): boolean {
  const start = Buffer.alloc(TITLE.length)
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    readSync(file, start)
    return start.toString('latin1') === TITLE
  } finally {
    closeSync(file)
  }
}

interface ReserveOrder {
  /** Of the database. */
  readonly path: string
  readonly bytes: number
  /** What is written again and again: random, because some file systems keep no room for what they can compress. */
  readonly filling: Uint8Array
  readonly signal?: AbortSignal | undefined
}

/**
 * Writes the reserve, or what is missing of it. It takes room as soon as it is written, and is not synced: after a power cut it is written
 * again. Rejects with the system's error, with the room free again.
 */
export async function writeReserve({ path, bytes, filling, signal }: ReserveOrder): Promise<void> {
  const { O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW } = constants
  const file = await open(reservePathOf(path), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600)
  try {
    await fill(file, { bytes, filling, signal })
  } catch (error) {
    giveBackReserves(path)
    throw error
  } finally {
    await file.close()
  }
}

async function fill(file: FileHandle, { bytes, filling, signal }: Omit<ReserveOrder, 'path'>): Promise<void> {
  let { size } = await file.stat()
  if (size === 0) size += await write(file, Buffer.from(TITLE))
  while (size < bytes && !signal?.aborted) size += await write(file, filling.subarray(0, bytes - size))
}

async function write(file: FileHandle, piece: Uint8Array): Promise<number> {
  await file.writeFile(piece)
  return piece.length
}
