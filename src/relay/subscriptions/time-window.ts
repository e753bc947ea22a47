// Which events a live filter can still match, by its range of time alone. Time passes, so the answer changes: `due` says when.

interface Range {
  /** Epoch seconds, both ends included. */
  readonly since: number
  readonly until: number
}

/** `present`: an event of now may match. `future`: only one that is dated ahead. `never`: none that the relay takes now. */
type When = 'present' | 'future' | 'never'

export interface TimeWindow {
  /** `due`: the time in epoch seconds from which the answer is another one. */
  of(range: Range): { readonly when: When; readonly due: number }
  /** Its `until` is past. An event that is dated back is not waited for. */
  isOver(range: Range): boolean
  /** Whether an event may match what is `future`. */
  isAhead(createdAt: number): boolean
  tick(now: number): void
}

/** Clocks of clients that are a little fast do not make an event one of the future, and a late tick loses none. */
const AHEAD = 2
const SLACK = 60
const NO_MORE = Number.POSITIVE_INFINITY

/** Until the first tick every range is `present`. */
export function createTimeWindow(rejectFutureSeconds: number): TimeWindow {
  let now = Number.NEGATIVE_INFINITY
  let presentUntil = Number.POSITIVE_INFINITY
  let futureUntil = Number.POSITIVE_INFINITY
  const isOver = ({ until }: Range): boolean => until < now

  return {
    of(range) {
      const { since } = range
      if (isOver(range)) return { when: 'never', due: NO_MORE }
      if (since <= presentUntil) return { when: 'present', due: NO_MORE }
      if (since <= futureUntil) return { when: 'future', due: since - AHEAD }
      return { when: 'never', due: since - rejectFutureSeconds - SLACK }
    },
    isOver,
    isAhead: (createdAt) => createdAt > presentUntil,
    tick(time) {
      now = time
      presentUntil = time + AHEAD
      futureUntil = time + rejectFutureSeconds + SLACK
    },
  }
}
