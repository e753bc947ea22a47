// How often the loops of a process turn. A loop that finds nothing would cost a hundred times as much as all that happens, and show nothing more:
// the longer a process was left alone, the longer its loops sleep. What happens to it wakes them. Some worlds have exact loops.
import type { Process, VirtualTime } from './time.js'

/** Shorter sleeps are of a protocol and stay as they are. */
const LOOP_MS = 500
const LONGEST_MS = 10 * 60_000

export interface Drowsiness {
  /** As the clock port has it. It never ends for a process that is gone. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Something happens to the process: nothing that sleeps longer than it asked for does so any more. */
  stir(): void
}

interface DrowsinessOptions {
  /** Whose loops these are. */
  readonly process?: Process
  /** Every sleep is as long as was asked for. */
  readonly isExact?: boolean
}

export function createDrowsiness(time: VirtualTime, { process, isExact = false }: DrowsinessOptions = {}): Drowsiness {
  let stirredAt = time.now()
  const stretched = new Set<() => void>()

  /** Twice the quiet time: 1 s, 2 s, 4 s … after what happened last, so that loops turn at the same moments. */
  function stretch(due: number): number {
    let at = stirredAt + 1000
    while (at < due) at += Math.min(at - stirredAt, LONGEST_MS)
    return at
  }

  return {
    stir() {
      stirredAt = time.now()
      for (const wake of stretched) wake()
      stretched.clear()
    },
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        const asked = time.now() + ms
        const done = (): void => {
          cancel()
          stretched.delete(wake)
          signal?.removeEventListener('abort', done)
          if (!process) resolve()
          else if (!process.isGone) time.within(process, resolve)
        }
        const wake = (): void => {
          cancel()
          cancel = time.after(ms, done)
        }
        const due = isExact || ms < LOOP_MS ? asked : stretch(asked)
        let cancel = time.after(due - time.now(), done)
        if (due > asked) stretched.add(wake)
        signal?.addEventListener('abort', done, { once: true })
      }),
  }
}
