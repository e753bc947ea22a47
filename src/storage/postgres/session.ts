// What a session must be, whatever the operator set for the role, the database or the server. Everything that durability or the meaning of a
// statement rests on is set by the connection itself and read back before it is used.
import { messageOf } from '../../lib/errors.js'
import { databasePooled, databaseSessionUnfit } from '../errors.js'
import { sqlStateOf } from './sql-errors.js'

export type SessionSettings = Readonly<Record<string, string>>

/**
 * Everybody may set these, and every supported server knows them. Values as the server shows them.
 * `client_min_messages`: only a warning shows that a wait for a standby was cancelled. `row_security` off: a policy that would hide rows is an error.
 * `jit`: compiling costs more than any of our statements. `enable_seqscan`: a small table would be read whole, and then SERIALIZABLE takes
 * every write to it for a conflict; each search of ours has its index. `idle_in_transaction_session_timeout`: a transaction that this process
 * forgot must not hold locks.
 */
const STARTUP: SessionSettings = {
  role: 'none',
  client_min_messages: 'warning',
  synchronous_commit: 'on',
  default_transaction_isolation: 'read committed',
  default_transaction_read_only: 'off',
  default_transaction_deferrable: 'off',
  row_security: 'off',
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  array_nulls: 'on',
  exit_on_error: 'off',
  lock_timeout: '0',
  idle_session_timeout: '0',
  idle_in_transaction_session_timeout: '10s',
  client_encoding: 'UTF8',
  bytea_output: 'hex',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  extra_float_digits: '1',
  default_tablespace: '',
  default_table_access_method: 'heap',
  jit: 'off',
  enable_seqscan: 'off',
  enable_indexscan: 'on',
  plan_cache_mode: 'auto',
}

/** The server ends the session of a machine that is gone within a minute. Not read back: some systems do not know all of them. */
const KEEPALIVE = '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3'

/** Only a superuser may set these, or an older server does not know them: they are set only where they differ. */
const AFTERWARDS: SessionSettings = {
  session_replication_role: 'origin',
  zero_damaged_pages: 'off',
  ignore_checksum_failure: 'off',
  transaction_timeout: '0',
}

/** The settings of one session. `statementMs`: a time limit for each statement, below a minute; 0: none. */
export const sessionOf = (schema: string, statementMs: number): SessionSettings => ({
  ...STARTUP,
  search_path: schema,
  statement_timeout: statementMs % 1000 === 0 ? `${statementMs / 1000}s`.replace(/^0s$/, '0') : `${statementMs}ms`,
})

/** For the message that begins a session: these count for more than what was set for role or database. */
export const startupOptions = (session: SessionSettings): string =>
  [KEEPALIVE, ...Object.entries(session).map(([name, value]) => `-c ${name}=${value.replace(/[\\ ]/g, '\\$&')}`)].join(
    ' ',
  )

/** Runs one statement, nothing bound; texts as the server shows them, null for NULL. */
export type Ask = (sql: string) => Promise<readonly (readonly (string | null)[])[]>

interface BegunSession {
  readonly host: string
  readonly session: SessionSettings
  /** The process that the server named when the session began. */
  readonly processId: number | null
  readonly ask: Ask
}

/** Throws DATABASE_POOLED, DATABASE_SESSION. */
export async function requireSession({ host, session, processId, ask }: BegunSession): Promise<void> {
  const wanted = { ...session, ...AFTERWARDS }
  for (const isLast of [false, true]) {
    const [[process = null] = [], ...rows] = await ask(readBack(Object.keys(wanted)))
    if (Number(process) !== processId) throw databasePooled(host)
    const differing = rows.flatMap(([name, value = null]) => {
      const needed = wanted[name ?? '']
      return value === null || needed === undefined || value === needed ? [] : [{ name: name ?? '', value, needed }]
    })
    const [first] = differing
    if (first === undefined) return
    if (isLast) throw databaseSessionUnfit(host, first)
    for (const one of differing) await set(one, host, ask)
  }
}

interface Difference {
  readonly name: string
  readonly value: string
  readonly needed: string
}

async function set(difference: Difference, host: string, ask: Ask): Promise<void> {
  try {
    await ask(`SELECT set_config('${difference.name}', '${difference.needed}', false)`)
  } catch (error) {
    // Without the right to set it; anything else, as a lost connection, is no finding.
    if (sqlStateOf(error) !== '42501') throw error
    throw databaseSessionUnfit(host, difference)
  }
}

/** A row of the process that answers, then one of each setting; null for one that the server does not know. Names are ours. */
const readBack = (names: readonly string[]): string =>
  `SELECT pg_backend_pid()::text, NULL UNION ALL SELECT name, current_setting(name, true) FROM unnest('{${names.join(',')}}'::text[]) AS name`

/** What poolers answer to settings in the message that begins a session. */
const POOLER = /^unsupported startup parameter/

/** Whether a pooler refused to begin a session. */
export const isPooler = (thrown: unknown): boolean => sqlStateOf(thrown) === '08P01' && POOLER.test(messageOf(thrown))
