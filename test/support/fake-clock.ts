// Time that stands still until a test moves it.
import type { SystemClock } from '../../src/system/index.js'
import { NOON } from './till-builders.js'

export interface FakeClock extends SystemClock {
  /** Moves time and wakes who slept until then. */
  advance(ms: number): Promise<void>
  /** Sets the wall clock so much further (negative: back), while no time passes. */
  jump(ms: number): void
  /** How many sleep: a leak shows here. */
  sleepers(): number
}

export function createFakeClock(start = NOON): FakeClock {
  let now = start
  let ticks = 0
  const asleep = new Set<{ readonly until: number; readonly wake: () => void }>()
  return {
    now: () => now,
    monotonic: () => ticks,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        const wake = () => {
          asleep.delete(sleeper)
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        const sleeper = { until: ticks + ms, wake }
        asleep.add(sleeper)
        signal?.addEventListener('abort', wake, { once: true })
      }),
    async advance(ms) {
      now += ms
      ticks += ms
      for (const sleeper of [...asleep]) if (sleeper.until <= ticks) sleeper.wake()
      await settled()
    },
    jump(ms) {
      now += ms
    },
    sleepers: () => asleep.size,
  }
}

/** Lets everything that only waits for promises run. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
