// Queues incoming frames of one relay and handles them in small batches, at a limited rate. The event loop runs between batches, and
// the socket is paused while there is no room, so that one relay cannot delay the others.
import { Fifo } from '../../lib/fifo.js'
import type { Clock } from '../../lib/ports.js'

const BATCH_FRAMES = 32
const BATCH_CHARS = 512 * 1024
const SECOND_FRAMES = 2000
const SECOND_CHARS = 8 * 1024 * 1024
/** Above this queue length the socket is paused. */
const WAITING_MOST = 64
const RETRY_MS = 50

export interface FrameQueueParts {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** False: at any rate. Default: true. */
  readonly isPaced?: boolean | undefined
  /** False: no room. The frame is offered again. */
  readonly handle: (frame: string) => boolean
  readonly pause: () => void
  readonly resume: () => void
  /** A bug while handling a frame, which is dropped. */
  readonly failed: (thrown: unknown) => void
}

export interface FrameQueue {
  push(frame: string): void
  /** Starts handling frames, queued ones included. */
  start(): void
  paused(): boolean
}

export function createFrameQueue({
  clock,
  signal,
  isPaced = true,
  handle,
  pause,
  resume,
  failed,
}: FrameQueueParts): FrameQueue {
  const waiting = new Fifo<string>()
  let running = true // until start
  let paused = false
  const budget = createBudget(clock)

  function setPaused(next: boolean): void {
    if (paused === next) return
    paused = next
    if (next) pause()
    else resume()
  }

  function handled(frame: string): boolean {
    try {
      return handle(frame)
    } catch (thrown) {
      failed(thrown)
      return true
    }
  }

  /** Handles one batch; false if there was no room for the head of the queue. */
  function batch(): boolean {
    for (let frames = 0, chars = 0; frames < BATCH_FRAMES && chars < BATCH_CHARS; frames++) {
      const frame = waiting.first
      if (frame === undefined) break
      if (!handled(frame)) return false
      waiting.shift()
      chars += frame.length
      budget.spend(frame.length)
    }
    return true
  }

  /** Handles one batch; returns the ms to wait before the next. */
  function step(): number {
    if (!batch()) return RETRY_MS
    return isPaced ? budget.wait() : 0
  }

  async function run(): Promise<void> {
    running = true
    for (let rest = step(); (waiting.length > 0 || rest > 0) && !signal.aborted; rest = step()) {
      if (rest > 0) setPaused(true)
      await (rest > 0 ? clock.sleep(rest, signal) : yieldToEventLoop())
    }
    running = false
    setPaused(false)
  }

  return {
    push(frame) {
      if (signal.aborted) return
      waiting.push(frame)
      if (waiting.length > WAITING_MOST) setPaused(true)
      if (!running) void run()
    },
    start: () => void run(),
    paused: () => paused,
  }
}

const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Frames and characters handled in the current second. */
function createBudget(clock: Clock) {
  let since = clock.monotonic()
  let frames = 0
  let chars = 0
  const isNewSecond = () => clock.monotonic() - since >= 1000
  return {
    spend(length: number): void {
      if (isNewSecond()) [since, frames, chars] = [clock.monotonic(), 0, 0]
      frames++
      chars += length
    },
    /** Milliseconds until more may be handled; 0: now. */
    wait: (): number =>
      !isNewSecond() && (frames >= SECOND_FRAMES || chars >= SECOND_CHARS) ? since + 1000 - clock.monotonic() : 0,
  }
}
