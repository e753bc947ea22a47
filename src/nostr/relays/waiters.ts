// Waits for a condition, with a timeout.
import type { Clock } from '../../lib/ports.js'

export interface Waiters {
  /** Resolves true as soon as `holds` returns true, checked now and at every `wake`; false after `ms`. */
  until(holds: () => boolean, ms: number): Promise<boolean>
  wake(): void
}

export function createWaiters(clock: Clock): Waiters {
  const looks = new Set<() => void>()
  return {
    async until(holds, ms) {
      if (holds()) return true
      const timer = new AbortController()
      await new Promise<void>((resolve) => {
        const look = () => holds() && done()
        const done = () => {
          looks.delete(look)
          resolve()
        }
        looks.add(look)
        void clock.sleep(ms, timer.signal).then(done)
      })
      timer.abort()
      return holds()
    },
    wake() {
      for (const look of [...looks]) look()
    },
  }
}

// Throttle: runs at once after a quiet pause, otherwise once for all triggers within the pause.

export interface ThrottleParts {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Minimum ms between two runs. */
  readonly pauseMs: number
  readonly run: () => void
  /** True: always waits for the pause, never runs at once. */
  readonly always?: boolean
}

export function createThrottle({ clock, signal, pauseMs, run, always = false }: ThrottleParts): { trigger(): void } {
  let last = -Infinity
  let scheduled = false

  function now(): void {
    last = clock.monotonic()
    run()
  }

  async function later(ms: number): Promise<void> {
    scheduled = true
    await clock.sleep(ms, signal)
    scheduled = false
    if (!signal.aborted) now()
  }

  return {
    trigger() {
      if (scheduled) return
      const wait = always ? pauseMs : last + pauseMs - clock.monotonic()
      if (wait <= 0) now()
      else void later(wait)
    },
  }
}
