// Whose stored query goes on when. All of them share a few milliseconds of every turn of the event loop, one slice each in rounds, so that
// a long query holds up neither the answers to published events nor the queries of others.
import { Fifo } from '../fifo.js'
import { PassingMap } from '../passing-map.js'
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
  /** A step threw; there will be no other. */
  failed(error: unknown): void
}

export interface QueriesParts {
  readonly clock: Pick<Clock, 'now'>
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
interface Lane {
  readonly reader: Reader
  readonly tasks: PassingMap<string, SlicedTask>
  /** Until the reader has read. */
  isPaused: boolean
  hadSlice: boolean
  /** Stands in a line. */
  isInLine: boolean
}

const BUDGET_MS = 2
const MAX_UNSENT = 1_048_576

export function createQueries(parts: QueriesParts): Queries {
  const { clock, nextTurn = setImmediate, budgetMs = BUDGET_MS, maxUnsent = MAX_UNSENT } = parts
  const lanes = new PassingMap<Reader, Lane>()
  /** Lanes that had no slice yet come first: whoever asks little shall not wait behind those who ask without end. */
  const fresh = new Fifo<Lane>()
  /** Lanes that can go on, in the order of their turns. */
  const ready = new Fifo<Lane>()
  /** Milliseconds since the last turn began. A clock of whole milliseconds will do: it is right on the average. */
  let spent = 0
  let isTurnDue = false

  function laneOf(reader: Reader): Lane {
    const known = lanes.get(reader)
    if (known) return known
    const lane = {
      reader,
      tasks: new PassingMap<string, SlicedTask>(),
      isPaused: false,
      hadSlice: false,
      isInLine: false,
    }
    lanes.set(reader, lane)
    return lane
  }

  function queue(lane: Lane): void {
    if (!lane.isInLine) (lane.hadSlice ? ready : fresh).push(lane)
    lane.isInLine = true
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
    goThrough(fresh)
    goThrough(ready)
    if (fresh.length > 0 || ready.length > 0) requestTurn()
  }

  function goThrough(line: Fifo<Lane>): void {
    while (spent < budgetMs) {
      const lane = line.shift()
      if (!lane) return
      lane.isInLine = false
      const first = lane.tasks.first()
      if (first) advance(lane, ...first)
    }
  }

  /** One slice; the rest of the lane is queued again. */
  function advance(lane: Lane, key: string, task: SlicedTask): void {
    if (!isHeldUp(lane)) slice(lane, key, task)
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
    lane.hadSlice = true
    const begun = clock.now()
    const isDone = isDoneAfterStep(task)
    spent += Math.max(0, clock.now() - begun)
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

function isDoneAfterStep(task: SlicedTask): boolean {
  try {
    return task.step()
  } catch (error) {
    task.failed(error)
    return true
  }
}
