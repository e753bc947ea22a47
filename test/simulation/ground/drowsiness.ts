// The sleep of a process in quiet hours: it lasts until the next full ten minutes, or until something happens. A world whose loops woke every
// second of the night would cost a hundred times as much and show nothing more.
import type { VirtualTime } from './time.js'

/** Since when nothing happened, and at which full minutes a process wakes then. */
const USUAL = { quietAfterMs: 3 * 60_000, gridMs: 10 * 60_000 }

export interface Drowsiness {
  /** As the clock port has it. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Something happened: whoever has slept long enough wakes. */
  stir(): void
}

export function createDrowsiness(time: VirtualTime, { quietAfterMs, gridMs } = USUAL): Drowsiness {
  let stirredAt = time.now()
  const drowsy = new Set<() => void>()

  return {
    stir() {
      stirredAt = time.now()
      for (const wake of drowsy) wake()
      drowsy.clear()
    },
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        const due = time.now() + ms
        const done = () => {
          clearTimeout(timer)
          drowsy.delete(wake)
          signal?.removeEventListener('abort', done)
          resolve()
        }
        const wake = () => {
          clearTimeout(timer)
          timer = setTimeout(done, Math.max(0, due - time.now()))
        }
        signal?.addEventListener('abort', done, { once: true })
        const isQuiet = time.now() - stirredAt >= quietAfterMs
        let timer = setTimeout(done, isQuiet ? ms + gridMs - (due % gridMs) : ms)
        if (isQuiet) drowsy.add(wake)
      }),
  }
}
