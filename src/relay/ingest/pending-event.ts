// An event on its way through the relay, from its first check to its answer.
import type { EventText } from '../../nostr/event/index.js'
import type { Fifo } from '../collections/fifo.js'
import type { EventSource } from '../ports.js'

/** Who brought events, and reads what became of them. */
export interface EventOrigin {
  readonly source: EventSource
  /** Keys proven on this connection (NIP-42); 64 hex. */
  readonly keys: readonly string[]
  readonly backlog: Backlog
  /** The answer for one event, told once. The text begins with a machine-readable word unless it is empty (NIP-01). */
  answered(pending: PendingEvent, accepted: boolean, text: string): void
  /** The signature of an AUTH event was checked. */
  proven(pending: PendingEvent, genuine: boolean): void
}

export interface PendingEvent {
  readonly origin: EventOrigin
  readonly text: EventText
  readonly purpose: 'publish' | 'auth'
  /** Epoch seconds. */
  readonly receivedAt: number
}

const FIRST_SHARE = 8
const FIRST_STRIKES = 12

/** One connection's place in the queue. */
export class Backlog {
  /** Events that were taken in and are not answered: waiting, being verified, being asked for, being written. */
  held = 0
  /** About what they take of the memory, which is also what they will take of the time to store them. */
  heldBytes = 0
  strikes = FIRST_STRIKES
  /** How many may be with the verifier at once. */
  share = FIRST_SHARE
  underWay = 0
  isListed = false
  waiting: Fifo<PendingEvent> | undefined = undefined
}
