// Large messages take milliseconds to read, whatever they say. So all connections stand in one line with them and a turn of the event loop reads
// one or two: whoever sends small ones, as nearly everybody does, does not wait for a flood of them.
import { Fifo } from './fifo.js'

/** Bytes from which a message is large. */
export const LARGE_BYTES = 16_384
/** Of a turn. A clock of whole milliseconds will do: it is right on the average. */
const BUDGET_MS = 2

/** A connection whose next message is a large one. */
export interface LargeReader {
  /** Reads it. For another one it is to stand in line again. */
  readLarge(): void
}

export interface LargeLine {
  wait(reader: LargeReader): void
}

export interface LargeLineParts {
  readonly clock: { now(): number }
  /** Runs something in the next turn of the event loop. */
  readonly nextTurn: (run: () => void) => void
}

export function createLargeLine({ clock, nextTurn }: LargeLineParts): LargeLine {
  const line = new Fifo<LargeReader>()
  let isTurnDue = false

  function requestTurn(): void {
    if (isTurnDue || line.length === 0) return
    isTurnDue = true
    nextTurn(turn)
  }

  function turn(): void {
    const begun = clock.now()
    // Those who come meanwhile stand behind the others.
    for (let left = line.length; left > 0 && clock.now() - begun < BUDGET_MS; left--) line.shift()?.readLarge()
    isTurnDue = false
    requestTurn()
  }

  return {
    wait(reader) {
      line.push(reader)
      requestTurn()
    },
  }
}
