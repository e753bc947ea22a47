// The log of a relay with several front ends: one order for the events of all (specification: scale-out, 7).
import { GrinpayError } from '../../../lib/errors.js'
import type { EventLog, LogEvent, LogFollower } from '../../../relay/index.js'
import { databaseWentBack, relayDiverged } from '../../errors.js'
import type { Connection } from '../driver.js'
import type { Instances } from '../instances.js'
import { type OpenPostgresParts, openPostgres } from '../open.js'
import { RELAY_LOG_SERVICE } from '../services.js'
import { admit, type EnteringStore } from './admission.js'
import { type Beat, startBeat } from './beat.js'
import { type Following, startFollowing, UNKNOWN_LAG_MS } from './follow.js'
import { leave, writeSeen } from './front-ends.js'
import { type MarksFile, openMarks } from './marks.js'
import { createOwnEntries } from './own-entries.js'
import { type BatchContent, createQueue } from './queue.js'
import { keepRetention, type Retention } from './retention.js'
import { SHARD } from './schema.js'
import { succeeds, useConnection } from './use.js'
import { createWriter } from './writer.js'

/** One appends, one reads. */
const MOST_CONNECTIONS = 2
/** The log is looked at more often; a younger look is no lag. */
const FRESH_MS = 250
/** How long the end of the process waits for what is under way, and how often it looks. */
const [GRACE_MS, DRAIN_LOOK_MS] = [2000, 10]
/** Before the database is asked again. */
const PAUSE_MS = 100
const TOPIC = `log:${SHARD}`

export interface SharedLog<Own extends LogEvent> extends EventLog<Own> {
  /** `store`: what must be fit to follow this log; else RELAY_NOT_JOINED, RELAY_OTHER_LOG end the following. */
  follow(after: number, follower: LogFollower<Own>, store?: EnteringStore): void
  /** For how long something may stand in the log that is not applied here; 0: everything is. */
  lagMs(): number
  /** The last position of the log that is known here. */
  head(): number
  /** Says that this process runs. */
  readonly instances: Instances
  /** Whether this process does a job that exists once. */
  holds(job: 'retention'): boolean
  /** Writes a row that reaches a second machine. */
  check(): Promise<void>
  /** Resolves with what ends the following for good: DATABASE_WENT_BACK, RELAY_DIVERGED, RELAY_LOG_CUT, RELAY_LOG_NEWER. */
  readonly failure: Promise<GrinpayError>
  /** Waits a little for what is under way. */
  close(): Promise<void>
}

export interface SharedLogParts extends Omit<OpenPostgresParts, 'service' | 'watermarkFile' | 'requireFit'> {
  readonly watermarkFile?: MarksFile | undefined
  /** After it events have failed; they may still come. */
  readonly patienceMs: number
  /** How long entries are kept at least. */
  readonly days: number
  /** Of this program, for the other front ends. */
  readonly version: string
}

interface Session {
  readonly following: Following
  readonly beat: Beat
  readonly retention: Retention
}

/**
 * Throws what `openPostgres` throws, also DATABASE_WENT_BACK for a log that lost what this front end has applied. Entries are appended and read
 * from `follow` on.
 */
