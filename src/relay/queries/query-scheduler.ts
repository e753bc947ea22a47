// Schedules stored queries. All queries share a few milliseconds of each turn of the event loop, slice by slice, so that a long query delays
// neither writes nor other queries. Connections are served by weighted fair queueing (`fair-queue.ts`). A query that waits for a reader thread is
// parked, and costs its connection what the reader worked.

import type { Clock } from '../../lib/ports.js'
import { ChurnMap } from '../collections/churn-map.js'
import { createFairQueue, type Flow } from '../collections/fair-queue.js'
import type { Waiting } from '../ports.js'

/** The client of queries; its identity tells connections apart. An `Outbox` is one. */
export interface QueryClient {
  /** Unsent bytes. */
  pending(): number
  /** Calls back once when everything is written. */
  whenWritten(resume: () => void): void
}

/** Work in slices of a few hundred microseconds. */
export interface SlicedTask {
  /** Runs a slice. True: done, and the answer is sent. A wait, only if it may: the next slice runs when that is over. */
  step(mayWait: boolean): boolean | Waiting
  /** Estimated total milliseconds. */
  readonly expectedMs?: number
  /** Called when a step threw. No further step follows. */
  failed(error: unknown): void
  /** Called when no further step follows. */
  dropped?(): void
  /** Bytes that other threads have read for it. */
  heldBytes?(): number
}

export interface QuerySchedulerParts {
  readonly clock: Pick<Clock, 'monotonic'>
  /** Runs a callback in the next turn of the event loop, after pending input. */
  readonly nextTurn?: (run: () => void) => void
  /** Milliseconds per turn for all queries. */
  readonly budgetMs?: number
  /** A client with more unsent bytes than this is paused until it has read. */
  readonly maxUnsent?: number
}

export interface QueryScheduler {
  /** Starts a task, at once when the turn has time left. Replaces a task with the same client and key. */
  start(reader: QueryClient, key: string, task: SlicedTask): void
  /** Unknown tasks are ignored. */
  stop(reader: QueryClient, key: string): void
  /** Stops all tasks of a connection. */
  leave(reader: QueryClient): void
  /** Unfinished tasks of a connection. */
  waiting(reader: QueryClient): number
  /** Bytes that other threads have read for the tasks of a connection. */
  heldBytes(reader: QueryClient): number
}

/** The unfinished tasks of one connection, served round-robin. */
interface ConnectionQueue extends Flow {
  readonly reader: QueryClient
  readonly tasks: ChurnMap<string, SlicedTask>
  /** Tasks that wait for another thread; undefined until one does, because most never do. */
  parked: ChurnMap<string, SlicedTask> | undefined
  /** True until the client has read its output. */
  isPaused: boolean
  /** Slices since a task was finished. */
  slices: number
  /** Milliseconds left in its quantum. */
  quantum: number
  /** True while queued or current. */
  isQueued: boolean
}

const BUDGET_MS = 2
/**
 * Quantum of a connection in milliseconds. No task is expected to take longer, and no slice is charged more than expected: the excess was a
 * garbage collection or another process.
 */
const QUANTUM_MS = 1
/** Slices of a short answer: a page or two, and its end. */
const FEW_SLICES = 4
/** Minimum charge of a slice, in case the clock does not advance. */
const LEAST_MS = 1 / 64
const MAX_UNSENT = 1_048_576
/** Tasks of one connection that may wait at the same time; the main thread runs the slices of the others. */
const MAX_PARKED = 2

