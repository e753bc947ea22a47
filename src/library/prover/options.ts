// What both provers take and give: that of Node, and that of browsers.
import type { WebAbortSignal } from '../../lib/web-types.js'
import type { Prover } from '../local-prover.js'

export type { Prover }

/** Threads and bounds of a prover. */
export interface ProverOptions {
  /** Number of threads, at least 1. Default: processors minus one; in browsers at most 4. */
  readonly threads?: number
  /** Longest time for one proof in milliseconds; the thread is replaced after it. Default 20 000. */
  readonly deadlineMs?: number
  /** Requests that may wait while all threads are busy. Default 256. */
  readonly queueLimit?: number
  /** Closes the prover when it aborts. */
  readonly signal?: WebAbortSignal
  /**
   * In browsers: the address of `prove.worker.js`, where the page serves it, if the bundler does not find it by itself. It must be of the
   * page's own origin. Node ignores it.
   */
  readonly workerUrl?: string
}

/**
 * A prover in worker threads. `prove` and `verify` reject with WORKERS_BUSY (the queue is full), WORKER_STUCK (deadline), WORKER_DIED (the
 * thread ended or could not be loaded), WORKERS_CLOSED, or the request's own error. A thread that hangs or ends is replaced.
 */
export interface WorkerProver extends Prover {
  /** Resolves when every thread has built its tables; rejects if a thread does not start. Waiting for it is optional. */
  readonly ready: Promise<void>
  /** Ends all threads; what runs or waits rejects with WORKERS_CLOSED. Idempotent. */
  close(): Promise<void>
}

/** Closes the prover with the signal. */
export function closedBy<P extends { close(): Promise<void> }>(prover: P, signal: WebAbortSignal | undefined): P {
  if (signal?.aborted) void prover.close()
  else signal?.addEventListener('abort', () => void prover.close(), { once: true })
  return prover
}
