// Queues signatures for the verifier. Connections take turns, and the number of signatures in flight per connection depends on how many were valid
// lately. A flood of bad signatures delays only its own connection.

import { Fifo } from '../../lib/fifo.js'
import type { EventText } from '../../nostr/event/index.js'
import type { EventSource, Verifier } from '../ports.js'

/** Signatures in flight, of all connections: enough to keep the verifier busy for one turn of the event loop. */
const WINDOW = 256
/** Limits of one connection. */
const MOST_SHARE = 128
/** The strike of a bad signature, and the credit of a good one. */
const STRIKE = 1
const FORGIVEN = 1 / 16
/** Beyond this many strikes the connection ends. A new connection starts close to it and earns its credit. */
const MOST_STRIKES = 16

interface VerifyQueueParts {
  readonly verifier: Verifier
  /** Called in the order of `push` of each connection. */
  readonly verified: (pending: PendingEvent, genuine: boolean) => void
}

export interface VerifyQueue {
  push(pending: PendingEvent): void
  /** True when the connection has too many bad signatures and should end. */
  isSpent(backlog: Backlog): boolean
  /** Removes and returns the waiting events of a connection that ends. */
  abandon(backlog: Backlog): readonly PendingEvent[]
  /** Waiting signatures, and those with the verifier. */
  depth(): { readonly waiting: number; readonly underWay: number }
}

export function createVerifyQueue({ verifier, verified }: VerifyQueueParts): VerifyQueue {
  const ready = new Fifo<Backlog>()
  const submitted = new Fifo<PendingEvent>()
  let waiting = 0
  let underWay = 0

  function makeReady(backlog: Backlog): void {
    if (backlog.isReady || backlog.underWay >= backlog.share || !backlog.waiting?.length) return
    backlog.isReady = true
    ready.push(backlog)
  }

  function pump(): void {
    while (underWay < WINDOW) {
      const backlog = ready.shift()
      if (!backlog) return
      backlog.isReady = false
      submitNextOf(backlog)
      makeReady(backlog)
    }
  }

  function submitNextOf(backlog: Backlog): void {
    const pending = backlog.waiting?.shift()
    if (!pending) return
    waiting--
    underWay++
    backlog.underWay++
    submitted.push(pending)
    verifier.submit(pending.text.event, onVerdict)
  }

  /** One shared callback: the verifier answers in the order of submission. */
  function onVerdict(genuine: boolean): void {
    const pending = submitted.shift()
    if (!pending) return
    const { backlog } = pending.origin
    underWay--
    backlog.underWay--
    adjustShare(backlog, genuine)
    makeReady(backlog)
    pump()
    verified(pending, genuine)
  }

  return {
    push(pending) {
      const { backlog } = pending.origin
      backlog.waiting ??= new Fifo()
      backlog.waiting.push(pending)
      waiting++
      makeReady(backlog)
      pump()
    },
    isSpent: (backlog) => backlog.strikes > MOST_STRIKES,
    abandon(backlog) {
      const left: PendingEvent[] = []
      for (let pending = backlog.waiting?.shift(); pending; pending = backlog.waiting?.shift()) left.push(pending)
      waiting -= left.length
      return left
    },
    depth: () => ({ waiting, underWay }),
  }
}

/** Adjusts the share: each good signature adds one, a single bad one resets it. */
function adjustShare(backlog: Backlog, genuine: boolean): void {
  if (genuine) {
    backlog.share = Math.min(backlog.share + 1, MOST_SHARE)
    backlog.strikes = Math.max(0, backlog.strikes - FORGIVEN)
  } else {
    backlog.share = 1
    backlog.strikes += STRIKE
  }
}

// An event between its first check and its answer, its origin, and the backlog of its connection.

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
