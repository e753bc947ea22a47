// N worker threads behind one function, with a bounded queue.
import { workersBusy, workersClosed } from './errors.js'
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
export function createPool<Q, A>({ threads, queueLimit, ...parts }: PoolParts) {
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
