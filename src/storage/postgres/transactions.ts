// Runs the verbs of a store: each is one SERIALIZABLE transaction, repeated when others were in its way, and its outcome is known even when the
// connection is lost during the commit.
import { GrinpayError } from '../../lib/errors.js'
import type { Clock } from '../../lib/ports.js'
import { databaseBusy, databaseClosed, databaseUnavailable, databaseWentBack, databaseWriteFailed } from '../errors.js'
import { CommitUnknown, createChange, type Queries } from './change.js'
import type { Connection } from './driver.js'
import type { PostgresRandom } from './place.js'
import type { Pool } from './pool.js'
import { randomRow, writeBarrier } from './primary.js'
import { isCancelled, isConnectionLoss, isDuplicate, isRepeatable, reasonOf, sqlStateOf } from './sql-errors.js'
import type { Watermark } from './watermark.js'

export interface Transactions {
  /** Statements that change nothing, each by itself. Repeated when the connection is lost. `patienceMs`: instead of 5 s. */
  read<T>(verb: (db: Queries) => Promise<T>, patienceMs?: number): Promise<T>
  /** One statement that changes something, and whose repetition changes nothing more: it is its own transaction, READ COMMITTED. */
  repeatable<T>(verb: (db: Queries) => Promise<T>): Promise<T>
  /** One transaction, SERIALIZABLE. The verb may run several times, and touches nothing but `db`. */
  change<T>(verb: (db: Queries) => Promise<T>): Promise<T>
}

/** Of verbs that begin after one that waited in vain, until the database answers again: a request that needs several does not wait for each. */
const AFTERWARDS_MS = 500
/** All reject with DATABASE_UNAVAILABLE after this; a commit that is under way goes on. */
const PATIENCE_MS = 5000
/** No statement of ours takes as long, unless a foreign transaction holds what it needs. */
export const STATEMENT_MS = 5000
const MOST_CONFLICTS = 8
/** A row that another process inserted is there on the next run; one that stays in the way is a fault of the verb. */
const MOST_DUPLICATES = 2
/** Before the first repeat: a random time up to this; before each further one up to twice as long as before, so that a slow server gets through. */
const JITTER_MS = 8
/** No disk, no memory, no slot left: SQLSTATE class 53. */
const EXHAUSTED = /^53/

/** Monotonic; and for how long one statement may keep its connection. */
interface Limits {
  readonly deadline: number
  readonly limitMs?: number | undefined
}

interface TransactionParts {
  readonly pool: Pool
  readonly watermark: Watermark
  readonly clock: Clock
  readonly random: PostgresRandom
  readonly patienceMs?: number
  /** How many changes this process makes at once; default 1: each after the one before. */
  readonly atOnce?: number
}

export function createTransactions(parts: TransactionParts): Transactions {
  const { pool, watermark, clock, random, patienceMs = PATIENCE_MS, atOnce = 1 } = parts
  const inTurn = createTurns(atOnce)

  /** Rejects at the deadline, while `work` goes on: a connection whose commit waits for a standby stays taken. */
  let hasWaitedInVain = false

  async function patiently<T>(work: (deadline: number) => Promise<T>, patience = patienceMs): Promise<T> {
    if (watermark.hasGoneBack) throw databaseWentBack(watermark.expected().length)
    const limit = hasWaitedInVain && pool.trouble ? Math.min(patience, AFTERWARDS_MS) : patience
    const deadline = clock.monotonic() + limit
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(pool.unavailable()), limit)
    })
    const answer = work(deadline)
    answer.catch(() => undefined)
    try {
      const answered = await Promise.race([answer, late])
      hasWaitedInVain = false
      return answered
    } catch (error) {
      hasWaitedInVain = databaseUnavailable.is(error)
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  /** `limitMs`: after this the server cancels a statement, so that its connection is free again. */
  async function withConnection<T>(
    { deadline, limitMs = STATEMENT_MS }: Limits,
    work: (connection: Connection) => Promise<T>,
  ): Promise<T> {
    const connection = await pool.acquire(deadline).catch((error: unknown) => {
      throw isForClients(error) ? error : pool.unavailable(error)
    })
    try {
      await connection.limitStatements(limitMs)
      return await work(connection)
    } finally {
      pool.release(connection)
    }
  }

  /** Passes on what no repeat mends; a lost connection is one to repeat after, as is a statement that took too long. */
  function requireLoss(error: unknown, deadline: number): undefined {
    if (!isConnectionLoss(error) && !isCancelled(error)) throw translated(error)
    if (clock.monotonic() >= deadline) throw pool.unavailable(pool.trouble ?? error)
  }

  /** What may be done twice: until it is answered. */
  async function untilAnswered<T>(verb: (db: Connection) => Promise<T>, limits: Limits): Promise<T> {
    for (;;) {
      try {
        return await withConnection(limits, verb)
      } catch (error) {
        requireLoss(error, limits.deadline)
      }
    }
  }

  async function untilCommitted<T>(verb: (db: Queries) => Promise<T>, deadline: number): Promise<T> {
    const change = createChange(verb, random.uuid())
    const conflicts = createConflicts()

    /** Undefined: it has to be repeated. */
    async function attempt(): Promise<{ readonly answer: T } | undefined> {
      const outcome = await withConnection({ deadline }, change.attempt)
      if ('error' in outcome) return pauseAfter(outcome.error, conflicts, deadline)
      if (outcome.hasWritten) watermark.acknowledged(change.id)
      return outcome
    }

    /** Undefined: it met others. */
    async function attempts(isAlone: boolean): Promise<{ readonly answer: T } | undefined> {
      if (clock.monotonic() >= deadline) throw pool.unavailable()
      let done = await attempt()
      while (!done && (isAlone || !conflicts.has)) done = await attempt()
      return done
    }

    const done = (await inTurn(1, () => attempts(atOnce === 1))) ?? (await inTurn(atOnce, () => attempts(true)))
    return (done as { readonly answer: T }).answer
  }

  /** Throws when the change is not to be repeated. */
  async function pauseAfter(error: unknown, conflicts: Conflicts, deadline: number): Promise<undefined> {
    const times = conflicts.count(error)
    if (times === 0) return requireLoss(error, deadline)
    const [byte = 0] = random.bytes(1)
    await clock.sleep((2 ** (times - 1) * JITTER_MS * (byte + 1)) / 256)
    if (clock.monotonic() >= deadline) throw pool.unavailable(pool.trouble ?? error)
  }

  return {
    read: (verb, limitMs) => patiently((deadline) => untilAnswered(verb, { deadline, limitMs }), limitMs),
    repeatable: (verb) => patiently((deadline) => untilAnswered(soundly(verb, random), { deadline })),
    change: (verb) => patiently((deadline) => untilCommitted(verb, deadline)),
  }
}

