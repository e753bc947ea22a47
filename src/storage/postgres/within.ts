// A time limit for one question to a server: a machine that lost its power closes no connection, and never answers.
import type { Clock } from '../../lib/ports.js'

/** `late` after `ms`; the question itself goes on. */
export async function within<T>(clock: Pick<Clock, 'sleep'>, ms: number, answer: Promise<T>): Promise<T | 'late'> {
  const timer = new AbortController()
  try {
    return await Promise.race([answer, clock.sleep(ms, timer.signal).then(() => 'late' as const)])
  } finally {
    timer.abort()
  }
}
