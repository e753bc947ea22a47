// So many a minute (specification: relay, 12): a bucket that holds a minute's worth and fills evenly.
import type { Clock } from '../ports.js'

const MINUTE = 60_000

export interface Budget {
  /** Whether one more is allowed now; takes it if so. */
  take(): boolean
}

const UNLIMITED: Budget = { take: () => true }

/** `perMinute` undefined: no limit. */
export const openBudget = (perMinute: number | undefined, clock: Pick<Clock, 'now'>): Budget =>
  perMinute === undefined ? UNLIMITED : new Bucket(perMinute, clock)

class Bucket implements Budget {
  readonly #perMinute: number
  readonly #clock: Pick<Clock, 'now'>
  #left: number
  #since: number

  constructor(perMinute: number, clock: Pick<Clock, 'now'>) {
    this.#perMinute = perMinute
    this.#clock = clock
    this.#left = perMinute
    this.#since = clock.now()
  }

  take(): boolean {
    const now = this.#clock.now()
    const passed = Math.max(0, now - this.#since) // a clock that was set back gives nothing
    this.#left = Math.min(this.#perMinute, this.#left + (passed / MINUTE) * this.#perMinute)
    this.#since = now
    if (this.#left < 1) return false
    this.#left--
    return true
  }
}
