// Whose stored query goes on when. All of them share a few milliseconds of every turn of the event loop, slice by slice, so that a long query
// holds up neither the answers to published events nor the queries of others. Connections are served by weighted fair queueing (`fair-line.ts`).

import { ChurnMap } from '../collections/churn-map.js'
import { createFairQueue, type Flow } from '../collections/fair-queue.js'
import type { Clock } from '../ports.js'

/** Who waits for the answers; its identity tells connections apart. An `Outbox` is one. */
export interface QueryClient {
  /** Unsent bytes. */
  pending(): number
  /** Calls back once, when everything was written. */
  whenWritten(resume: () => void): void
}

/** Something done in slices of a few hundred microseconds. */
export interface SlicedTask {
  /** True: it is done, and its answer was sent. */
  step(): boolean
  /** Milliseconds that it takes in all, as far as what was asked tells. */
  readonly expectedMs?: number
  /** A step threw; there will be no other. */
  failed(error: unknown): void
}

export interface QuerySchedulerParts {
  readonly clock: Pick<Clock, 'monotonic'>
  /** Runs something in the next turn of the event loop, after what came in meanwhile. */
  readonly nextTurn?: (run: () => void) => void
  /** Milliseconds of one turn for all queries together. */
  readonly budgetMs?: number
  /** A reader with more unsent bytes than this waits until it has read. */
  readonly maxUnsent?: number
}

export interface QueryScheduler {
  /** Begins at once, when this turn has time left. A task of the same reader and key is stopped. */
  start(reader: QueryClient, key: string, task: SlicedTask): void
  /** Unknown ones are no mistake. */
  stop(reader: QueryClient, key: string): void
  /** Stops all of a connection. */
  leave(reader: QueryClient): void
  /** Tasks of one connection that are not done. */
  waiting(reader: QueryClient): number
}

/** The unfinished tasks of one connection; they take turns too. */
interface ConnectionQueue extends Flow {
  readonly reader: QueryClient
  readonly tasks: ChurnMap<string, SlicedTask>
  /** Until the reader has read. */
  isPaused: boolean
  /** Slices since a task of it was done. */
  slices: number
  /** Milliseconds until others have their turn. */
  quantum: number
  /** Stands in the line, or is the current one. */
  isInLine: boolean
}

const BUDGET_MS = 2
/**
 * What a connection has at a time before others have theirs, in milliseconds. Nothing is expected to take longer, and no slice is charged more
 * than was expected: what took longer was a garbage collection, or another process.
 */
const QUANTUM_MS = 1
/** A short answer: a page or two, and the end of it. */
const FEW_SLICES = 4
/** What a slice takes of it at least: a clock may stand still. */
const LEAST_MS = 1 / 64
const MAX_UNSENT = 1_048_576

export function createQueryScheduler(parts: QuerySchedulerParts): QueryScheduler {
  const { clock, nextTurn = setImmediate, budgetMs = BUDGET_MS, maxUnsent = MAX_UNSENT } = parts
  const queues = new ChurnMap<QueryClient, ConnectionQueue>()
  /** Lanes that can go on. */
  const line = createFairQueue<ConnectionQueue>()
  /** Had less than its quantum when the last turn had no time left: it goes on first. */
  let current: ConnectionQueue | undefined
  /** Milliseconds since the last turn began. */
  let spent = 0
  let isTurnDue = false

  function queueOf(reader: QueryClient): ConnectionQueue {
    const known = queues.get(reader)
    if (known) return known
    const queue = {
      reader,
      tasks: new ChurnMap<string, SlicedTask>(),
      served: 0,
      isPaused: false,
      slices: 0,
      quantum: 0,
      isInLine: false,
    }
    queues.set(reader, queue)
    return queue
  }

  function enqueue(queue: ConnectionQueue): void {
    if (!queue.isInLine) {
      queue.isInLine = true
      queue.quantum = QUANTUM_MS
      line.push(queue, expectedOf(queue, queue.tasks.first()?.[1]))
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
    for (let queue = current ?? line.shift(); queue; queue = line.shift()) {
      current = undefined
      advance(queue)
      if (spent >= budgetMs) break
    }
    if (current || line.length > 0) requestTurn()
  }

  /** Slices of one quantum, or what is left of it, then the rest of the lane is queued again. */
  function advance(queue: ConnectionQueue): void {
    for (let first = queue.tasks.first(); first && !isHeldUp(queue); first = queue.tasks.first()) {
      slice(queue, ...first)
      if (queue.quantum <= 0) break
      if (spent < budgetMs) continue
      current = queue
      return
    }
    queue.isInLine = false
    goOn(queue)
  }

  function isHeldUp(queue: ConnectionQueue): boolean {
    if (queue.isPaused || queue.reader.pending() <= maxUnsent) return queue.isPaused
    queue.isPaused = true
    queue.reader.whenWritten(() => {
      queue.isPaused = false
      goOn(queue)
    })
    return true
  }

  /** A paused lane stays although it is empty, so that nobody asks a second time to be called back. */
  function goOn(queue: ConnectionQueue): void {
    if (queue.isPaused) return
    if (queue.tasks.size > 0) enqueue(queue)
    else if (queues.get(queue.reader) === queue) queues.delete(queue.reader)
  }

  /** Afterwards the task is the last of its lane, or gone. It may have been stopped meanwhile, by its own answer. */
  function slice(queue: ConnectionQueue, key: string, task: SlicedTask): void {
    const begun = clock.monotonic()
    const isDone = isDoneAfterStep(task)
    const taken = Math.max(0, clock.monotonic() - begun)
    spent += taken
    const passed = Math.min(taken, QUANTUM_MS)
    line.charge(queue, Math.min(passed, expectedOf(queue, task) || QUANTUM_MS), passed)
    queue.quantum -= Math.max(taken, LEAST_MS)
    queue.slices = isDone ? 0 : queue.slices + 1
    if (queue.tasks.get(key) !== task) return
    queue.tasks.delete(key)
    if (!isDone) queue.tasks.set(key, task)
  }

  function stop(reader: QueryClient, key: string): void {
    const queue = queues.get(reader)
    if (queue?.tasks.delete(key)) goOn(queue)
  }

  return {
    start(reader, key, task) {
      const queue = queueOf(reader)
      queue.tasks.delete(key)
      queue.tasks.set(key, task)
      while (queue.tasks.get(key) === task && spent < budgetMs && !isHeldUp(queue)) slice(queue, key, task)
      goOn(queue)
    },
    stop,
    leave(reader) {
      queues.get(reader)?.tasks.clear()
      queues.delete(reader)
    },
    waiting: (reader) => queues.get(reader)?.tasks.size ?? 0,
  }
}

/** What the next quantum will take. The rest of a query that needs more than a few slices, or was never estimated, is unknown. */
function expectedOf({ slices }: ConnectionQueue, task: SlicedTask | undefined): number {
  const isLong = slices >= (task?.expectedMs === undefined ? 1 : FEW_SLICES)
  return isLong ? QUANTUM_MS : Math.min(QUANTUM_MS, task?.expectedMs ?? 0)
}

function isDoneAfterStep(task: SlicedTask): boolean {
  try {
    return task.step()
  } catch (error) {
    task.failed(error)
    return true
  }
}
