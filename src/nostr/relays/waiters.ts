// Waits for a condition, with a timeout.
import type { RelayClock } from './ports.js'

export interface Waiters {
  /** Resolves true as soon as `holds` returns true, checked now and at every `wake`; false after `ms`. */
  until(holds: () => boolean, ms: number): Promise<boolean>
  wake(): void
}

export function createWaiters(clock: RelayClock): Waiters {
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
