// A store that follows a shared log: what it decides, removes and sweeps depends on entries alone, never on the clock of this machine.
import type { EventText } from '../../nostr/event/index.js'
import type { Filter } from '../../nostr/filter/index.js'
import type { LogMark, LogSettings, Spared, StoreOutcome } from '../../relay/index.js'
import { inTransaction, type Sqlite } from '../sqlite/sqlite.js'
import { createRemoval, type Removal, type RemovalParts } from './removal/removal.js'
import { createFollowingAppend } from './write/append.js'
import type { DeletionRules } from './write/deletions.js'
import { type LogPosition, openPosition, type PositionKeeper, positionAfter } from './write/position.js'

/** How a store that follows a log changes besides events. */
export interface FollowedLog extends Pick<PositionKeeper, 'membership' | 'bind'> {
  /** The last entry applied. */
  position(): LogPosition
  /** Applies a removal; resolves with the number of deleted events. After a crash in the middle the entry is applied again. */
  removeAt(mark: LogMark, filters: readonly Filter[], spared?: Spared): Promise<number>
  /** Takes note of an entry that changes no events. */
  advance(mark: LogMark, settings?: LogSettings): void
}

/** Sends a removal through the log; resolves with the number of deleted events when it was applied here. */
export type RequestRemoval = (filters: readonly Filter[], spared?: Spared) => Promise<number>

export interface LogFollowing {
  readonly log: FollowedLog
  readonly removal: Removal
  append(events: readonly EventText[], mark?: LogMark): readonly StoreOutcome[]
}

interface Parts extends Omit<RemovalParts, 'now' | 'find'> {
  readonly db: Sqlite
  /** The rules until the log says others. */
  readonly rules: DeletionRules
  /** Queries that see what has not expired at this time. */
  readonly findAt: (now: () => number) => RemovalParts['find']
  readonly requestRemoval: RequestRemoval
  /** A new UUID. */
  readonly founder: string
}

export function createFollowing({ db, state, writer, rules, findAt, requestRemoval, founder }: Parts): LogFollowing {
  const position = openPosition(db, founder)
  /** Epoch milliseconds: of the entry that is being applied, or the last one. */
  let at = position.current().at
  const now = () => Math.floor(at / 1000)
  const currentRules = (): DeletionRules => position.current().settings ?? rules
  const append = createFollowingAppend({ db, state, writer, rules: currentRules, position })
  const local = createRemoval({ db, state, writer, find: findAt(now), now })

  function advance(mark: LogMark, settings = position.current().settings): void {
    const before = { ...position.current(), settings }
    const next = positionAfter(before, { pos: mark.pos, at: position.timeOf(mark) }, [])
    inTransaction(db, () => position.write(next))
    position.settle(next)
    at = next.at
  }

  return {
    append(events, mark) {
      if (!mark) throw new Error('a relay that follows a log stores events of its entries only')
      const outcomes = append(events, mark)
      at = position.current().at
      return outcomes
    },
    removal: {
      sweep: local.sweep,
      remove: requestRemoval,
      prune: (retention) => local.pruneBy(retention, requestRemoval),
    },
    log: {
      position: position.current,
      membership: position.membership,
      bind: position.bind,
      async removeAt(mark, filters, spared) {
        at = position.timeOf(mark)
        // The indexes of searches differ from one front end to the next.
        const removed = await local.remove(
          filters.filter(({ search }) => search === undefined),
          spared,
        )
        advance(mark)
        return removed
      },
      advance,
    },
  }
}
