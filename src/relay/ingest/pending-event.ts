// An event on its way through the relay, from its first check to its answer.
import type { EventText } from '../../nostr/event/index.js'
import type { Fifo } from '../collections/fifo.js'
import type { Source } from '../ports.js'

/** Who brought events, and reads what became of them. */
export interface Origin {
  readonly source: Source
  /** Keys proven on this connection (NIP-42); 64 hex. */
  readonly keys: readonly string[]
  readonly lane: Lane
  /** The answer for one event, told once. The text begins with a machine-readable word unless it is empty (NIP-01). */
  answered(taken: Taken, accepted: boolean, text: string): void
  /** The signature of an AUTH event was checked. */
  proven(taken: Taken, genuine: boolean): void
}

export interface Taken {
  readonly origin: Origin
  readonly text: EventText
  readonly purpose: 'publish' | 'auth'
  /** Epoch seconds. */
  readonly receivedAt: number
}

const FIRST_SHARE = 8
const FIRST_STRIKES = 12

/** One connection's place in the queue. */
export class Lane {
  /** Events that were taken in and are not answered: waiting, being verified, being asked for, being written. */
  held = 0
  /** About what they take of the memory, which is also what they will take of the time to store them. */
  heldBytes = 0
  strikes = FIRST_STRIKES
  /** How many may be with the verifier at once. */
  share = FIRST_SHARE
  underWay = 0
  isListed = false
  waiting: Fifo<Taken> | undefined = undefined
}
