// Frames of one relay on their way in: handled in small batches with a yieldToEventLoop between them, never faster than a bound, and not
// read from the socket at all while there is no room. One relay cannot keep the others waiting.
import type { RelayClock } from './ports.js'

const BATCH_FRAMES = 32
const BATCH_CHARS = 512 * 1024
const SECOND_FRAMES = 2000
const SECOND_CHARS = 8 * 1024 * 1024
/** More than this waiting: the socket is not read until they are handled. */
const WAITING_MOST = 64
const RETRY_MS = 50

export interface FrameQueueParts {
  readonly clock: RelayClock
  readonly signal: AbortSignal
  /** False: no room for this one now; it is offered again. */
  readonly handle: (frame: string) => boolean
  readonly pause: () => void
  readonly resume: () => void
  /** A defect of ours while a frame was handled. The frame is dropped. */
  readonly failed: (thrown: unknown) => void
}

export interface FrameQueue {
  push(frame: string): void
  /** Frames that came before are handled from now on. */
  start(): void
  paused(): boolean
}

export function createFrameQueue({ clock, signal, handle, pause, resume, failed }: FrameQueueParts): FrameQueue {
  let waiting: string[] = []
  let at = 0
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

  /** Handles one batch; false when the head of the queue found no room. */
  function batch(): boolean {
    for (let frames = 0, chars = 0; frames < BATCH_FRAMES && chars < BATCH_CHARS && at < waiting.length; frames++) {
      const frame = waiting[at] ?? ''
      if (!handled(frame)) return false
      at++
      chars += frame.length
      budget.spend(frame.length)
    }
    return true
  }

  function forget(): void {
    if (at < WAITING_MOST && at < waiting.length) return
    waiting = waiting.slice(at)
    at = 0
  }

  /** One batch; ms to wait before the next. */
  function step(): number {
    const room = batch()
    forget()
    return room ? budget.wait() : RETRY_MS
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
      if (waiting.length - at > WAITING_MOST) setPaused(true)
      if (!running) void run()
    },
    start: () => void run(),
    paused: () => paused,
  }
}

/** Lets everything else of the process run once. */
const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** How much of this second is used up. */
function createBudget(clock: RelayClock) {
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
    /** ms until more may be handled; 0 when now. */
    wait: (): number =>
      !isNewSecond() && (frames >= SECOND_FRAMES || chars >= SECOND_CHARS) ? since + 1000 - clock.monotonic() : 0,
  }
}
