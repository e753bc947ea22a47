// Range proofs by a pool of threads: both ports over one request function.
import type { Prover, RangeProofInput } from '../grin/crypto/index.js'
import { createPool, type PoolParts } from './pool.js'
import type { RangeRequest } from './range-requests.js'

/** Longest time for one proof; the thread is replaced after it. */
const DEADLINE_MS = 20_000
/** Requests that may wait for a thread. */
const QUEUE_LIMIT = 256

export interface RangePool extends Prover {
  /** Resolves when every thread has its tables. */
  readonly ready: Promise<void>
  /** Ends all threads; running and waiting requests reject with WORKERS_CLOSED. Idempotent. */
  close(): Promise<void>
}

/** An answer of the wrong type is a bug. */
export function rangePortsOver(ask: (request: RangeRequest) => Promise<Uint8Array | boolean>): Prover {
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

export interface RangePoolParts extends Pick<PoolParts, 'start' | 'threads' | 'startMs'> {
  /** Milliseconds; default 20 000. */
  readonly deadlineMs?: number | undefined
  /** Default 256. */
  readonly queueLimit?: number | undefined
}

/** Starts the threads at once. */
export function createRangePool(parts: RangePoolParts): RangePool {
  const pool = createPool<RangeRequest, Uint8Array | boolean>({
    ...parts,
    deadlineMs: parts.deadlineMs ?? DEADLINE_MS,
    queueLimit: parts.queueLimit ?? QUEUE_LIMIT,
  })
  return { ...rangePortsOver(pool.run), ready: pool.ready, close: pool.close }
}
