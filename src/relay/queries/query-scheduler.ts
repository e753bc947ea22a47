// Whose stored query goes on when. All of them share a few milliseconds of every turn of the event loop, slice by slice, so that a long query
// holds up neither the answers to published events nor the queries of others. Connections are served by weighted fair queueing (`fair-line.ts`).

import { PassingMap } from '../collections/churn-map.js'
import { type Account, createFairLine } from '../collections/fair-queue.js'
import type { Clock } from '../ports.js'

/** Who waits for the answers; its identity tells connections apart. An `Outbox` is one. */
export interface Reader {
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

export interface QueriesParts {
  readonly clock: Pick<Clock, 'monotonic'>
  /** Runs something in the next turn of the event loop, after what came in meanwhile. */
  readonly nextTurn?: (run: () => void) => void
  /** Milliseconds of one turn for all queries together. */
  readonly budgetMs?: number
  /** A reader with more unsent bytes than this waits until it has read. */
  readonly maxUnsent?: number
}

export interface Queries {
  /** Begins at once, when this turn has time left. A task of the same reader and key is stopped. */
  start(reader: Reader, key: string, task: SlicedTask): void
  /** Unknown ones are no mistake. */
  stop(reader: Reader, key: string): void
  /** Stops all of a connection. */
  leave(reader: Reader): void
  /** Tasks of one connection that are not done. */
  waiting(reader: Reader): number
}

/** The unfinished tasks of one connection; they take turns too. */
interface Lane extends Account {
  readonly reader: Reader
  readonly tasks: PassingMap<string, SlicedTask>
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

export function createQueries(parts: QueriesParts): Queries {
  const { clock, nextTurn = setImmediate, budgetMs = BUDGET_MS, maxUnsent = MAX_UNSENT } = parts
  const lanes = new PassingMap<Reader, Lane>()
  /** Lanes that can go on. */
  const line = createFairLine<Lane>()
  /** Had less than its quantum when the last turn had no time left: it goes on first. */
  let current: Lane | undefined
  /** Milliseconds since the last turn began. */
  let spent = 0
  let isTurnDue = false

  function laneOf(reader: Reader): Lane {
    const known = lanes.get(reader)
    if (known) return known
    const lane = {
      reader,
      tasks: new PassingMap<string, SlicedTask>(),
      served: 0,
      isPaused: false,
      slices: 0,
      quantum: 0,
      isInLine: false,
    }
    lanes.set(reader, lane)
    return lane
  }

  function queue(lane: Lane): void {
    if (!lane.isInLine) {
      lane.isInLine = true
      lane.quantum = QUANTUM_MS
      line.push(lane, expectedOf(lane, lane.tasks.first()?.[1]))
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
    for (let lane = current ?? line.shift(); lane; lane = line.shift()) {
      current = undefined
      advance(lane)
      if (spent >= budgetMs) break
    }
    if (current || line.length > 0) requestTurn()
  }

  /** Slices of one quantum, or what is left of it, then the rest of the lane is queued again. */
  function advance(lane: Lane): void {
    for (let first = lane.tasks.first(); first && !isHeldUp(lane); first = lane.tasks.first()) {
      slice(lane, ...first)
      if (lane.quantum <= 0) break
      if (spent < budgetMs) continue
      current = lane
      return
    }
    lane.isInLine = false
    goOn(lane)
  }

  function isHeldUp(lane: Lane): boolean {
    if (lane.isPaused || lane.reader.pending() <= maxUnsent) return lane.isPaused
    lane.isPaused = true
    lane.reader.whenWritten(() => {
      lane.isPaused = false
      goOn(lane)
    })
    return true
  }

  /** A paused lane stays although it is empty, so that nobody asks a second time to be called back. */
  function goOn(lane: Lane): void {
    if (lane.isPaused) return
    if (lane.tasks.size > 0) queue(lane)
    else if (lanes.get(lane.reader) === lane) lanes.delete(lane.reader)
  }

  /** Afterwards the task is the last of its lane, or gone. It may have been stopped meanwhile, by its own answer. */
  function slice(lane: Lane, key: string, task: SlicedTask): void {
    const begun = clock.monotonic()
    const isDone = isDoneAfterStep(task)
    const taken = Math.max(0, clock.monotonic() - begun)
    spent += taken
    const passed = Math.min(taken, QUANTUM_MS)
    line.charge(lane, Math.min(passed, expectedOf(lane, task) || QUANTUM_MS), passed)
    lane.quantum -= Math.max(taken, LEAST_MS)
    lane.slices = isDone ? 0 : lane.slices + 1
    if (lane.tasks.get(key) !== task) return
    lane.tasks.delete(key)
    if (!isDone) lane.tasks.set(key, task)
  }

  function stop(reader: Reader, key: string): void {
    const lane = lanes.get(reader)
    if (lane?.tasks.delete(key)) goOn(lane)
  }

  return {
    start(reader, key, task) {
      const lane = laneOf(reader)
      lane.tasks.delete(key)
      lane.tasks.set(key, task)
      while (lane.tasks.get(key) === task && spent < budgetMs && !isHeldUp(lane)) slice(lane, key, task)
      goOn(lane)
    },
    stop,
    leave(reader) {
      lanes.get(reader)?.tasks.clear()
      lanes.delete(reader)
    },
    waiting: (reader) => lanes.get(reader)?.tasks.size ?? 0,
  }
}

/** What the next quantum will take. The rest of a query that needs more than a few slices, or was never estimated, is unknown. */
function expectedOf({ slices }: Lane, task: SlicedTask | undefined): number {
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
