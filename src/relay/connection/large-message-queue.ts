// Messages that take long to read stand in one line for all connections, and a turn of the event loop reads a few milliseconds' worth: a client that sends
// small ones, as nearly all do, does not wait for a flood of them. The line is fair (`fair-line.ts`): each connection is charged what its messages took.
import { createFairQueue, type Flow } from '../collections/fair-queue.js'
import type { Clock } from '../ports.js'

/** Bytes from which a message has to stand in line. Filters take much longer than events of the same length, and bring queries with them. */
const EVENT_BYTES = 16_384
const OTHER_BYTES = 1024
const EVENT = Buffer.from('["EVENT"')
/** Of a turn. */
const BUDGET_MS = 2
/** About so many bytes are read in a millisecond. */
const BYTES_A_MS = 65_536

/** Whether a message of a client has to stand in line. */
export const isLarge = (data: Buffer): boolean =>
  data.length >= EVENT_BYTES ||
  (data.length >= OTHER_BYTES && data.compare(EVENT, 0, EVENT.length, 0, EVENT.length) !== 0)

/** A connection whose next message is a large one. */
export interface LargeMessageReader extends Flow {
  /** Bytes of that message. */
  readonly largeBytes: number
  /** Reads it. For another one it is to stand in line again. */
  readLarge(): void
}

export interface LargeMessageQueue {
  wait(reader: LargeMessageReader): void
}

export interface LargeMessageQueueParts {
  readonly clock: Pick<Clock, 'monotonic'>
  /** Runs something in the next turn of the event loop. */
  readonly nextTurn: (run: () => void) => void
}

export function createLargeMessageQueue({ clock, nextTurn }: LargeMessageQueueParts): LargeMessageQueue {
  const line = createFairQueue<LargeMessageReader>()
  let isTurnDue = false

  function requestTurn(): void {
    if (isTurnDue || line.length === 0) return
    isTurnDue = true
    nextTurn(turn)
  }

  function turn(): void {
    const begun = clock.monotonic()
    // Who comes meanwhile is not read in this turn more often than the others.
    for (let left = line.length; left > 0 && clock.monotonic() - begun < BUDGET_MS; left--) {
      const reader = line.shift()
      if (reader) read(reader)
    }
    isTurnDue = false
    requestTurn()
  }

  function read(reader: LargeMessageReader): void {
    // By its length rather than by the clock, which also counts what else the machine does.
    line.charge(reader, reader.largeBytes / BYTES_A_MS)
    reader.readLarge()
  }

  return {
    wait(reader) {
      line.push(reader, reader.largeBytes / BYTES_A_MS)
      requestTurn()
    },
  }
}
