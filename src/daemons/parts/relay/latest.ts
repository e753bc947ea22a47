// An answer of another process, asked seldom and shared: a page waits only for the first one.
import type { Clock } from '../../../lib/ports.js'

interface LatestParts<T> {
  /** Must not reject; bounded in time. */
  readonly ask: () => Promise<T>
  /** Age from which it is asked again. */
  readonly everyMs: number
  /** A page waits so long for a fresh answer, else it gets the one before. */
  readonly patienceMs: number
  readonly clock: Pick<Clock, 'now'>
}

export function createLatest<T>({ ask, everyMs, patienceMs, clock }: LatestParts<T>): () => Promise<T> {
  let known: { readonly answer: T } | undefined
  let askedAt = Number.NEGATIVE_INFINITY
  let asking: Promise<T> | undefined

  async function askNow(): Promise<T> {
    askedAt = clock.now()
    const answer = await ask()
    known = { answer }
    asking = undefined
    return answer
  }

  return async () => {
    // The clock may have been set back.
    if (!asking && (!known || Math.abs(clock.now() - askedAt) >= everyMs)) asking = askNow()
    if (!known) return asking ?? ask()
    const { answer } = known
    return asking ? Promise.race([asking, pause(patienceMs).then(() => answer)]) : answer
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms).unref())
