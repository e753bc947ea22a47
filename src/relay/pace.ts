// How fast one connection is read. Whoever has much under way is not read for a while: what it sends next waits with its own system.
import type { Connection } from './connection.js'
import type { Lane } from './lanes.js'

/** Events that are not answered yet: with more it is not read until half of them are. */
const MOST_HELD = 256
const MOST_HELD_BYTES = 2_097_152
/** Messages in one turn of the event loop; then the others have theirs. */
const MOST_IN_A_TURN = 128

export class Pace {
  private readonly connection: Connection
  private readonly lane: Lane
  private inThisTurn = 0
  private isPaused = false

  constructor(connection: Connection, lane: Lane) {
    this.connection = connection
    this.lane = lane
  }

  /** One more message came. True for the first of a turn: its end is to be told. */
  count(): boolean {
    return this.inThisTurn++ === 0
  }

  turnEnded(): void {
    this.inThisTurn = 0
  }

  /** Reads on, or does not, whichever is right now. `mustWait`: what comes next needs an answer that is not there yet. */
  adjust(mustWait: boolean): void {
    if (this.isPaused === (mustWait || this.hasEnough())) return
    this.isPaused = !this.isPaused
    if (this.isPaused) this.connection.pause()
    else this.connection.resume()
  }

  private hasEnough(): boolean {
    const part = this.isPaused ? 0.5 : 1
    const { held, heldBytes } = this.lane
    return held >= MOST_HELD * part || heldBytes >= MOST_HELD_BYTES * part || this.inThisTurn >= MOST_IN_A_TURN
  }
}
