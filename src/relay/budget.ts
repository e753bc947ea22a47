// So many a minute (specification: relay, 12): a bucket that holds a minute's worth and fills evenly.

const MINUTE = 60_000

export class Budget {
  readonly #perMinute: number
  #left: number
  #since: number

  /** `now` in epoch milliseconds. */
  constructor(perMinute: number, now: number) {
    this.#perMinute = perMinute
    this.#left = perMinute
    this.#since = now
  }

  /** Whether one more is allowed now; takes it if so. */
  take(now: number): boolean {
    const passed = Math.max(0, now - this.#since) // a clock that was set back gives nothing
    this.#left = Math.min(this.#perMinute, this.#left + (passed / MINUTE) * this.#perMinute)
    this.#since = now
    if (this.#left < 1) return false
    this.#left--
    return true
  }
}