/**
 * First come, first served: work takes one of `places`, or all of them, and then nothing else goes on. Changes at once read index pages that the
 * others write, which SERIALIZABLE takes for conflicts: of 32 claims of names at once up to 30 % were refused after eight repeats, and fewer were
 * made than one after the other. Changes of a till read less before they write, and one that met others is repeated alone.
 */
function createTurns(places: number): <T>(wanted: number, work: () => Promise<T>) => Promise<T> {
  const waiting: { readonly wanted: number; readonly enter: () => void }[] = []
  let free = places

  function admit(): void {
    for (let first = waiting[0]; first && first.wanted <= free; first = waiting[0]) {
      free -= first.wanted
      waiting.shift()
      first.enter()
    }
  }

  return async (wanted, work) => {
    await new Promise<void>((enter) => {
      waiting.push({ wanted, enter })
      admit()
    })
    try {
      return await work()
    } finally {
      free += wanted
      admit()
    }
  }
}

/**
 * An answer counts only when the server waited for a standby. A repetition may find everything done, on this machine only; as it changes nothing,
 * its own commit waits for none. So it commits a barrier, too.
 */
function soundly<T>(verb: (db: Queries) => Promise<T>, random: PostgresRandom): (db: Connection) => Promise<T> {
  let isRepetition = false
  return async (connection) => {
    const needsBarrier = isRepetition
    isRepetition = true
    const answer = await verb(connection)
    if (needsBarrier) await writeBarrier(connection, randomRow(random))
    if (!connection.isSound) throw new CommitUnknown()
    return answer
  }
}

interface Conflicts {
  /** Whether others were in the way. */
  readonly has: boolean
  /** How often others were in the way, this time included; 0: this error is none of theirs. */
  count(error: unknown): number
}

/** Counts how often others were in the way. Throws DATABASE_BUSY, or the error itself when it is a duplicate again and again. */
function createConflicts(): Conflicts {
  let [conflicts, duplicates] = [0, 0]
  return {
    get has() {
      return conflicts > 0
    },
    count(error) {
      if (isDuplicate(error)) duplicates += 1
      else if (!isRepeatable(error)) return 0
      conflicts += 1
      if (duplicates > MOST_DUPLICATES) throw error
      if (conflicts > MOST_CONFLICTS) throw databaseBusy()
      return conflicts
    },
  }
}

/** The daemon stops, or is about to; everything else that is wrong with the database is for the log and the doctor, and clients come back. */
const isForClients = (error: unknown): boolean => databaseWentBack.is(error) || databaseClosed.is(error)

/** What a server without room answers; everything else is a fault of ours, and stays as it is. */
const translated = (error: unknown): unknown =>
  error instanceof GrinpayError || !EXHAUSTED.test(sqlStateOf(error)) ? error : databaseWriteFailed(reasonOf(error))
