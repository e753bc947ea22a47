// `@grinpay/grin/prover` in browsers: range proofs in Web Workers, so that pages stay responsive.
import type { WebWorker } from '../../lib/web-types.js'
import { createRangePool } from '../../prover/index.js'
import { closedBy, type ProverOptions, type WorkerProver } from './options.js'
import { webThread } from './web-thread.js'

export type { Prover, ProverOptions, WorkerProver } from './options.js'

declare const Worker: new (url: string | URL, options: { readonly type: 'module' }) => WebWorker
declare const navigator: { readonly hardwareConcurrency: number }

/** A page has other work too, and a proof takes tens of milliseconds. */
const MOST_BY_DEFAULT = 4

/** The expression is the one that bundlers look for. */
const startWorker = (url: string | undefined): WebWorker =>
  url === undefined
    ? new Worker(new URL('./prove.worker.js', import.meta.url), { type: 'module' })
    : new Worker(url, { type: 'module' })

/** Starts the workers at once. */
export function createProver(options: ProverOptions = {}): WorkerProver {
  const { threads, deadlineMs, queueLimit, signal, workerUrl } = options
  const pool = createRangePool({
    start: () => webThread(startWorker(workerUrl)),
    threads: Math.max(1, threads ?? Math.min(MOST_BY_DEFAULT, navigator.hardwareConcurrency - 1)),
    deadlineMs,
    queueLimit,
  })
  return closedBy(pool, signal)
}
