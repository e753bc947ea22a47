// Jobs that exist once among several processes: a lease in the database, held by database time, and given up by the holder's own clock
// before it can end there. Neither clock has to be right; both only have to run.
import { messageOf } from '../../lib/errors.js'
import type { Clock, Log } from '../../lib/ports.js'
import type { Transactions } from './transactions.js'

/** In the database. */
const LEASE_SECONDS = 10
const RENEW_MS = 3000
/** Of those that wait for it, so that a holder that died has a successor within 12 s. */
const ASK_MS = 1000
/** Before a process asks again whose work has ended while it held the lease: those that wait ask meanwhile. */
const REST_MS = 5000
/** The holder stops this long after it last asked for a renewal that succeeded: two seconds before anybody else can begin. */
const HELD_MS = (LEASE_SECONDS - 2) * 1000

const CREATE = `INSERT INTO lease (name, holder, epoch, until) VALUES (?, ?::uuid, 0, '-infinity') ON CONFLICT (name) DO NOTHING`
/** A holder that renews keeps its epoch. */
const TAKE = `UPDATE lease SET epoch = epoch + CASE WHEN holder = ?::uuid AND until >= now() THEN 0 ELSE 1 END,
    holder = ?::uuid, until = now() + interval '${LEASE_SECONDS} s'
  WHERE name = ? AND (until < now() OR holder = ?::uuid) RETURNING epoch`
const RELEASE = `UPDATE lease SET until = '-infinity' WHERE name = ? AND holder = ?::uuid`

export interface Lease {
  /** Rises with every new holder. */
  readonly epoch: number
  /** Aborts when the lease is lost, or may be lost. */
  readonly signal: AbortSignal
  /** False from the moment on at which another process might soon hold it; ask before each step that must happen once. */
  isHeld(): boolean
}

export interface LeaseKeeper {
  /** Gives the lease back, if it is held; another process takes it at once. */
  close(): Promise<void>
}

interface LeaseParts {
  readonly name: string
  /** Identifies this process. */
  readonly holder: string
  readonly transactions: Pick<Transactions, 'repeatable'>
  readonly clock: Clock
  readonly log?: Pick<Log, 'info' | 'warn'> | undefined
  /** Runs while the lease is held; ends soon after its signal aborts. When it ends before, the lease goes to another process. */
  readonly work: (lease: Lease) => Promise<void>
}

interface Held {
  readonly epoch: number
  readonly end: AbortController
  done: Promise<void>
  /** Monotonic time. */
  until: number
  /** The work has ended, of itself or because of `end`. */
  isOver: boolean
}

/** Asks for the lease until it is closed, and runs `work` each time that it gets it. */
export function keepLease({ name, holder, transactions, clock, log, work }: LeaseParts): LeaseKeeper {
  const closing = new AbortController()
  let held: Held | undefined

  /** The epoch, or undefined while another process holds the lease. */
  async function take(): Promise<number | undefined> {
    await transactions.repeatable((db) => db.run(CREATE, [name, holder]))
    const [epoch] = (await transactions.repeatable((db) => db.get(TAKE, [holder, holder, name, holder]))) ?? []
    return epoch === undefined ? undefined : Number(epoch)
  }

  function begin(epoch: number, until: number): void {
    const end = new AbortController()
    const lease: Lease = {
      epoch,
      signal: end.signal,
      isHeld: () => !end.signal.aborted && held?.end === end && clock.monotonic() < held.until,
    }
    log?.info({ lease: name, epoch }, 'a lease was taken')
    const mine: Held = { epoch, end, done: Promise.resolve(), until, isOver: false }
    mine.done = mine.done
      .then(() => work(lease))
      .catch((error: unknown) => log?.warn({ lease: name, cause: messageOf(error) }, 'the work of a lease failed'))
      .then(() => {
        mine.isOver = true
      })
    held = mine
    void expire(mine)
  }

  /** Ends the work by this process's own clock, whatever the database does meanwhile. */
  async function expire(mine: Held): Promise<void> {
    while (!mine.end.signal.aborted) {
      const left = mine.until - clock.monotonic()
      if (left <= 0) return stop('it could not be renewed')
      await clock.sleep(left, mine.end.signal)
    }
  }

  function stop(why: string): void {
    if (!held) return
    log?.info({ lease: name, epoch: held.epoch, cause: why }, 'a lease has ended')
    held.end.abort()
    held = undefined
  }

  async function round(): Promise<void> {
    // What counts is when the database was asked: its answer may have waited.
    const asked = clock.monotonic()
    const epoch = await take()
    if (held && epoch !== held.epoch) stop('another process took it')
    const until = asked + HELD_MS
    if (epoch === undefined || clock.monotonic() >= until) return
    if (held) held.until = until
    else begin(epoch, until)
  }

  const release = () => transactions.repeatable((db) => db.run(RELEASE, [name, holder])).catch(() => undefined)

  async function giveBack(): Promise<void> {
    stop('its work has ended')
    await release()
    await clock.sleep(REST_MS, closing.signal)
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      await round().catch((error: unknown) =>
        log?.warn({ lease: name, cause: messageOf(error) }, 'a lease cannot be asked for'),
      )
      await clock.sleep(held ? RENEW_MS : ASK_MS, closing.signal)
      if (held?.isOver) await giveBack()
    }
  }

  const running = run()
  return {
    async close() {
      closing.abort()
      await running
      const done = held?.done
      const wasHeld = held !== undefined
      stop('the process stops')
      await done
      if (wasHeld) await release()
    },
  }
}
