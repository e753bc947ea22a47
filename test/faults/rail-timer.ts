// The till's time: twenty times as fast as ours, or one that leaps over an hour.
import { type SystemClock, systemClock } from '../../src/system/index.js'
import { createFakeClock } from '../support/fake-clock.js'
import { fastClock } from '../support/relay-pool.js'
import { pause } from './rail-stage.js'

const SPEED = 20
/** How the clock of the hour leaps, and how often it ticks in between. */
const LEAP_MS = 20_000
const TICK_MS = 20

export interface Timer extends SystemClock {
  /** A short real moment in which some of the till's time goes by. */
  step(): Promise<void>
  /** Lets so much of the till's time go by, as fast as may be. */
  spend(ms: number): Promise<void>
  stop(): void
}

export function fastTimer(): Timer {
  const clock = fastClock(SPEED)
  return { ...clock, step: () => pause(10), spend: (ms) => pause(ms / SPEED), stop: () => undefined }
}

/** Ticks as other clocks do, and leaps on command. */
export function leapingTimer(): Timer {
  const clock = createFakeClock(systemClock.now())
  const ticking = setInterval(() => void clock.advance(TICK_MS), TICK_MS)
  async function leap(ms: number): Promise<void> {
    await clock.advance(ms)
    await pause(2)
  }
  return {
    ...clock,
    step: () => leap(1000),
    async spend(ms) {
      for (let gone = 0; gone < ms; gone += LEAP_MS) await leap(LEAP_MS)
    },
    stop: () => clearInterval(ticking),
  }
}