export function createQueryScheduler(parts: QuerySchedulerParts): QueryScheduler {
  const { clock, nextTurn = setImmediate, budgetMs = BUDGET_MS, maxUnsent = MAX_UNSENT } = parts
  const queues = new ChurnMap<QueryClient, ConnectionQueue>()
  /** Connections that are ready to run. */
  const ready = createFairQueue<ConnectionQueue>()
  /** The connection whose quantum the end of the last turn interrupted; it continues first. */
  let current: ConnectionQueue | undefined
  /** Milliseconds used in this turn. */
  let spent = 0
  let isTurnDue = false

  function queueOf(reader: QueryClient): ConnectionQueue {
    const known = queues.get(reader)
    if (known) return known
    const queue: ConnectionQueue = {
      reader,
      tasks: new ChurnMap<string, SlicedTask>(),
      parked: undefined,
      served: 0,
      isPaused: false,
      slices: 0,
      quantum: 0,
      isQueued: false,
    }
    queues.set(reader, queue)
    return queue
  }

  function enqueue(queue: ConnectionQueue): void {
    if (!queue.isQueued) {
      queue.isQueued = true
      queue.quantum = QUANTUM_MS
      ready.push(queue, expectedOf(queue, queue.tasks.first()?.[1]))
    }
    requestTurn()
  }

  function requestTurn(): void {
    if (isTurnDue) return
    isTurnDue = true
    nextTurn(turn)
  }

  function turn(): void {
    isTurnDue = false
    spent = 0
    for (let queue = current ?? ready.shift(); queue; queue = ready.shift()) {
      current = undefined
      advance(queue)
      if (spent >= budgetMs) break
    }
    if (current || ready.length > 0) requestTurn()
  }

  /** Runs slices for the rest of a quantum, then enqueues the connection again. */
  function advance(queue: ConnectionQueue): void {
    for (let first = queue.tasks.first(); first && !isStalled(queue); first = queue.tasks.first()) {
      slice(queue, ...first)
      if (queue.quantum <= 0) break
      if (spent < budgetMs) continue
      current = queue
      return
    }
    queue.isQueued = false
    resumeQueue(queue)
  }

  function isStalled(queue: ConnectionQueue): boolean {
    if (queue.isPaused || queue.reader.pending() <= maxUnsent) return queue.isPaused
    queue.isPaused = true
    queue.reader.whenWritten(() => {
      queue.isPaused = false
      resumeQueue(queue)
    })
    return true
  }

  /** A paused connection stays even if empty, so that it waits for one callback only. */
  function resumeQueue(queue: ConnectionQueue): void {
    if (queue.isPaused) return
    if (queue.tasks.size > 0) enqueue(queue)
    else if (parkedIn(queue) === 0 && queues.get(queue.reader) === queue) queues.delete(queue.reader)
  }

  /** Runs a slice. Afterwards the task is the last of its connection, parked or removed. Its own answer may have stopped it. */
  function slice(queue: ConnectionQueue, key: string, task: SlicedTask): void {
    const begun = clock.monotonic()
    const outcome = outcomeOfStep(task, parkedIn(queue) < MAX_PARKED)
    const isDone = outcome === true
    const elapsed = Math.max(0, clock.monotonic() - begun)
    spent += elapsed
    const passed = Math.min(elapsed, QUANTUM_MS)
    ready.charge(queue, Math.min(passed, expectedOf(queue, task) || QUANTUM_MS), passed)
    queue.quantum -= Math.max(elapsed, LEAST_MS)
    queue.slices = isDone ? 0 : queue.slices + 1
    if (queue.tasks.get(key) !== task) return
    queue.tasks.delete(key)
    if (isDone) task.dropped?.()
    else if (outcome === false) queue.tasks.set(key, task)
    else park(queue, key, task, outcome)
  }

  /** A late answer finds another task in its place, or none. */
  function park(queue: ConnectionQueue, key: string, task: SlicedTask, wait: Waiting): void {
    queue.parked ??= new ChurnMap()
    const { parked } = queue
    parked.set(key, task)
    wait.whenReady((ms) => {
      if (parked.get(key) !== task) return
      parked.delete(key)
      queue.tasks.set(key, task)
      ready.charge(queue, ms)
      resumeQueue(queue)
    })
  }

  /** True when there was such a task. */
  function remove({ tasks, parked }: ConnectionQueue, key: string): boolean {
    const task = tasks.get(key) ?? parked?.get(key)
    task?.dropped?.()
    tasks.delete(key)
    parked?.delete(key)
    return task !== undefined
  }

  function stop(reader: QueryClient, key: string): void {
    const queue = queues.get(reader)
    if (queue && remove(queue, key)) resumeQueue(queue)
  }

  function leave(reader: QueryClient): void {
    const queue = queues.get(reader)
    if (!queue) return
    for (const task of tasksOf(queue)) task.dropped?.()
    queue.tasks.clear()
    queue.parked?.clear()
    queues.delete(reader)
  }

  return {
    start(reader, key, task) {
      const queue = queueOf(reader)
      remove(queue, key)
      queue.tasks.set(key, task)
      while (queue.tasks.get(key) === task && spent < budgetMs && !isStalled(queue)) slice(queue, key, task)
      resumeQueue(queue)
    },
    stop,
    leave,
    waiting(reader) {
      const queue = queues.get(reader)
      return queue ? queue.tasks.size + parkedIn(queue) : 0
    },
    heldBytes(reader) {
      const queue = queues.get(reader)
      let bytes = 0
      if (queue) for (const task of tasksOf(queue)) bytes += task.heldBytes?.() ?? 0
      return bytes
    },
  }
}

const parkedIn = ({ parked }: ConnectionQueue): number => parked?.size ?? 0

function* tasksOf({ tasks, parked }: ConnectionQueue): Iterable<SlicedTask> {
  yield* tasks.values()
  if (parked) yield* parked.values()
}

/** Expected milliseconds of the next quantum. Unknown for long or unestimated tasks. */
function expectedOf({ slices }: ConnectionQueue, task: SlicedTask | undefined): number {
  const isLong = slices >= (task?.expectedMs === undefined ? 1 : FEW_SLICES)
  return isLong ? QUANTUM_MS : Math.min(QUANTUM_MS, task?.expectedMs ?? 0)
}

function outcomeOfStep(task: SlicedTask, mayWait: boolean): boolean | Waiting {
  try {
    return task.step(mayWait)
  } catch (error) {
    task.failed(error)
    return true
  }
}
