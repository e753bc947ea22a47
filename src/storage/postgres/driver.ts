// The only file that knows the PostgreSQL client: everything above sees SQL text, arrays of values and plain errors. It is loaded when a
// database address is set. The client's `binary` mode stays off: it returned wrong integers and damaged bytes (node-postgres, issue 3495).
import { readFileSync } from 'node:fs'
import { checkServerIdentity } from 'node:tls'
import pg from 'pg'
import {
  type DatabaseAddress,
  type DatabaseHost,
  formatDatabaseHost,
  parseDatabaseAddress,
} from '../../lib/database-address.js'
import { messageOf } from '../../lib/errors.js'
import { databasePooled, textInvalid } from '../errors.js'
import type { Row, SqlValue } from '../sqlite/sqlite.js'
import { type Ask, isPooler, requireSession, type SessionSettings, sessionOf, startupOptions } from './session.js'
import { ConnectionLost } from './sql-errors.js'

declare module 'pg' {
  interface Client {
    /** Its socket does not keep the process alive; missing in the types. */
    unref(): void
    /** The process of the server that answers; missing in the types. */
    readonly processID: number | null
  }
}

/** Values come and go as in SQLite: every integer and `numeric` is a bigint, `bytea` is bytes, a text is a string. */
export interface Connection {
  /** "host:port". */
  readonly host: string
  /**
   * False once it is lost or closed, and after the server gave up waiting for a standby: the commit under way is then neither known to be
   * done nor known to be undone.
   */
  readonly isSound: boolean
  /** Whether a statement has not been answered yet. */
  readonly isBusy: boolean
  /** Runs one statement with `?` for each value; gives the number of rows it changed. */
  run(sql: string, values?: Row): Promise<number>
  get(sql: string, values?: Row): Promise<Row | undefined>
  all(sql: string, values?: Row): Promise<readonly Row[]>
  /** As `run`, for a statement with RETURNING; gives the rows that it changed. */
  runReturning(sql: string, values?: Row): Promise<readonly Row[]>
  /** Several statements, nothing bound, nothing answered. */
  script(sql: string): Promise<void>
  /** The server cancels each statement that takes longer from now on, but no commit. */
  limitStatements(ms: number): Promise<void>
  /** Notifications of the channels that this connection listens to. */
  onNotification(heard: (payload: string) => void): void
  /** Resolves when the connection is lost or closed. */
  readonly ended: Promise<void>
  /** Also with a statement under way. No cancel request is ever sent. */
  close(): void
}

export interface ConnectParts {
  readonly address: DatabaseAddress
  readonly host: DatabaseHost
  /** What unqualified names belong to. */
  readonly schema: string
  /** Shown by the server in `pg_stat_activity`. */
  readonly applicationName: string
  /** The server cancels each statement that takes longer, but no commit. 0: none. */
  readonly statementMs: number
}

const CONNECT_TIMEOUT_MS = 1000
const KEEPALIVE_MS = 10_000

/** The function of the server that warns when it gives up waiting for a standby. Its name, unlike the message, is the same in every language. */
const WAIT_ROUTINE = 'SyncRepWaitForLSN'
/** Messages of a server that stops, or that gave up waiting for a standby, where it names no function. Code 01000 alone has many meanings. */
const UNSOUND_NOTICES = new Set(['01000', '57P01'])
const GAVE_UP = /canceling (?:the )?wait for synchronous replication|terminating connection/i

const [INT8, INT4, INT2, NUMERIC, BYTEA] = [20, 23, 21, 1700, 17]
const READERS = new Map<number, (text: string) => SqlValue>([
  [INT8, BigInt],
  [INT4, BigInt],
  [INT2, BigInt],
  [NUMERIC, BigInt],
  [BYTEA, (text) => new Uint8Array(Buffer.from(text.slice(2), 'hex'))],
])
const TYPES = {
  getTypeParser: (oid: number) => READERS.get(oid) ?? ((text: string) => text),
} as unknown as pg.CustomTypesConfig
const TEXTS = { getTypeParser: () => (text: string) => text } as unknown as pg.CustomTypesConfig

/** Rejects with what the client says of a refused or silent server, and with DATABASE_POOLED, DATABASE_SESSION. */
export async function connect(parts: ConnectParts): Promise<Connection> {
  const { address, host, schema, applicationName, statementMs } = parts
  const { database, tls } = address
  const { user, password } = loginOf(address)
  const session = sessionOf(schema, statementMs)
  const client = new pg.Client({
    host: host.host,
    port: host.port,
    user,
    // A function, so that neither the client nor an error of it holds the text.
    password: password ? () => password.reveal() : undefined,
    database,
    ssl: tls ? tlsOptions(host, tls.caFile) : false,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_MS,
    types: TYPES,
    options: startupOptions(session),
  })
  const watched = watch(client)
  const name = formatDatabaseHost(host)
  await client.connect().catch((error: unknown) => {
    throw isPooler(error) ? databasePooled(name) : error
  })
  const connection = createConnection(client, { host: name, watched, statementMs })
  await checkSession(client, connection, session)
  return connection
}

