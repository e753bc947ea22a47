// Whose signature is checked next. Every connection has a lane, lanes take turns, and how many signatures of one lane are under way at once
// depends on how good its last ones were: who floods with bad ones delays nobody but himself.
import { Fifo } from '../collections/fifo.js'
import type { Verifier } from '../ports.js'
import type { Backlog, PendingEvent } from './pending-event.js'

/** Signatures under way, of all lanes: enough to keep the verifier busy over one turn of the event loop. */
const WINDOW = 256
/** Of one lane. */
const MOST_SHARE = 128
/** What a bad signature counts, and what a good one forgives. */
const STRIKE = 1
const FORGIVEN = 1 / 16
/** A connection with more than these has no more to say; a new one has yet to earn its credit. */
const MOST_STRIKES = 16

export interface VerifyQueueParts {
  readonly verifier: Verifier
  /** In the order in which a lane was filled. */
  readonly verified: (pending: PendingEvent, genuine: boolean) => void
}

export interface VerifyQueue {
  push(pending: PendingEvent): void
  /** True when so many signatures of this lane were bad that its connection should end. */
  isSpent(backlog: Backlog): boolean
  /** Takes out what waits, for whoever gets no signature checked any more. */
  abandon(backlog: Backlog): readonly PendingEvent[]
  /** Signatures that wait, and those with the verifier. */
  depth(): { readonly waiting: number; readonly underWay: number }
}

export function createVerifyQueue({ verifier, verified }: VerifyQueueParts): VerifyQueue {
  const listed = new Fifo<Backlog>()
  const submitted = new Fifo<PendingEvent>()
  let waiting = 0
  let underWay = 0

  function list(backlog: Backlog): void {
    if (backlog.isListed || backlog.underWay >= backlog.share || !backlog.waiting?.length) return
    backlog.isListed = true
    listed.push(backlog)
  }

  function pump(): void {
    while (underWay < WINDOW) {
      const backlog = listed.shift()
      if (!backlog) return
      backlog.isListed = false
      submitNextOf(backlog)
      list(backlog)
    }
  }

  function submitNextOf(backlog: Backlog): void {
    const pending = backlog.waiting?.shift()
    if (!pending) return
    waiting--
    underWay++
    backlog.underWay++
    submitted.push(pending)
    verifier.submit(pending.text.event, judged)
  }

  /** The verifier answers in the order of submission, so one function serves all. */
  function judged(genuine: boolean): void {
    const pending = submitted.shift()
    if (!pending) return
    const { backlog } = pending.origin
    underWay--
    backlog.underWay--
    weigh(backlog, genuine)
    list(backlog)
    pump()
    verified(pending, genuine)
  }

  return {
    push(pending) {
      const { backlog } = pending.origin
      backlog.waiting ??= new Fifo()
      backlog.waiting.push(pending)
      waiting++
      list(backlog)
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

/** A good signature doubles nothing at once: the share grows by one, and one bad signature takes it all. */
function weigh(backlog: Backlog, genuine: boolean): void {
  if (genuine) {
    backlog.share = Math.min(backlog.share + 1, MOST_SHARE)
    backlog.strikes = Math.max(0, backlog.strikes - FORGIVEN)
  } else {
    backlog.share = 1
    backlog.strikes += STRIKE
  }
}
