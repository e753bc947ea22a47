// `@grinpay/grin/prover` in Node: range proofs in worker threads. An idle prover does not keep the process alive.
import { availableParallelism } from 'node:os'
import { startWorker } from '../../lib/start-worker.js'
import { createRangePool } from '../../prover/index.js'
import { nodeThread } from '../../prover/node.js'
import { closedBy, type ProverOptions, type WorkerProver } from './options.js'

export type { Prover, ProverOptions, WorkerProver } from './options.js'

/** Starts the threads at once. */
export function createProver({ threads, deadlineMs, queueLimit, signal }: ProverOptions = {}): WorkerProver {
  const pool = createRangePool({
    start: () => nodeThread(startWorker(import.meta.url, 'node')),
    threads: Math.max(1, threads ?? availableParallelism() - 1),
    deadlineMs,
    queueLimit,
  })
  return closedBy(pool, signal)
}