/** As its file has it now. A file that cannot be read, or holds no address, changes nothing. */
function loginOf(address: DatabaseAddress): Pick<DatabaseAddress, 'user' | 'password'> {
  if (address.file === undefined) return address
  try {
    return parseDatabaseAddress(readFileSync(address.file, 'utf8').replace(/[\r\n]+$/, ''))
  } catch {
    return address
  }
}

/** Closes what is not fit, or answers late. */
async function checkSession(client: pg.Client, connection: Connection, session: SessionSettings): Promise<void> {
  const timer = setTimeout(() => connection.close(), CONNECT_TIMEOUT_MS)
  const ask: Ask = async (text) =>
    (await client.query<(string | null)[]>({ text, rowMode: 'array', types: TEXTS })).rows
  try {
    await requireSession({ host: connection.host, session, processId: client.processID, ask })
  } catch (error) {
    connection.close()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

const tlsOptions = ({ host }: DatabaseHost, caFile: string | undefined) => ({
  rejectUnauthorized: true,
  // The client names the host only when it is no address.
  checkServerIdentity: (_name: string, certificate: Parameters<typeof checkServerIdentity>[1]) =>
    checkServerIdentity(host, certificate),
  ...(caFile === undefined ? {} : { ca: readFileSync(caFile, 'utf8') }),
})

interface Watched {
  isSound: boolean
  readonly ended: Promise<void>
}

/** Listens from the start: an error without a listener would end the process. */
function watch(client: pg.Client): Watched {
  const watched: Watched = {
    isSound: true,
    ended: new Promise((resolve) => {
      const end = () => {
        watched.isSound = false
        resolve()
      }
      client.on('error', end)
      client.on('end', end)
    }),
  }
  client.on('notice', ({ code = '', message = '', routine }) => {
    if (routine === WAIT_ROUTINE || (UNSOUND_NOTICES.has(code) && GAVE_UP.test(message))) watched.isSound = false
  })
  return watched
}

/** Every statement text is prepared once per connection, under a name. */
const names = new Map<string, { readonly name: string; readonly text: string }>()

/** `?` becomes $1, $2, …, and `?1` the first of all, however often it stands there; a statement has no other question mark. */
function statementOf(sql: string) {
  const known = names.get(sql)
  if (known !== undefined) return known
  let marks = 0
  const made = {
    name: `s${names.size + 1}`,
    text: sql.replace(/\?(\d*)/g, (_, number: string) => `$${number || ++marks}`),
  }
  names.set(sql, made)
  return made
}

interface Connected {
  readonly host: string
  readonly watched: Watched
  readonly statementMs: number
}

function createConnection(client: pg.Client, { host, watched, statementMs }: Connected): Connection {
  let limitMs = statementMs
  let isClosed = false
  let busy = 0
  async function waitFor<T>(answer: Promise<T>): Promise<T> {
    busy += 1
    try {
      return await answer
    } catch (error) {
      if (error instanceof pg.DatabaseError) throw error
      watched.isSound = false
      throw new ConnectionLost(messageOf(error), { cause: error })
    } finally {
      busy -= 1
    }
  }
  const query = (sql: string, values: Row) =>
    waitFor(client.query<SqlValue[]>({ ...statementOf(sql), values: values.map(checked), rowMode: 'array' }))
  const all = async (sql: string, values: Row = []) => (await query(sql, values)).rows
  return {
    host,
    get isSound() {
      return watched.isSound
    },
    get isBusy() {
      return busy > 0
    },
    ended: watched.ended,
    run: async (sql, values = []) => (await query(sql, values)).rowCount ?? 0,
    get: async (sql, values = []) => (await query(sql, values)).rows[0],
    all,
    runReturning: all,
    script: async (sql) => void (await waitFor(client.query(sql))),
    async limitStatements(ms) {
      if (ms === limitMs) return
      await waitFor(client.query(`SET statement_timeout = ${ms}`))
      limitMs = ms
    },
    onNotification: (heard) => void client.on('notification', ({ payload = '' }) => heard(payload)),
    close() {
      watched.isSound = false
      if (isClosed) return
      isClosed = true
      // With a statement under way the client drops the socket; otherwise it says goodbye.
      client.end().catch(() => undefined)
      client.unref()
    },
  }
}

/** PostgreSQL cannot store U+0000 in a text. Throws TEXT_INVALID. */
function checked(value: SqlValue): SqlValue {
  if (typeof value === 'string' && value.includes('\0')) throw textInvalid()
  return value
}
