// One change under one id. Its row in `written` commits with it. So a later attempt either finds the row of an attempt whose commit was never
// answered, and answers what that one had found; or inserts it, which proves that no attempt before took effect nor ever will.
import type { Connection } from './driver.js'
import { ConnectionLost, isConnectionLoss, sqlStateOf } from './sql-errors.js'

/**
 * Statements within a transaction, or one by one. A change has written when its verb called `run`, or `runReturning` with rows as its answer:
 * `get` and `all` are for what changes nothing.
 */
export type Queries = Pick<Connection, 'run' | 'runReturning' | 'get' | 'all'>

/** The server stopped waiting for a standby: the commit is done there and perhaps nowhere else. */
export class CommitUnknown extends ConnectionLost {
  constructor() {
    super('the server gave up waiting for a standby')
  }
}

type Attempt<T> = { readonly answer: T; readonly hasWritten: boolean } | { readonly error: unknown }

export interface Change<T> {
  /** Of its row in `written`. */
  readonly id: string
  /** One transaction; never throws. */
  attempt(connection: Connection): Promise<Attempt<T>>
}

/** `id`: a UUID. */
export function createChange<T>(verb: (db: Queries) => Promise<T>, id: string): Change<T> {
  /** The answers of attempts whose COMMIT was sent and not answered. */
  const unknown = new Map<number, T>()
  let attempts = 0

  async function begin(connection: Connection): Promise<Attempt<T> | undefined> {
    await connection.script('BEGIN ISOLATION LEVEL SERIALIZABLE')
    const [number] =
      unknown.size === 0 ? [] : ((await connection.get('SELECT attempt FROM written WHERE id = ?', [id])) ?? [])
    if (number === undefined) return undefined
    // After a wait that was cancelled the row may be on this machine only, and a commit that changes nothing waits for no standby.
    await connection.run('UPDATE written SET attempt = attempt WHERE id = ?', [id])
    await connection.script('COMMIT')
    if (!connection.isSound) throw new CommitUnknown()
    return { answer: unknown.get(Number(number)) as T, hasWritten: true }
  }

  async function commit(connection: Connection, number: number, hasWritten: boolean): Promise<void> {
    const record = hasWritten ? `INSERT INTO written (id, attempt) VALUES ('${id}', ${number}); ` : ''
    await connection.script(`${record}COMMIT`)
    if (!connection.isSound) throw new CommitUnknown()
  }

  return {
    id,
    async attempt(connection) {
      const number = ++attempts
      try {
        const before = await begin(connection)
        if (before) return before
        const { db, hasWritten } = noticingWrites(connection)
        const answer = await verb(db)
        if (hasWritten()) unknown.set(number, answer)
        await commit(connection, number, hasWritten())
        return { answer, hasWritten: hasWritten() }
      } catch (error) {
        // The server undid it, and says so; otherwise the commit may yet take effect.
        if (sqlStateOf(error) !== '' && !isConnectionLoss(error)) unknown.delete(number)
        if (connection.isSound) await connection.script('ROLLBACK').catch(() => connection.close())
        return { error }
      }
    },
  }
}

function noticingWrites(connection: Connection): { readonly db: Queries; hasWritten(): boolean } {
  let written = false
  return {
    db: {
      get: (sql, values) => connection.get(sql, values),
      all: (sql, values) => connection.all(sql, values),
      run(sql, values) {
        written = true
        return connection.run(sql, values)
      },
      async runReturning(sql, values) {
        const rows = await connection.runReturning(sql, values)
        written ||= rows.length > 0
        return rows
      },
    },
    hasWritten: () => written,
  }
}
