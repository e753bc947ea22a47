// Assembles frames and hands them to sockets, once per turn per connection. Memory that a socket took at once is reused for the next frames; memory
// that it retains stays untouched. While clients keep up, all share one slab.

import { OutputQueue } from './queue.js'

const SLAB_BYTES = 262_144
/** Minimum free bytes of a slab; below them a new slab begins, so that frames leave many at a time. */
const LEAST_ROOM = 65_536
const SPARE_QUEUES = 256

/** An object with frames to write. */
interface Flushable {
  flush(): void
}

export interface FrameWriter {
  /** Flushes `box` at the end of this turn. */
  schedule(box: Flushable): void
  /** Flushes everything scheduled, now. */
  flush(): void
  /** The memory to write into, from `from` on. */
  readonly slab: Slab
  /** Returns an empty queue. */
  takeQueue(): OutputQueue
  /** Returns an empty queue for reuse. */
  returnQueue(queue: OutputQueue): void
}

class Slab {
  buffer = Buffer.allocUnsafeSlow(SLAB_BYTES)
  from = 0

  /** Makes room for a frame of this length. */
  open(length: number): void {
    if (length <= this.buffer.length - this.from) return
    this.buffer = Buffer.allocUnsafeSlow(Math.max(length, SLAB_BYTES))
    this.from = 0
  }

  /** Marks the bytes up to `end` as retained by a socket. */
  keep(end: number): void {
    this.from = end
    if (this.buffer.length - end < LEAST_ROOM) this.open(SLAB_BYTES)
  }
}

/** `defer` runs a callback after the current one, before the event loop continues. */
export function createFrameWriter(defer: (flush: () => void) => void = process.nextTick): FrameWriter {
  let scheduled: Flushable[] = []
  const queues: OutputQueue[] = []

  function flush(): void {
    const boxes = scheduled
    scheduled = []
    for (const box of boxes) box.flush()
  }

  return {
    schedule(box) {
      if (scheduled.push(box) === 1) defer(flush)
    },
    flush,
    slab: new Slab(),
    takeQueue: () => queues.pop() ?? new OutputQueue(),
    returnQueue(queue) {
      if (queues.length < SPARE_QUEUES) queues.push(queue)
    },
  }
}
