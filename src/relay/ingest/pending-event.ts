// An event between its first check and its answer, its origin, and the backlog of its connection.
import type { Fifo } from '../../lib/fifo.js'
import type { EventText } from '../../nostr/event/index.js'
import type { EventSource } from '../ports.js'

/** The sender of events, which receives their answers. */
export interface EventOrigin {
  readonly source: EventSource
  /** Authenticated keys of the connection (NIP-42); 64 hex. */
  readonly keys: readonly string[]
  readonly backlog: Backlog
  /** Called once per event with its answer. The text begins with a machine-readable prefix unless it is empty (NIP-01). */
  answered(pending: PendingEvent, accepted: boolean, text: string): void
  /** Called when the signature of an AUTH event was checked. */
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

/** The pending events of one connection, and its share of the verify queue. */
export class Backlog {
  /** Accepted events without an answer: queued, in verification, with the policy, or in the write batch. */
  held = 0
  /** About their memory, which also predicts the time to store them. */
  heldBytes = 0
  strikes = FIRST_STRIKES
  /** Signatures that may be with the verifier at once. */
  share = FIRST_SHARE
  underWay = 0
  isReady = false
  waiting: Fifo<PendingEvent> | undefined = undefined
}
