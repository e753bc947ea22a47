// Range proofs off the event loop.
import { availableParallelism } from 'node:os'
import type { ProveRange, RangeProofInput, VerifyRange } from '../grin/crypto/index.js'
import { startWorker } from '../lib/start-worker.js'
import { createPool } from './pool.js'
import type { RangeRequest } from './range-requests.js'

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

export interface RangeWorkers {
  readonly prove: ProveRange
  readonly verify: VerifyRange
  /** Resolves when every thread has its tables. */
  readonly ready: Promise<void>
  close(): Promise<void>
}

const DEADLINE_MS = 20_000
const QUEUE_LIMIT = 256

type Answer = (request: RangeRequest) => Promise<Uint8Array | boolean>

/** Both ports over one request function; an answer of the wrong type is a bug. */
function portsOver(ask: Answer): Pick<RangeWorkers, 'prove' | 'verify'> {
  return {
    async prove(input: RangeProofInput) {
      const proof = await ask({ kind: 'prove', input })
      if (typeof proof === 'boolean') throw new Error('the prover answered with a verdict')
      return proof
    },
    async verify(commitment, proof) {
      return (await ask({ kind: 'verify', commitment, proof })) === true
    },
  }
}

/** Starts threads that make and check range proofs. `close()` is idempotent. */
export function createRangeWorkers(options: RangeWorkersOptions = {}): RangeWorkers {
  if (options.inline) {
    const ports = portsOver(async (request) => (await import('./range-requests.js')).answerRange(request))
    return { ...ports, ready: Promise.resolve(), close: () => Promise.resolve() }
  }
  const pool = createPool<RangeRequest, Uint8Array | boolean>({
    start: () => startWorker(import.meta.url, 'range'),
    threads: Math.max(1, options.threads ?? availableParallelism() - 1),
    deadlineMs: options.deadlineMs ?? DEADLINE_MS,
    queueLimit: options.queueLimit ?? QUEUE_LIMIT,
  })
  return { ...portsOver(pool.run), ready: pool.ready, close: pool.close }
}
