// Remembers the last answer of an external server, for readiness and for one log line per change. It probes the server only while
// readiness is requested and no other request has reached it lately.
import { messageOf } from '../../../lib/errors.js'
import { fetchBounded } from '../../../lib/http-request.js'
import type { Clock, Log } from '../../../lib/ports.js'
import type { Check } from '../../runtime.js'

interface WatchParts {
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly clock: Pick<Clock, 'now'>
  /** Rejects when the server does not work. */
  readonly probe: (signal: AbortSignal) => Promise<unknown>
  /** The fault of a failure that only changed settings can fix: it makes the daemon unready. */
  readonly faultOf?: (thrown: unknown) => Check['fault']
}

export interface Watch {
  /** Records the outcome of a request to the server; rejects as it does. */
  asking<T>(question: Promise<T>): Promise<T>
  /** The state of the server, at most `KNOWN_MS` old. */
  check(): Promise<Check>
}

/** A client that polls every second learns of a change within 10 s. */
const KNOWN_MS = 4000
/** Below the time limit of readiness. */
export const PROBE_TIMEOUT_MS = 3000

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
      if (!isKnown) await asking(probe(AbortSignal.timeout(PROBE_TIMEOUT_MS))).catch(() => undefined) // remembered
      return last
    },
  }
}

/** Whether a daemon answers at all at its address for that. */
export async function probeHealth(url: string, signal: AbortSignal): Promise<void> {
  const { status } = await fetchBounded(url, {}, { timeoutMs: PROBE_TIMEOUT_MS, mostBytes: 0, signal })
  if (status >= 500) throw new Error(`HTTP ${status}`)
}
