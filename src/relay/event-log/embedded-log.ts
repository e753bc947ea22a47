// The log of a relay that runs alone: its entries come back within the call, without a position. What the store cannot write has failed.
import { classOf } from '../../nostr/event/index.js'
import type { Clock } from '../ports.js'
import type { EventLog, LogEvent, LogFollower, NotApplied } from './event-log.js'

/** After so many single failures in a row the store is at fault, not an event. */
const TOO_MANY_FAILURES = 2

const NONE: LogFollower = { applyEvents: () => undefined, applyChange: async () => {}, failed: () => {} }

export function createEmbeddedLog<Own extends LogEvent>({ now }: Pick<Clock, 'now'>): EventLog<Own> {
  let follower: LogFollower<Own> = NONE

  const apply = (events: readonly Own[]): NotApplied | undefined =>
    follower.applyEvents({ pos: 0, at: now(), isOwn: true, events })

  /** One event that the database rejects must not affect the others. Ephemeral ones do not need it. */
  function applySingly(events: readonly Own[], first: NotApplied): void {
    let [failures, last] = [0, first]
    apply(events.filter(isEphemeral))
    for (const event of events) {
      if (isEphemeral(event)) continue
      const problem = failures < TOO_MANY_FAILURES ? apply([event]) : last
      if (problem) follower.failed([event], problem.cause)
      failures = problem ? failures + 1 : 0
      last = problem ?? last
    }
  }

  return {
    append(events) {
      const problem = apply(events)
      if (!problem) return
      if (events.length === 1) follower.failed(events, problem.cause)
      else applySingly(events, problem)
    },
    appendChange: async (change) => follower.applyChange({ pos: 0, at: now(), change }),
    follow(_after, next) {
      follower = next
    },
    report() {},
  }
}

const isEphemeral = ({ text }: LogEvent): boolean => classOf(text.event.kind) === 'ephemeral'
