// The life cycle that every daemon shares: parts start in order and stop in reverse, once, whether or not they got to start.
import { setMaxListeners } from 'node:events'
import { GrinpayError, messageOf } from '../lib/errors.js'
import type { Log } from '../lib/ports.js'
import type { SystemClock, SystemLog, SystemRandom } from '../system/index.js'

/** What `/ready` says of one part. */
export interface Check {
  readonly ok: boolean
  readonly detail: string
  /** True: reported, but does not make the daemon unready. */
  readonly informative?: boolean
  /** A fault in this daemon's settings; shown publicly. */
  readonly fault?: { readonly reason: string; readonly hint: string }
}

export interface Part {
  readonly name: string
  start(signal: AbortSignal): Promise<void>
  /**
   * Called in reverse order of start, once; also when this part or one before it never started.
   * Once more when `start` ends after that: what it opened late is closed again.
   */
  stop(): Promise<void>
  /** Absent when the part cannot make the daemon unready. */
  check?(): Promise<Check>
}

/** What every daemon is opened with. */
export interface DaemonOptions {
  /** Of the package. */
  readonly version: string
  readonly log: SystemLog
  readonly clock?: SystemClock
  readonly random?: SystemRandom
  /** A listening socket that was handed over; the daemon opens its own by default. */
  readonly fd?: number | undefined
  /** First brings the tables in PostgreSQL up to date; without it an older schema is refused. */
  readonly migrate?: boolean | undefined
}

export type RuntimeLog = Pick<Log, 'info' | 'error'>

export interface Daemon {
  /** Resolves when every part runs; rejects, with everything stopped again, when one cannot start or `stop` is called meanwhile. */
  start(): Promise<void>
  /** Stops in reverse order, and waits for a start under way. Idempotent; each of these gets at most `STOP_LIMIT_MS`. */
  stop(): Promise<void>
}

/** A part that does not stop within this is left behind, so that the process can end. */
const STOP_LIMIT_MS = 10_000

/** Puts parts together. Decides nothing about what they do. */
export function createDaemon(parts: readonly Part[], log: RuntimeLog): Daemon {
  const aborter = new AbortController()
  setMaxListeners(0, aborter.signal) // every loop listens, and Node would write of a leak into the log
  let stopping: Promise<void> | undefined
  /** The part whose start is under way, or was last. */
  let starting: { readonly part: Part; readonly done: Promise<void> } | undefined

  async function stopPart(part: Part): Promise<void> {
    const failure = await withinLimit(part.stop())
    if (failure) log.error({ part: part.name, cause: failure }, 'part did not stop cleanly')
  }

  async function stopAll(): Promise<void> {
    aborter.abort()
    for (const part of parts.toReversed()) await stopPart(part)
  }

  async function startPart(part: Part): Promise<void> {
    try {
      await part.start(aborter.signal)
    } finally {
      if (stopping) {
        await stopping
        await stopPart(part)
      }
    }
  }

  async function stop(): Promise<void> {
    stopping ??= stopAll()
    await stopping
    if (!starting) return
    const busy = await withinLimit(starting.done.catch(() => undefined))
    if (busy) log.error({ part: starting.part.name, cause: busy }, 'part is still starting')
  }

  return {
    stop,
    async start() {
      try {
        for (const part of parts) {
          starting = { part, done: startPart(part) }
          await starting.done
          if (stopping) throw new Error(`stopped while part "${part.name}" was starting`)
          log.info({ part: part.name }, 'started')
        }
      } catch (cause) {
        await stop()
        throw cause
      }
    },
  }
}

/** Asks every part that can make the daemon unready; a check that throws is a failed one. */
export const checksOf = (parts: readonly Part[]): Promise<readonly (Check & { readonly name: string })[]> =>
  Promise.all(
    parts.flatMap((part) => {
      const check = part.check?.bind(part)
      return check ? [check().then((answer) => ({ name: part.name, ...answer }), failedCheck(part.name))] : []
    }),
  )

/** What answers leave out, such as the host that refused, is for the operator. */
const failedCheck = (name: string) => (error: unknown) => ({
  name,
  ok: false,
  detail: messageOf(error instanceof GrinpayError ? (error.cause ?? error) : error),
})

/** The reason why `work` failed or took too long, or undefined. */
async function withinLimit(work: Promise<void>): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`still busy after ${STOP_LIMIT_MS / 1000} s`), STOP_LIMIT_MS)
  })
  const outcome = await Promise.race([work.then(() => undefined, messageOf), limit])
  clearTimeout(timer)
  return outcome
}
