// N worker threads behind one function, with a bounded queue.

import type { Prover, RangeProofInput } from '../grin/crypto/index.js'
import { workersBusy, workersClosed } from './errors.js'
import type { RangeRequest } from './range-requests.js'
import { createSlot, type Slot, type SlotParts } from './slot.js'

export interface PoolParts extends SlotParts {
  readonly threads: number
  /** Requests that may wait while all threads are busy; one more is refused with WORKERS_BUSY. */
  readonly queueLimit: number
}

interface Task<Q, A> {
  readonly request: Q
  readonly resolve: (answer: A) => void
  readonly reject: (error: unknown) => void
}

/** Starts the threads at once. `run` rejects with WORKERS_BUSY, WORKERS_CLOSED, WORKER_STUCK, WORKER_DIED or the request's own error. */
export function createThreadPool<Q, A>({ threads, queueLimit, ...parts }: PoolParts) {
  const slots = Array.from({ length: threads }, () => createSlot<Q, A>(parts))
  const free = [...slots]
  const queue: Task<Q, A>[] = []
  let closed: Promise<void> | undefined

  const ready = Promise.all(slots.map((slot) => slot.warm())).then(() => undefined)
  // The caller that awaits `ready` gets the failure; otherwise the first request does.
  ready.catch(() => {})

  async function serve(slot: Slot<Q, A>, task: Task<Q, A>): Promise<void> {
    try {
      task.resolve(await slot.run(task.request))
    } catch (error) {
      task.reject(closed ? workersClosed() : error)
      // Warm up the replacement now, before the next request.
      if (!closed) slot.warm().catch(() => {})
    }
    const next = closed ? undefined : queue.shift()
    if (next) void serve(slot, next)
    else free.push(slot)
  }

  function run(request: Q): Promise<A> {
    return new Promise((resolve, reject) => {
      if (closed) return reject(workersClosed())
      const task = { request, resolve, reject }
      const slot = free.pop()
      if (slot) return void serve(slot, task)
      if (queue.length >= queueLimit) return reject(workersBusy(queue.length))
      queue.push(task)
    })
  }

  async function shut(): Promise<void> {
    for (const { reject } of queue.splice(0)) reject(workersClosed())
    await Promise.all(slots.map((slot) => slot.dismiss()))
  }

  return {
    run,
    ready,
    /** Ends all threads; rejects running and waiting requests. Idempotent. */
    close(): Promise<void> {
      closed ??= shut()
      return closed
    },
  }
}

// Range proofs by a pool of threads: both ports over one request function.
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
  const pool = createThreadPool<RangeRequest, Uint8Array | boolean>({
    ...parts,
    deadlineMs: parts.deadlineMs ?? DEADLINE_MS,
    queueLimit: parts.queueLimit ?? QUEUE_LIMIT,
  })
  return { ...rangePortsOver(pool.run), ready: pool.ready, close: pool.close }
}
