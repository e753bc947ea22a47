// Keeps a bounded number of jobs running while some are due, and sleeps until the next one may start.
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../lib/ports.js'

export interface PumpParts<T> {
  /** Jobs at the same time. */
  readonly width: number
  readonly next: () => T | undefined
  /** Milliseconds until `next` has one; undefined when none waits. */
  readonly waitMs: () => number | undefined
  /** Never rejects. */
  readonly run: (job: T) => Promise<void>
  readonly clock: Pick<Clock, 'sleep'>
}

export interface Pump {
  /** There may be something to do. */
  kick(): void
  /** Resolves when nothing runs and nothing may start now. */
  idle(): Promise<void>
  /** Starts nothing more and waits for what runs. Idempotent. */
  close(): Promise<void>
}

/** Between two jobs of a lane the event loop gets its turn. */
export function createPump<T>({ width, next, waitMs, run, clock }: PumpParts<T>): Pump {
  const closed = new AbortController()
  let running = 0
  let alarm = new AbortController()
  let waiters: (() => void)[] = []

  async function lane(first: T): Promise<void> {
    for (let job: T | undefined = first; job !== undefined; job = closed.signal.aborted ? undefined : next()) {
      await setImmediate()
      await run(job)
    }
  }

  function start(job: T): void {
    running += 1
    void lane(job).finally(() => {
      running -= 1
      kick()
    })
  }

  function rest(): void {
    const done = waiters
    waiters = []
    for (const resolve of done) resolve()
  }

  /** One sleeper at a time: each kick replaces it. */
  function sleep(): void {
    alarm.abort()
    const ms = waitMs()
    if (ms === undefined || closed.signal.aborted) return
    alarm = new AbortController()
    const { signal } = alarm
    void clock.sleep(Math.max(1, ms), signal).then(() => {
      if (!signal.aborted) kick()
    })
  }

  function kick(): void {
    while (running < width && !closed.signal.aborted) {
      const job = next()
      if (job === undefined) break
      start(job)
    }
    if (running < width) sleep()
    if (running === 0) rest()
  }

  return {
    kick,
    idle: () =>
      new Promise((resolve) => {
        waiters.push(resolve)
        kick()
      }),
    close() {
      closed.abort()
      alarm.abort()
      return new Promise((resolve) => {
        waiters.push(resolve)
        kick()
      })
    },
  }
}
