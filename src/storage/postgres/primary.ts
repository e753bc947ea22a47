// Finds the primary among several hosts, and makes sure that a connection to it shows only what is on a second machine.

import { type DatabaseHost, formatDatabaseHost } from '../../lib/database-address.js'
import { databaseNotReplicated, databaseServerOld, databaseWentBack, schemaMissing } from '../errors.js'
import type { Connection } from './driver.js'
import { noneUsable, type UnusedHost, unusedBecause } from './hosts.js'
import { requireStep } from './migrate.js'
import type { PostgresParts } from './place.js'
import { isAbsence } from './sql-errors.js'
import type { Watermark } from './watermark.js'
import { within } from './within.js'

/** How long one question to a host may take, connecting apart. */
const ANSWER_MS = 1000
/** How long a standby may take to receive the barrier. */
const BARRIER_MS = 3000
/** Rows of `barrier`; a row is locked until a standby has it, so processes should use different ones. */
const BARRIER_ROWS = 1024
/** A row that only commands write: within a transaction it conflicts with no process. */
export const COMMAND_ROW = BARRIER_ROWS
const OLDEST_SERVER = 15

export interface Primary {
  readonly connection: Connection
  /** Differs after a restart of the server, and for another server behind the same address. */
  readonly server: string
}

export interface PrimaryFinder {
  /**
   * A connection whose barrier a standby has. One call at a time. Rejects with DATABASE_UNREACHABLE when it may go better later, else with
   * what has to be changed: DATABASE_REFUSED (by every host), DATABASE_NOT_REPLICATED, DATABASE_SERVER_OLD, DATABASE_POOLED, DATABASE_SESSION,
   * DATABASE_WENT_BACK, SCHEMA_…
   */
  find(): Promise<Primary>
  /** Resolves when a barrier that was given up meanwhile arrived; then `find` is worth a try. */
  arrived(): Promise<unknown>
  close(): void
}

/** Open connections as the finder needs them: `connect` of driver.ts. */
export type OpenHost = (host: DatabaseHost) => Promise<Connection>

export interface FinderParts extends PostgresParts {
  readonly open: OpenHost
  readonly watermark: Watermark
  /** Throws what speaks against a connection that is sound otherwise. */
  readonly requireFit?: ((connection: Connection) => Promise<void>) | undefined
  /** Makes the rows fit for this primary, on every new connection, after its barrier and before it is used. Throws to refuse it. */
  readonly prepare?: ((connection: Connection, watermark: Watermark) => Promise<void>) | undefined
}

/** What a host turned out to be. */
type Finding = Primary | Pick<UnusedHost, 'reason'>

