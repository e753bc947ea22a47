// Group commit: verbs that arrive together share one transaction and one fsync.
import { causedBy, messageOf } from '../../lib/errors.js'
import { databaseClosed, databaseWriteFailed } from '../errors.js'
import { isDiskFull, type Sqlite, withRoom } from './sqlite.js'

/** Bounds how long one flush holds the event loop and the write lock. */
const MAX_BATCH = 256

/** Runs a verb with the write lock held; the promise resolves with its answer once that is on the disk. */
export type Write = <T>(verb: () => T) => Promise<T>

interface Waiting {
  /** Runs the verb and gives what is to be done once its effects are durable. */
  readonly execute: () => () => void
  readonly reject: (error: unknown) => void
}

/**
 * A queue of write verbs on one connection. A verb must be synchronous; one that throws undoes and rejects only itself. It may run twice, on a
 * disk that was full: what it changes in memory is the same then.
 * When the commit fails all verbs of its batch are rejected, and whether they will be found later is unknown.
 */
export function createWriteQueue(db: Sqlite): { readonly write: Write; close(): void } {
  const waiting: Waiting[] = []
  let closed = false

  function flush(): void {
    const batch = waiting.splice(0, MAX_BATCH)
    if (waiting.length > 0) setImmediate(flush)
    for (const settle of commit(db, batch)) settle()
  }

  return {
    write: (verb) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(databaseClosed())
        const execute = () => {
          const answer = verb()
          return () => resolve(answer)
        }
        if (waiting.push({ execute, reject }) === 1) setImmediate(flush)
      }),
    /** Writes what is waiting, then takes no more. */
    close() {
      closed = true
      while (waiting.length > 0) flush()
    },
  }
}

/** Runs a batch in one transaction; never throws. Returns one settling function per verb. */
function commit(db: Sqlite, batch: readonly Waiting[]): readonly (() => void)[] {
  if (batch.length === 0) return []
  try {
    return withRoom(db, () => tryCommit(db, batch))
  } catch (cause) {
    const failure = causedBy(databaseWriteFailed(messageOf(cause)), cause)
    return batch.map(
      ({ reject }) =>
        () =>
          reject(failure),
    )
  }
}

/** Throws, with the transaction ended, when not all of the batch is durable. */
function tryCommit(db: Sqlite, batch: readonly Waiting[]): readonly (() => void)[] {
  try {
    db.script('BEGIN IMMEDIATE')
    const settlements = batch.map((verb) => attempt(db, verb))
    db.script('COMMIT')
    return settlements
  } catch (error) {
    throw giveUp(db, error)
  }
}

/** Ends the transaction. One that cannot even be ended fails every later batch at its BEGIN, and so readiness too. */
function giveUp(db: Sqlite, error: unknown): unknown {
  try {
    if (db.inTransaction) db.script('ROLLBACK')
    return error
  } catch (rollbackError) {
    return rollbackError
  }
}

function attempt(db: Sqlite, { execute, reject }: Waiting): () => void {
  db.run('SAVEPOINT verb')
  try {
    const settle = execute()
    db.run('RELEASE verb')
    return settle
  } catch (error) {
    // SQLite ends the whole transaction by itself on some errors; what follows must not run outside of one. On a full disk all of it is repeated.
    if (!db.inTransaction || isDiskFull(error)) throw error
    db.run('ROLLBACK TO verb')
    db.run('RELEASE verb')
    return () => reject(error)
  }
}
