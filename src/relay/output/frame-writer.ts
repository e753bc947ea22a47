// Where frames are put together and handed to the sockets, once per turn for every connection. What a socket took at once is free for the
// next frames; what it keeps stays untouched until it is collected: as long as readers keep up, all of them share one piece of memory.

import { Queue } from './queue.js'

const SLAB_BYTES = 262_144
/** With less room than this a new slab is begun, so that frames still go out many at a time. */
const LEAST_ROOM = 65_536
const SPARE_QUEUES = 256

/** Something with frames to be written. */
interface Flushable {
  flush(): void
}

export interface FrameWriter {
  /** Flushes `box` at the end of this turn. */
  schedule(box: Flushable): void
  /** Flushes everything that is due, now. */
  flush(): void
  /** The memory to write into, from `from` on. */
  readonly slab: Slab
  /** An empty one. */
  takeQueue(): Queue
  /** For others to use; it is empty. */
  returnQueue(queue: Queue): void
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

  /** Bytes up to `end` are still read by somebody. */
  keep(end: number): void {
    this.from = end
    if (this.buffer.length - end < LEAST_ROOM) this.open(SLAB_BYTES)
  }
}

/** `defer` runs something when the running callback is done, before the loop goes on. */
export function createFrameWriter(defer: (flush: () => void) => void = process.nextTick): FrameWriter {
  let scheduled: Flushable[] = []
  const queues: Queue[] = []

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
    takeQueue: () => queues.pop() ?? new Queue(),
    returnQueue(queue) {
      if (queues.length < SPARE_QUEUES) queues.push(queue)
    },
  }
}
