// Whose signature is checked next. Every connection has a lane, lanes take turns, and how many signatures of one lane are under way at once
// depends on how good its last ones were: who floods with bad ones delays nobody but himself.
import { Fifo } from '../collections/fifo.js'
import type { Verifier } from '../ports.js'
import type { Lane, Taken } from './pending-event.js'

/** Signatures under way, of all lanes: enough to keep the verifier busy over one turn of the event loop. */
const WINDOW = 256
/** Of one lane. */
const MOST_SHARE = 128
/** What a bad signature counts, and what a good one forgives. */
const STRIKE = 1
const FORGIVEN = 1 / 16
/** A connection with more than these has no more to say; a new one has yet to earn its credit. */
const MOST_STRIKES = 16

export interface LaneParts {
  readonly verifier: Verifier
  /** In the order in which a lane was filled. */
  readonly verified: (taken: Taken, genuine: boolean) => void
}

export interface Lanes {
  push(taken: Taken): void
  /** True when so many signatures of this lane were bad that its connection should end. */
  isSpent(lane: Lane): boolean
  /** Takes out what waits, for whoever gets no signature checked any more. */
  abandon(lane: Lane): readonly Taken[]
  /** Signatures that wait, and those with the verifier. */
  figures(): { readonly waiting: number; readonly underWay: number }
}

export function createLanes({ verifier, verified }: LaneParts): Lanes {
  const listed = new Fifo<Lane>()
  const submitted = new Fifo<Taken>()
  let waiting = 0
  let underWay = 0

  function list(lane: Lane): void {
    if (lane.isListed || lane.underWay >= lane.share || !lane.waiting?.length) return
    lane.isListed = true
    listed.push(lane)
  }

  function pump(): void {
    while (underWay < WINDOW) {
      const lane = listed.shift()
      if (!lane) return
      lane.isListed = false
      submitNextOf(lane)
      list(lane)
    }
  }

  function submitNextOf(lane: Lane): void {
    const taken = lane.waiting?.shift()
    if (!taken) return
    waiting--
    underWay++
    lane.underWay++
    submitted.push(taken)
    verifier.submit(taken.text.event, judged)
  }

  /** The verifier answers in the order of submission, so one function serves all. */
  function judged(genuine: boolean): void {
    const taken = submitted.shift()
    if (!taken) return
    const { lane } = taken.origin
    underWay--
    lane.underWay--
    weigh(lane, genuine)
    list(lane)
    pump()
    verified(taken, genuine)
  }

  return {
    push(taken) {
      const { lane } = taken.origin
      lane.waiting ??= new Fifo()
      lane.waiting.push(taken)
      waiting++
      list(lane)
      pump()
    },
    isSpent: (lane) => lane.strikes > MOST_STRIKES,
    abandon(lane) {
      const left: Taken[] = []
      for (let taken = lane.waiting?.shift(); taken; taken = lane.waiting?.shift()) left.push(taken)
      waiting -= left.length
      return left
    },
    figures: () => ({ waiting, underWay }),
  }
}

/** A good signature doubles nothing at once: the share grows by one, and one bad signature takes it all. */
function weigh(lane: Lane, genuine: boolean): void {
  if (genuine) {
    lane.share = Math.min(lane.share + 1, MOST_SHARE)
    lane.strikes = Math.max(0, lane.strikes - FORGIVEN)
  } else {
    lane.share = 1
    lane.strikes += STRIKE
  }
}
