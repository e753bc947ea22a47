// Opens the PostgreSQL side of one service: its pool, its transactions, its watermark.
import type { GrinpayError } from '../../lib/errors.js'
import { databaseUnavailable, databaseWentBack } from '../errors.js'
import { ANY_NODE_STATEMENT_MS, createAnyNode, createReadAnywhere, type ReadAnywhere } from './any-node.js'
import { type Bell, createBell } from './bell.js'
import { type Connection, connect } from './driver.js'
import { noneUsable, type UnusedHost, unusedBecause } from './hosts.js'
import { createInstances, type Instances } from './instances.js'
import { keepLease, type Lease, type LeaseKeeper } from './leases.js'
import { migrateSchema } from './migrate.js'
import type { PostgresParts } from './place.js'
import { createPool, type Pool } from './pool.js'
import { createPrimaryFinder, type FinderParts, inspect, isReplicated, type OpenHost } from './primary.js'
import { createTransactions, STATEMENT_MS, type Transactions } from './transactions.js'
import { openWatermark, type Watermark, type WatermarkParts } from './watermark.js'

export interface OpenPostgres extends Transactions {
  readonly pool: Pool
  /** Reads that may be a little older while the primary is away: then any node answers them. */
  readonly readAnywhere: ReadAnywhere
  /** A UUID of this process, in its leases and its row among the instances. */
  readonly holder: string
  /** What the processes that share the schema say of themselves. */
  readonly instances: Instances
  /** Rings and listens within this schema, on connections of its own. The caller closes it. */
  createBell(): Bell
  /** What this process must find again. */
  readonly watermark: Watermark
  /** Runs `work` whenever this process, among those that share the schema, holds the lease. */
  keepLease(name: string, work: (lease: Lease) => Promise<void>): LeaseKeeper
  /** Resolves with DATABASE_WENT_BACK when the database has lost changes that it had acknowledged; nothing is read or written any more. */
  readonly failure: Promise<GrinpayError>
  close(): Promise<void>
}

export interface OpenPostgresParts extends PostgresParts, Pick<FinderParts, 'prepare'> {
  readonly watermarkFile?: WatermarkParts['file']
  /** Default: 5 s. */
  readonly patienceMs?: number
  /** How many changes are made at once; default: each after the one before. */
  readonly atOnce?: number
  /** Default: 10. */
  readonly mostConnections?: number
  /** Asked of every new connection: throws what speaks against it. */
  readonly requireFit?: (connection: Connection) => Promise<void>
}

/**
 * Connects once. Throws what has to be changed (DATABASE_REFUSED, DATABASE_NOT_REPLICATED, DATABASE_WENT_BACK, DATABASE_POOLED, SCHEMA_…);
 * with `mustAnswer`, as for commands, also DATABASE_UNREACHABLE. A daemon starts without a primary, and waits for one.
 */
export async function openPostgres(
  parts: OpenPostgresParts,
  { mustAnswer }: { readonly mustAnswer: boolean },
): Promise<OpenPostgres> {
  const { clock, random, watermarkFile, patienceMs, atOnce, mostConnections } = parts
  const watermark = await openWatermark({ file: watermarkFile, now: clock.now })
  if (watermark.hasGoneBack) throw databaseWentBack(watermark.expected().length)
  const open = opener(parts, STATEMENT_MS)
  const createFinder = () => createPrimaryFinder({ ...parts, open, watermark })
  const pool = createPool({
    daemon: parts.service.daemon,
    finder: createFinder(),
    clock,
    log: parts.log,
    ...(mostConnections && { most: mostConnections }),
  })
  const anyNode = createAnyNode(parts, opener(parts, ANY_NODE_STATEMENT_MS))
  const close = async () => {
    anyNode.close()
    await pool.close()
    await watermark.close()
  }
  try {
    pool.release(await pool.acquire(clock.monotonic() + FIRST_ANSWER_MS))
  } catch (error) {
    const isAway = databaseUnavailable.is(error)
    if (mustAnswer || !isAway) {
      await close()
      throw isAway ? (pool.trouble ?? error) : error
    }
  }
  const transactions = createTransactions({
    pool,
    watermark,
    clock,
    random,
    ...(patienceMs && { patienceMs }),
    ...(atOnce && { atOnce }),
  })
  const holder = random.uuid()
  const instances = createInstances(transactions, clock, holder, async () => {
    if (parts.place.unsafe !== 'single' && !(await transactions.read(isReplicated))) pool.renew()
  })
  const createOwnBell = () => createBell({ channel: parts.place.schema, finder: createFinder(), clock })
  return {
    ...transactions,
    ...{ pool, instances, holder, watermark, close },
    readAnywhere: createReadAnywhere({ pool, read: transactions.read }, anyNode),
    createBell: createOwnBell,
    keepLease: (name, work) => keepLease({ name, holder, transactions, clock, log: parts.log, work }),
    failure: watermark.lost.then(databaseWentBack),
  }
}

const FIRST_ANSWER_MS = 5000

/** Opens connections of this service. `statementMs`: after this the server cancels a statement; 0: never. */
export const opener =
  ({ place: { address, schema }, service }: Pick<PostgresParts, 'place' | 'service'>, statementMs: number): OpenHost =>
  (host) =>
    connect({ address, host, schema, applicationName: `grinpay ${service.name}`, statementMs })

/** Runs `work` on a plain connection to the primary, without barrier and schema. Throws DATABASE_UNREACHABLE. */
export async function onPrimary<T>(
  parts: Pick<PostgresParts, 'place' | 'service'>,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const { address, unsafe } = parts.place
  const unused: UnusedHost[] = []
  for (const host of address.hosts) {
    let connection: Connection | undefined
    let isFound = false
    try {
      connection = await opener(parts, 0)(host)
      isFound = (await inspect(connection, unsafe === 'single')) !== 'standby'
      if (isFound) return await work(connection)
      unused.push({ host: connection.host, reason: 'a standby' })
    } catch (error) {
      if (isFound) throw error
      unused.push(unusedBecause(error, host))
    } finally {
      connection?.close()
    }
  }
  throw noneUsable(unused, parts.service.daemon)
}

/** `grinpay store migrate`: answers the steps that were missing. */
export const migrateOnPrimary = (parts: Pick<PostgresParts, 'place' | 'service'>): Promise<readonly number[]> =>
  onPrimary(parts, (connection) => migrateSchema(connection, parts.place.schema, parts.service))
