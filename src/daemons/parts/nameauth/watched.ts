// What was last heard of a server of somebody else: for readiness, and one log line when it changes. It is asked for that only while
// somebody wants to know how this daemon is, and nothing else was asked of late.
import { messageOf } from '../../../lib/errors.js'
import { fetchBounded } from '../../../lib/http-request.js'
import type { Check } from '../../runtime.js'

interface WatchParts {
  readonly log: {
    info(fields: object, text: string): void
    warn(fields: object, text: string): void
  }
  readonly clock: { now(): number }
  /** Rejects when the server is not well. */
  readonly probe: (signal: AbortSignal) => Promise<unknown>
  /** Of a failure that only a change of our settings mends, what to say about it: it makes the daemon unready. */
  readonly faultOf?: (thrown: unknown) => Check['fault']
}

export interface Watch {
  /** Runs a question to the server and remembers how it went; rejects as it does. */
  asking<T>(question: Promise<T>): Promise<T>
  /** How the server is, as heard at most `KNOWN_MS` ago; fine when nobody could be asked so far. */
  check(): Promise<Check>
}

/** Whoever asks every second is told of a change within 10 s. */
const KNOWN_MS = 4000
/** Below what readiness waits for all its answers. */
export const PATIENCE_MS = 3000

/** `who` begins the log lines, e.g. "the till". */
export function createWatch(who: string, { log, clock, probe, faultOf = () => undefined }: WatchParts): Watch {
  let last: Check = { ok: true, detail: 'not asked yet', informative: true }
  let heardAt: number | undefined

  function remember(next: Check): void {
    const { ok, detail: cause, fault } = next
    if (!ok && (last.ok || last.fault?.reason !== fault?.reason))
      log.warn({ cause, ...fault }, `${who} does not answer as it should`)
    if (ok && !last.ok) log.info({}, `${who} answers again`)
    last = next
    heardAt = clock.now()
  }

  function failure(thrown: unknown): Check {
    const [detail, fault] = [messageOf(thrown), faultOf(thrown)]
    return fault ? { ok: false, detail, fault } : { ok: false, detail, informative: true }
  }

  async function asking<T>(question: Promise<T>): Promise<T> {
    try {
      const answer = await question
      remember({ ok: true, detail: 'answered', informative: true })
      return answer
    } catch (thrown) {
      remember(failure(thrown))
      throw thrown
    }
  }

  return {
    asking,
    async check() {
      const isKnown = heardAt !== undefined && Math.abs(clock.now() - heardAt) < KNOWN_MS
      if (!isKnown) await asking(probe(AbortSignal.timeout(PATIENCE_MS))).catch(() => undefined) // remembered
      return last
    },
  }
}

/** Whether a daemon answers at all at its address for that. */
export async function probeHealth(url: string, signal: AbortSignal): Promise<void> {
  const { status } = await fetchBounded(url, {}, { timeoutMs: PATIENCE_MS, mostBytes: 0, signal })
  if (status >= 500) throw new Error(`HTTP ${status}`)
}
