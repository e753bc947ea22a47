// Large messages of all connections wait in one fair queue, and each turn of the event loop handles a few milliseconds' worth. Clients with small
// messages, as nearly all have, do not wait for a flood of large ones.
import type { Clock } from '../../lib/ports.js'
import { createFairQueue, type Flow } from '../collections/fair-queue.js'

/** Size from which a message counts as large. Filters take much longer than events of the same length, and start queries. */
const EVENT_BYTES = 16_384
const OTHER_BYTES = 1024
const EVENT = Buffer.from('["EVENT"')
/** Time budget of a turn. */
const BUDGET_MS = 2
/** Estimated parsing speed. */
const BYTES_A_MS = 65_536

/** True when a message must wait in the queue. */
export const isLarge = (data: Buffer): boolean =>
  data.length >= EVENT_BYTES ||
  (data.length >= OTHER_BYTES && data.compare(EVENT, 0, EVENT.length, 0, EVENT.length) !== 0)

/** A connection whose next message is large. */
export interface LargeMessageReader extends Flow {
  /** Size of that message. */
  readonly largeBytes: number
  /** Handles the message. The connection enqueues again for the next one. */
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
  const queue = createFairQueue<LargeMessageReader>()
  let isTurnDue = false

  function requestTurn(): void {
    if (isTurnDue || queue.length === 0) return
    isTurnDue = true
    nextTurn(turn)
  }

  function turn(): void {
    const begun = clock.monotonic()
    // A connection that enqueues meanwhile waits for the next turn.
    for (let left = queue.length; left > 0 && clock.monotonic() - begun < BUDGET_MS; left--) {
      const reader = queue.shift()
      if (reader) read(reader)
    }
    isTurnDue = false
    requestTurn()
  }

  function read(reader: LargeMessageReader): void {
    // Charged by length: the clock also counts other work of the machine.
    queue.charge(reader, reader.largeBytes / BYTES_A_MS)
    reader.readLarge()
  }

  return {
    wait(reader) {
      queue.push(reader, reader.largeBytes / BYTES_A_MS)
      requestTurn()
    },
  }
}
