// Time that stands still until a test moves it.
import type { Clock } from '../../src/system/index.js'
import { NOON } from './till-builders.js'

export interface FakeClock extends Clock {
  /** Moves time and wakes who slept until then. */
  advance(ms: number): Promise<void>
  /** How many sleep: a leak shows here. */
  sleepers(): number
}

export function createFakeClock(start = NOON): FakeClock {
  let now = start
  const asleep = new Set<{ readonly until: number; readonly wake: () => void }>()
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        const wake = () => {
          asleep.delete(sleeper)
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        const sleeper = { until: now + ms, wake }
        asleep.add(sleeper)
        signal?.addEventListener('abort', wake, { once: true })
      }),
    async advance(ms) {
      now += ms
      for (const sleeper of [...asleep]) if (sleeper.until <= now) sleeper.wake()
      await settled()
    },
    sleepers: () => asleep.size,
  }
}

/** Lets everything that only waits for promises run. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
