// Range proofs off the event loop.
import { availableParallelism } from 'node:os'
import { startWorker } from '../lib/start-worker.js'
import { createRangePool, type RangePool, rangePortsOver } from '../prover/index.js'
import { nodeThread } from '../prover/node.js'

export interface RangeWorkersOptions {
  /** Number of threads. Default: processors minus one, at least one. */
  readonly threads?: number
  /** Runs the same functions in-process, for tests and one-shot commands. */
  readonly inline?: boolean
  /** Longest time for one proof, in milliseconds; the thread is replaced after it. */
  readonly deadlineMs?: number
  /** Requests that may wait for a thread before WORKERS_BUSY. */
  readonly queueLimit?: number
}

export type RangeWorkers = RangePool

/** Starts threads that make and check range proofs. `close()` is idempotent. */
export function createRangeWorkers(options: RangeWorkersOptions = {}): RangeWorkers {
  if (options.inline) {
    const ports = rangePortsOver(async (request) => (await import('../prover/range-requests.js')).answerRange(request))
    return { ...ports, ready: Promise.resolve(), close: () => Promise.resolve() }
  }
  return createRangePool({
    start: () => nodeThread(startWorker(import.meta.url, 'range')),
    threads: Math.max(1, options.threads ?? availableParallelism() - 1),
    deadlineMs: options.deadlineMs,
    queueLimit: options.queueLimit,
  })
}
