// A pass that is repeated: one at a time, never overlapping, a failed pass is logged and the next one tried.
import { messageOf } from '../../lib/errors.js'
import type { Part, RuntimeLog } from '../runtime.js'

interface LoopOptions {
  readonly name: string
  readonly everyMs: number
  /** The signal aborts when the loop is to stop: a long pass ends early. */
  readonly pass: (signal?: AbortSignal) => Promise<void>
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  readonly log: RuntimeLog
}

/** Runs `pass` at once and then `everyMs` after each end. Stopping waits for the pass under way. */
export function createLoop({ name, everyMs, pass, sleep, log }: LoopOptions): Part {
  let ended: Promise<void> = Promise.resolve()
  const aborter = new AbortController()

  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await pass(signal).catch((cause: unknown) => log.error({ loop: name, cause: messageOf(cause) }, 'pass failed'))
      await sleep(everyMs, signal)
    }
  }

  return {
    name,
    async start(signal) {
      signal.addEventListener('abort', () => aborter.abort(), { once: true })
      ended = run(aborter.signal)
    },
    async stop() {
      aborter.abort()
      await ended
    },
  }
}
