// Appends one batch after the other. The one under way is sent until its outcome is known, also after its clients got `OK false`:
// then it may still come, once.
import type { Clock } from '../../../lib/ports.js'
import type { LogEvent } from '../../../relay/index.js'
import { databaseClosed, databaseWentBack, databaseWriteFailed } from '../../errors.js'
import type { Connection } from '../driver.js'
import type { Pool } from '../pool.js'
import { isConnectionLoss, isRepeatable, reasonOf } from '../sql-errors.js'
import type { Batch, BatchContent, Queue } from './queue.js'
import type { LogRow } from './reader.js'
import { SHARD } from './schema.js'
import { useConnection } from './use.js'

const PAUSE_MS = 100
/** How often the patience is looked at. */
const LOOK_MS = 100

/**
 * One statement, one commit. The row in `head` is locked until a standby has the entry. No row comes back for a batch that stands in the log
 * already; while a server process still commits it, the statement waits for that.
 */
const APPEND = `WITH
  o AS (UPDATE origin SET oseq = ?::bigint WHERE shard = ${SHARD} AND origin = ?::uuid AND oseq = ?::bigint - 1 RETURNING 1),
  h AS (UPDATE head SET pos = pos + 1 WHERE shard = ${SHARD} AND EXISTS (SELECT 1 FROM o) RETURNING pos, rules)
INSERT INTO log (shard, pos, at, origin, oseq, body, rules)
  SELECT ${SHARD}, pos, ?::bigint, ?::uuid, ?::bigint, ?::text, rules FROM h RETURNING pos, rules`
const ENTER = `INSERT INTO origin (shard, origin, oseq) VALUES (${SHARD}, ?::uuid, 0) ON CONFLICT DO NOTHING`
/** A commit, so that its answer waits for a standby: what it sees may have been on this machine only, after a cancelled wait. */
const LAST = `UPDATE origin SET oseq = oseq WHERE shard = ${SHARD} AND origin = ?::uuid RETURNING oseq`

/** Where an entry stands. */
export type Place = Pick<LogRow, 'pos' | 'rules'>

/** A batch that was sent. */
export interface OwnEntry<Own extends LogEvent> {
  readonly oseq: number
  readonly at: number
  readonly body: string
  readonly deadline: number
  /** Undefined when its clients got `OK false`. */
  content: BatchContent<Own> | undefined
  /** Whether it stands in the log, on two machines. */
  isPlaced: boolean
  /** Monotonic: when that was known. */
  placedAt: number
}

interface WriterParts<Own extends LogEvent> {
  readonly origin: string
  readonly queue: Queue<Own>
  readonly pool: Pool
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Called before it is sent. */
  sending(entry: OwnEntry<Own>): void
  /** Batches that were sent and are not applied here yet. */
  sent(): readonly OwnEntry<Own>[]
  /** It has a place; undefined for a repetition: the log tells. */
  placed(entry: OwnEntry<Own>, place: Place | undefined): void
  /** It was sent, has no place and will have none. */
  withdrawn(entry: OwnEntry<Own>): void
  failed(content: BatchContent<Own>, cause: unknown): void
  /** The log does not know this process any more. */
  lost(error: unknown): void
}

/** A batch while it is sent, again and again if need be. */
interface Sent<Own extends LogEvent> {
  entry: OwnEntry<Own> | undefined
  /** A connection was lost after it had been sent. */
  mayStand: boolean
}

export interface Writer {
  /** Something waits in the queue. */
  wake(): void
  /** Tells everything that waits. After the signal. */
  close(): void
}

export function createWriter<Own extends LogEvent>(parts: WriterParts<Own>): Writer {
  const { origin, queue, pool, clock, signal } = parts
  let lastSeq = 0
  let hasEntered = false
  let isWriting = false
  const looking = setInterval(() => giveUpLate(clock.monotonic(), pool.unavailable()), LOOK_MS).unref()

  /** Clients whose time is over get `OK false`; what was sent goes on. */
  function giveUpLate(now: number, cause: unknown): void {
    for (const entry of parts.sent()) if (entry.deadline <= now) disown(entry, cause)
    for (const content of queue.takeLate(now)) parts.failed(content, cause)
  }

  function disown(entry: OwnEntry<Own>, cause: unknown): void {
    const { content } = entry
    entry.content = undefined
    if (content) parts.failed(content, cause)
  }

  /** What came until a connection was free goes together. */
  function begin(): OwnEntry<Own> | undefined {
    const batch: Batch<Own> | undefined = queue.take()
    const entry = batch && { ...batch, oseq: lastSeq + 1, at: clock.now(), isPlaced: false, placedAt: 0 }
    if (entry) parts.sending(entry)
    return entry
  }

  async function enter(connection: Connection): Promise<void> {
    if (!hasEntered) await connection.run(ENTER, [origin])
    hasEntered = true
  }

  /** Undefined when the entry stands in the log already. */
  async function send({ oseq, at, body }: OwnEntry<Own>, connection: Connection): Promise<Place | undefined> {
    const [pos, rules] = (await connection.get(APPEND, [oseq, origin, oseq, at, origin, oseq, body])) ?? []
    if (pos !== undefined) return { pos: Number(pos), rules: Number(rules) }
    const [last] = (await connection.get(LAST, [origin])) ?? []
    if (Number(last) !== oseq) throw databaseWentBack(1)
    return undefined
  }

  /** One batch, until its outcome is known. */
  async function writeNext(): Promise<void> {
    const sent: Sent<Own> = { entry: undefined, mayStand: false }
    while (!signal.aborted && !(await attempt(sent))) await clock.sleep(PAUSE_MS, signal)
  }

  /** Answers whether its outcome is known. */
  async function attempt(sent: Sent<Own>): Promise<boolean> {
    let isSent = false
    try {
      const place = await useConnection(pool, clock, async (connection) => {
        await enter(connection)
        sent.entry ??= begin()
        isSent = sent.entry !== undefined
        return sent.entry && send(sent.entry, connection)
      })
      if (sent.entry) settle(sent.entry, place)
      return true
    } catch (error) {
      return isSent ? explain(sent, error) : lostBy(error)
    }
  }

  /** Whether the error says how it ended. */
  function explain(sent: Sent<Own>, error: unknown): boolean {
    if (lostBy(error)) return true
    if (isConnectionLoss(error)) sent.mayStand = true
    if (sent.mayStand || isRepeatable(error)) return false
    if (sent.entry) withdraw(sent.entry, error)
    return true
  }

  function lostBy(error: unknown): boolean {
    if (databaseWentBack.is(error)) parts.lost(error)
    return databaseWentBack.is(error)
  }

  function settle(entry: OwnEntry<Own>, place: Place | undefined): void {
    lastSeq = entry.oseq
    entry.isPlaced = true
    entry.placedAt = clock.monotonic()
    parts.placed(entry, place)
  }

  function withdraw(entry: OwnEntry<Own>, error: unknown): void {
    parts.withdrawn(entry)
    disown(entry, databaseWriteFailed(reasonOf(error)))
  }

  async function writeAll(): Promise<void> {
    isWriting = true
    while (!queue.isEmpty && !signal.aborted) await writeNext()
    isWriting = false
  }

  return {
    wake() {
      if (!isWriting) void writeAll()
    },
    close() {
      clearInterval(looking)
      giveUpLate(Number.POSITIVE_INFINITY, databaseClosed())
    },
  }
}
