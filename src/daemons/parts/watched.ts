// What was last heard of a server of somebody else: for readiness, and one log line when it changes. Nobody is asked for it.
import { messageOf } from '../../lib/errors.js'
import type { Check } from '../runtime.js'

interface WatchLog {
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
}

export interface Watch {
  /** Runs a question to the server and remembers how it went; rejects as it does. */
  asking<T>(question: Promise<T>): Promise<T>
  /** What the last question came to; fine before the first one. */
  check(): Promise<Check>
}

/** `who` begins the log lines, e.g. "the till". */
export function createWatch(who: string, log: WatchLog): Watch {
  let last: Check = { ok: true, detail: 'not asked yet', informative: true }

  function remember(ok: boolean, detail: string): void {
    if (!ok && last.ok) log.warn({ cause: detail }, `${who} does not answer as it should`)
    if (ok && !last.ok) log.info({}, `${who} answers again`)
    last = { ok, detail, informative: true }
  }

  return {
    async asking(question) {
      try {
        const answer = await question
        remember(true, 'answered')
        return answer
      } catch (thrown) {
        remember(false, messageOf(thrown))
        throw thrown
      }
    },
    check: async () => last,
  }
}
