// An event on its way through the relay, from its first check to its answer.
import type { EventText } from '../../nostr/event/index.js'
import type { Source } from '../ports.js'
import type { Lane } from './verify-queue.js'

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
