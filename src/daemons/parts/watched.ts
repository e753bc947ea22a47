// What was last heard of a server of somebody else: for readiness, and one log line when it changes. It is asked for that only while
// somebody wants to know how this daemon is, and nothing else was asked of late.
import { messageOf } from '../../lib/errors.js'
import type { Check } from '../runtime.js'

interface WatchParts {
  readonly log: {
    info(fields: object, text: string): void
    warn(fields: object, text: string): void
  }
  readonly clock: { now(): number }
  /** Rejects when the server is not well. */
  readonly probe: (signal: AbortSignal) => Promise<unknown>
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
const PATIENCE_MS = 3000

/** `who` begins the log lines, e.g. "the till". */
export function createWatch(who: string, { log, clock, probe }: WatchParts): Watch {
  let last: Check = { ok: true, detail: 'not asked yet', informative: true }
  let heardAt: number | undefined

  function remember(ok: boolean, detail: string): void {
    if (!ok && last.ok) log.warn({ cause: detail }, `${who} does not answer as it should`)
    if (ok && !last.ok) log.info({}, `${who} answers again`)
    last = { ok, detail, informative: true }
    heardAt = clock.now()
  }

  async function asking<T>(question: Promise<T>): Promise<T> {
    try {
      const answer = await question
      remember(true, 'answered')
      return answer
    } catch (thrown) {
      remember(false, messageOf(thrown))
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
  const answer = await fetch(url, { signal, redirect: 'manual' })
  await answer.body?.cancel()
  if (answer.status >= 500) throw new Error(`HTTP ${answer.status}`)
}