export async function openSharedLog<Own extends LogEvent>(parts: SharedLogParts): Promise<SharedLog<Own>> {
  const { clock, random, log, patienceMs, days, version, watermarkFile, ...others } = parts
  const marks = await openMarks(watermarkFile)
  if (marks.hasGoneBack) throw databaseWentBack(1)
  if (marks.divergedAt !== undefined) throw relayDiverged(marks.divergedAt)
  const { signal, failure, lost, end } = createLife()
  const orEnd = (error: unknown): never => {
    lost(error)
    throw error
  }
  const requireFit = (connection: Connection) => marks.requireIn(connection).catch(orEnd)
  const service = { clock, random, log, service: RELAY_LOG_SERVICE }
  const postgres = await openPostgres(
    { ...others, ...service, mostConnections: MOST_CONNECTIONS, requireFit },
    { mustAnswer: false },
  )
  const { pool } = postgres
  const bell = postgres.createBell()
  const frontEnd = { origin: postgres.holder, version }
  const own = createOwnEntries<Own>()
  const queue = createQueue<Own>()
  let head = 0
  let session: Session | undefined
  /** Before its row among the front ends is there, another one may forget the origin of what is appended. */
  let mayAppend = false
  let failed = (_content: BatchContent<Own>, _cause: unknown): void => undefined

  const writer = createWriter<Own>({
    origin: frontEnd.origin,
    queue,
    pool,
    clock,
    signal,
    sending: own.add,
    sent: own.all,
    placed(entry, place) {
      bell.ring(TOPIC)
      if (place) {
        own.setPlace(entry, place)
        head = Math.max(head, place.pos)
        marks.saw({ pos: place.pos, origin: frontEnd.origin, oseq: entry.oseq })
      }
      session?.following.wake()
    },
    withdrawn: own.delete,
    failed: (content, cause) => failed(content, cause),
    lost,
  })

  function wake(): void {
    if (mayAppend) writer.wake()
  }

  /** Only a log that goes on from what is applied here is read, and written. */
  async function start(after: number, follower: LogFollower<Own>, store: EnteringStore | undefined): Promise<void> {
    marks.needs(after)
    while (!signal.aborted && !session) {
      const isFit = await succeeds(
        useConnection(pool, clock, async (connection) => {
          if (store) marks.follows(await admit(connection, store).catch(orEnd))
          await requireFit(connection)
        }),
      )
      if (isFit) session = startSession(after, follower)
      else await clock.sleep(PAUSE_MS, signal)
    }
    await session?.beat.begun
    mayAppend = true
    writer.wake()
  }

  function startSession(after: number, follower: LogFollower<Own>): Session {
    const following = startFollowing({ ...frontEnd, after, follower, own, marks, pool, clock, signal, lost })
    bell.listen((topic) => {
      if (topic === undefined || topic === TOPIC) following.wake()
    })
    const beat = startBeat({
      frontEnd,
      after,
      transactions: postgres,
      clock,
      log,
      signal,
      heardHead: (at) => {
        head = Math.max(head, at)
      },
      // A full disk must not keep it running.
      diverged: (pos) =>
        void marks
          .diverged(pos)
          .catch(() => undefined)
          .then(() => lost(relayDiverged(pos))),
    })
    return {
      following,
      beat,
      retention: keepRetention({ pool, transactions: postgres, clock, log, holder: frontEnd.origin, days }),
    }
  }

  return {
    append(events) {
      queue.addEvents(events, clock.monotonic() + patienceMs)
      wake()
    },
    appendChange: (change) =>
      new Promise((resolve, reject) => {
        queue.addChange({ change, applied: resolve, failed: reject }, clock.monotonic() + patienceMs)
        wake()
      }),
    follow(after, follower, store) {
      failed = (content, cause) => tellFailure(follower, content, cause)
      void start(after, follower, store)
    },
    report: (digest) => session?.beat.report(digest),
    lagMs() {
      const since = session ? clock.monotonic() - session.following.caughtUpAt : UNKNOWN_LAG_MS
      return since < FRESH_MS ? 0 : since
    },
    head: () => Math.max(head, session?.following.position ?? 0),
    instances: postgres.instances,
    holds: () => session?.retention.isHeld() ?? false,
    check: async () => void (await writeSeen(postgres, frontEnd.origin)),
    failure,
    async close() {
      const deadline = clock.monotonic() + GRACE_MS
      while (session && !signal.aborted && (!queue.isEmpty || own.size > 0) && clock.monotonic() < deadline)
        await clock.sleep(DRAIN_LOOK_MS)
      end()
      writer.close()
      await session?.retention.close()
      if (session && !pool.trouble) await leave(postgres, frontEnd.origin).catch(() => undefined)
      await bell.close()
      await postgres.close()
      await Promise.all([session?.following.ended, session?.beat.ended])
      await marks.close()
    },
  }
}

function tellFailure<Own extends LogEvent>(
  follower: LogFollower<Own>,
  content: BatchContent<Own>,
  cause: unknown,
): void {
  if (content.type === 'events') follower.failed(content.events, cause)
  else content.waiting.failed(cause)
}

/** How a log ends: closed by its process, or lost for good. */
interface Life {
  /** Aborts at the end: nothing is appended or applied any more. */
  readonly signal: AbortSignal
  /** Resolves when the log is lost. */
  readonly failure: Promise<GrinpayError>
  lost(error: unknown): void
  end(): void
}

function createLife(): Life {
  const ending = new AbortController()
  let fail = (_error: GrinpayError): void => undefined
  const failure = new Promise<GrinpayError>((resolve) => {
    fail = resolve
  })
  return {
    signal: ending.signal,
    failure,
    lost(error) {
      if (!(error instanceof GrinpayError)) return
      fail(error)
      ending.abort()
    },
    end: () => ending.abort(),
  }
}
