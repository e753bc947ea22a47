// The only file that reads the clock.

/** Time as a port: epoch milliseconds, a clock that only goes on, and sleeping that an abort ends early. */
export interface SystemClock {
  now(): number
  /** Milliseconds since some moment; never set, never back. For durations within this process. */
  monotonic(): number
  /** Resolves after `ms`, or at once (never rejects) when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: SystemClock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const done = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      signal?.addEventListener('abort', done, { once: true })
    }),
}
