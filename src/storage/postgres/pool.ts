// The connections of one process. A connection is used by one verb at a time; one whose commit waits for a standby stays taken, so that the
// slots of the server do not run out while no standby answers.
import { backoff } from '../../lib/backoff.js'
import type { DaemonName } from '../../lib/daemon-names.js'
import { GrinpayError, messageOf } from '../../lib/errors.js'
import type { Clock, Log } from '../../lib/ports.js'
import { databaseClosed, databaseUnavailable, databaseUnreachable } from '../errors.js'
import type { Connection } from './driver.js'
import type { Primary, PrimaryFinder } from './primary.js'

const MOST_CONNECTIONS = 10
/** Between attempts to find a primary. */
const [LEAST_PAUSE_MS, MOST_PAUSE_MS] = [100, 5000]
/** A verb that takes longer makes the pool look for another primary. */
const STUCK_MS = 3000
const LOOK_EVERY_MS = 1000
/** No statement of ours takes as long on a server that answers others: after this the network has lost the connection, which nothing else may tell. */
const DEAD_MS = 10_000

/** The server ends the session of a machine that does not answer (session.ts), so for this long a dropped connection may have a slot of it. */
const ABANDONED_MS = 40_000
/** Connections that are opened whatever was abandoned. */
const LEAST_CONNECTIONS = 2

export interface Pool {
  /** A connection for this caller alone, given back by `release`. Rejects when none is free by the deadline (monotonic): DATABASE_UNAVAILABLE. */
  acquire(deadline: number): Promise<Connection>
  release(connection: Connection): void
  /** Closes every connection, so that the next ones are looked at anew. What is under way on them counts as lost. */
  renew(): void
  /** Why no primary is used at the moment; undefined while there is one. */
  readonly trouble: GrinpayError | undefined
  /** DATABASE_UNAVAILABLE, with `cause` for the log; default: the trouble. */
  unavailable(cause?: unknown): GrinpayError
  close(): Promise<void>
}

interface PoolParts {
  /** Whose rows they are. */
  readonly daemon: DaemonName
  readonly finder: PrimaryFinder
  readonly clock: Clock
  readonly log?: Pick<Log, 'info' | 'warn'> | undefined
  readonly most?: number
}

interface Member extends Primary {
  /** When it was handed out; undefined: idle. */
  takenAt: number | undefined
}

interface Waiter {
  readonly resolve: (connection: Connection) => void
  readonly reject: (error: Error) => void
}

export function createPool({ daemon, finder, clock, log, most = MOST_CONNECTIONS }: PoolParts): Pool {
  const unavailable = (cause: unknown = trouble) => databaseUnavailable(cause, daemon)
  const members = new Map<Connection, Member>()
  /** Of connections that were dropped with a statement under way: monotonic times at which the server has ended them at the latest. */
  let abandoned: readonly number[] = []
  const waiters: Waiter[] = []
  let isOpen = true
  let trouble: GrinpayError | undefined
  let searching: Promise<void> | undefined
  const aborter = new AbortController()
  const looking = setInterval(look, LOOK_EVERY_MS).unref()

  const idle = (): Member | undefined => [...members.values()].find(({ takenAt }) => takenAt === undefined)

  /** Gives idle connections to those that wait, and opens further ones while a verb waits. */
  function serve(): void {
    for (let member = idle(); member && waiters.length > 0; member = idle()) {
      member.takenAt = clock.monotonic()
      waiters.shift()?.resolve(member.connection)
    }
    if (waiters.length > 0 && hasRoom()) search()
  }

  function hasRoom(): boolean {
    const now = clock.monotonic()
    abandoned = abandoned.filter((until) => until > now)
    return members.size < Math.min(LEAST_CONNECTIONS, most) || members.size + abandoned.length < most
  }

  function search(): void {
    if (!isOpen) return
    searching ??= searchWhileWanted().finally(() => {
      searching = undefined
      if (waiters.length > 0 && hasRoom() && isOpen) search()
    })
  }

  async function searchWhileWanted(): Promise<void> {
    for (let failures = 0; isOpen; ) {
      const found = await attempt()
      if (found || waiters.length === 0) return
      failures += 1
      await Promise.race([
        clock.sleep(backoff(failures, LEAST_PAUSE_MS, MOST_PAUSE_MS), aborter.signal),
        finder.arrived(),
      ])
    }
  }

  async function attempt(): Promise<boolean> {
    try {
      add(await finder.find())
      if (trouble) log?.info({}, 'the database answers again')
      trouble = undefined
      return true
    } catch (error) {
      note(error)
      return false
    }
  }

  function note(error: unknown): void {
    const failure = error instanceof GrinpayError ? error : databaseUnreachable(messageOf(error), daemon)
    if (trouble?.message !== failure.message) log?.warn({ cause: failure.message }, 'the database cannot be used')
    trouble = failure
    // What time alone does not mend is said at once.
    if (!databaseUnreachable.is(failure)) for (const { reject } of waiters.splice(0)) reject(failure)
  }

  function add(primary: Primary): void {
    if (isOpen) join(primary)
    else primary.connection.close()
  }

  function join(primary: Primary): void {
    // Another server answers as the primary: what waits on the one before will get no answer.
    // What has waited for long on this one, while it answers others, will not get one either.
    const now = clock.monotonic()
    const isOther = [...members.values()].some(({ server }) => server !== primary.server)
    for (const { connection, server, takenAt = now } of members.values())
      if (server !== primary.server || now - takenAt > DEAD_MS) drop(connection)
    if (isOther) abandoned = []
    if (!hasRoom()) {
      primary.connection.close()
      return
    }
    members.set(primary.connection, { ...primary, takenAt: undefined })
    void primary.connection.ended.then(() => {
      members.delete(primary.connection)
      serve()
    })
    serve()
  }

  function drop(connection: Connection): void {
    members.delete(connection)
    if (connection.isBusy) abandoned = [...abandoned, clock.monotonic() + ABANDONED_MS]
    connection.close()
  }

  /** Looks for another primary while a verb gets no answer, and for any while there is none. */
  function look(): void {
    const now = clock.monotonic()
    const isStuck = [...members.values()].some(({ takenAt = now }) => now - takenAt > STUCK_MS)
    if (isStuck || trouble) search()
    else serve()
  }

  return {
    acquire: (deadline) =>
      new Promise((resolve, reject) => {
        if (!isOpen) return reject(databaseClosed())
        const waiter: Waiter = {
          resolve(connection) {
            clearTimeout(timer)
            resolve(connection)
          },
          reject(error) {
            clearTimeout(timer)
            reject(error)
          },
        }
        const timer = setTimeout(
          () => {
            const at = waiters.indexOf(waiter)
            if (at >= 0) waiters.splice(at, 1)
            reject(unavailable())
          },
          Math.max(0, deadline - clock.monotonic()),
        )
        waiters.push(waiter)
        serve()
      }),
    release(connection) {
      const member = members.get(connection)
      if (!member) return connection.close()
      if (!connection.isSound) drop(connection)
      else member.takenAt = undefined
      serve()
    },
    renew() {
      for (const connection of [...members.keys()]) drop(connection)
      serve()
    },
    get trouble() {
      return trouble
    },
    unavailable,
    async close() {
      isOpen = false
      clearInterval(looking)
      aborter.abort()
      for (const { reject } of waiters.splice(0)) reject(databaseClosed())
      finder.close()
      for (const connection of [...members.keys()]) drop(connection)
      await searching
    },
  }
}