export function createPrimaryFinder(parts: FinderParts): PrimaryFinder {
  const { place, service, clock, random, log, open, watermark, requireFit } = parts
  const { hosts } = place.address
  /** Barriers that no standby had received in time: each holds one slot of the server, and no second one is taken. */
  const waiting = new Map<DatabaseHost, { readonly primary: Primary; readonly barrier: Promise<void> }>()
  /** Reasons that are in the log. */
  const loggedCauses = new Map<string, string>()
  let first = 0

  async function look(host: DatabaseHost): Promise<Finding> {
    const before = waiting.get(host)
    if (before) return orClosed(before.primary.connection, () => awaitBarrier(host, before.primary, before.barrier))
    const connection = await open(host)
    return orClosed(connection, async () => {
      const server = await within(clock, ANSWER_MS, inspect(connection, place.unsafe === 'single'))
      if (server === 'late') return closed(connection, 'no answer')
      if (server === 'standby') return closed(connection, 'a standby')
      const barrier = writeBarrier(connection, randomRow(random))
      return await awaitBarrier(host, { connection, server }, barrier)
    })
  }

  /** What is not used is closed: each connection takes a slot of the server. */
  async function orClosed(connection: Connection, work: () => Promise<Finding>): Promise<Finding> {
    try {
      return await work()
    } catch (error) {
      connection.close()
      throw isAbsence(error) ? schemaMissing(place.schema, connection.host) : error
    }
  }

  async function awaitBarrier(host: DatabaseHost, primary: Primary, barrier: Promise<void>): Promise<Finding> {
    waiting.set(host, { primary, barrier })
    const forget = () => waiting.delete(host)
    // Also when it fails long after it was given up.
    barrier.catch(() => {
      forget()
      primary.connection.close()
    })
    if ((await within(clock, BARRIER_MS, barrier)) === 'late') return { reason: 'no standby has received a commit' }
    forget()
    if (!primary.connection.isSound) return closed(primary.connection, 'gave up waiting for a standby')
    const fit = requireStep(primary.connection, place.schema, service)
      .then(() => requireMarks(primary.connection, watermark))
      .then(() => requireFit?.(primary.connection))
    if ((await within(clock, ANSWER_MS, fit)) === 'late') return closed(primary.connection, 'no answer')
    // It may write, which a standby has to receive.
    const prepared = parts.prepare?.(primary.connection, watermark) ?? Promise.resolve()
    return (await within(clock, BARRIER_MS, prepared)) === 'late' ? closed(primary.connection, 'no answer') : primary
  }

  /** A primary was found all the same: what is wrong with the others is in no error. */
  function tell(unused: readonly UnusedHost[]): void {
    for (const { host, reason: cause, failure } of unused) {
      if (failure && loggedCauses.get(host) !== cause)
        log?.warn({ host, cause }, 'a host of the database is passed over')
      if (failure) loggedCauses.set(host, cause)
      else loggedCauses.delete(host)
    }
  }

  return {
    async find() {
      const unused: UnusedHost[] = []
      for (let tried = 0; tried < hosts.length; tried++) {
        const at = (first + tried) % hosts.length
        const host = hosts[at] as DatabaseHost
        const finding = await look(host).catch((error: unknown) => unusedBecause(error, host))
        if ('server' in finding) {
          first = at
          tell(unused)
          return finding
        }
        unused.push({ host: formatDatabaseHost(host), ...finding })
      }
      throw noneUsable(unused, service.daemon)
    },
    arrived: () =>
      Promise.race([
        new Promise(() => {}),
        ...[...waiting.values()].map(({ barrier }) => barrier.catch(() => undefined)),
      ]),
    close() {
      for (const { primary } of waiting.values()) primary.connection.close()
    },
  }
}

const BARRIER = `INSERT INTO barrier (id, at) VALUES (?, now()) ON CONFLICT (id) DO UPDATE SET at = excluded.at`
const HAS_STANDBYS = "current_setting('synchronous_standby_names') <> ''"
const INSPECT = `SELECT pg_is_in_recovery(), current_setting('server_version_num')::int / 10000,
  ${HAS_STANDBYS}, pg_postmaster_start_time()::text`
const KNOWN_MARKS = 'SELECT count(*) FROM written WHERE id = ANY (?::uuid[])'

/** When a standby has the commit of it, it has everything that is visible on this connection. */
export const writeBarrier = async (connection: Connection, row: number): Promise<void> =>
  void (await connection.run(BARRIER, [row]))

export const randomRow = (random: PostgresParts['random']): number => {
  const [high = 0, low = 0] = random.bytes(2)
  return (high * 256 + low) % BARRIER_ROWS
}

/** Whether commits still wait for a standby: the setting may change under a connection. */
export const isReplicated = async (db: Pick<Connection, 'get'>): Promise<boolean> =>
  (await db.get(`SELECT 1 WHERE ${HAS_STANDBYS}`)) !== undefined

/** The identity of a primary. Throws DATABASE_SERVER_OLD, DATABASE_NOT_REPLICATED. */
export async function inspect(connection: Connection, mayBeSingle: boolean): Promise<string | 'standby'> {
  const [isStandby, version, hasStandbys, started] = (await connection.get(INSPECT)) ?? []
  if (Number(version) < OLDEST_SERVER) throw databaseServerOld(connection.host, Number(version))
  if (isStandby === 't') return 'standby'
  if (hasStandbys !== 't' && !mayBeSingle) throw databaseNotReplicated(connection.host)
  return `${connection.host} ${started}`
}

/** Throws DATABASE_WENT_BACK when the database has lost what it acknowledged to this process. */
async function requireMarks(connection: Connection, watermark: Watermark): Promise<void> {
  const expected = watermark.expected()
  if (expected.length === 0) return
  const [known] = (await connection.get(KNOWN_MARKS, [`{${expected.join(',')}}`])) ?? []
  if (Number(known) === expected.length) return
  const missing = expected.length - Number(known)
  await watermark.goneBack(missing)
  throw databaseWentBack(missing)
}

function closed(connection: Connection, reason: string): Finding {
  connection.close()
  return { reason }
}
