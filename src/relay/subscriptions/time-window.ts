// Decides by time range alone which events a filter can still match. The answer changes with time; `due` says when.

interface Range {
  /** Epoch seconds, both ends included. */
  readonly since: number
  readonly until: number
}

/** `present`: a current event may match. `future`: only an event dated ahead. `never`: no event that the relay accepts now. */
type When = 'present' | 'future' | 'never'

export interface TimeWindow {
  /** `due`: epoch seconds at which the answer changes. */
  of(range: Range): { readonly when: When; readonly due: number }
  /** True when `until` is in the past. Backdated events are not waited for. */
  isOver(range: Range): boolean
  /** True when the event may match `future` filters. */
  isAhead(createdAt: number): boolean
  tick(now: number): void
}

/** Tolerance for fast clocks of clients, and for late ticks. */
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
