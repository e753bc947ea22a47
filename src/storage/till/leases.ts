// Which rows are handed out, and to whom. In memory: one process has the file alone, so no other could read a lease in it, and none must
// outlive its process. A lease in the file would cost a write for each try.
import type { Lease, WorkClaim } from '../../till/index.js'

interface Held {
  readonly by: string
  readonly until: number
}

export interface Leases extends WorkLeases {
  /**
   * Those of `candidates` that are free, at most `limit`, handed out to `by`. `candidates` is asked for as many rows as are needed
   * whatever is handed out already.
   */
  claim<T>(claim: WorkClaim, candidates: (limit: number) => readonly T[], keyOf: (row: T) => string): readonly T[]
}

/** What a verb that records a result says of the lease, and asks. */
export interface WorkLeases {
  take(key: string, lease: Lease): void
  isHeld(key: string, now: number): boolean
  /** Whether the result of `by` counts: no other has the row, or had it last. */
  isMine(key: string, by: string): boolean
  end(key: string): void
}

/** Each kind of work by itself. */
export interface TillLeases<L = WorkLeases> {
  readonly checks: L
  readonly deliveries: L
  readonly messages: L
  readonly pushes: L
}

/** In PostgreSQL leases stand in the rows, and the statements of a verb see to them. */
const IN_THE_ROW: WorkLeases = {
  take: () => undefined,
  isHeld: () => false,
  isMine: () => true,
  end: () => undefined,
}
export const LEASES_IN_ROWS: TillLeases = {
  checks: IN_THE_ROW,
  deliveries: IN_THE_ROW,
  messages: IN_THE_ROW,
  pushes: IN_THE_ROW,
}

export const createTillLeases = (): TillLeases<Leases> => ({
  checks: createLeases(),
  deliveries: createLeases(),
  messages: createLeases(),
  pushes: createLeases(),
})

/** Beyond so many, those that ended are forgotten: their results never came. */
const MANY = 1000

/** An empty table of leases; keys must tell rows of all tables apart that share it. */
function createLeases(): Leases {
  const held = new Map<string, Held>()
  const isFree = (key: string, { now, leaseMs }: Pick<Lease, 'now' | 'leaseMs'>): boolean => {
    const until = held.get(key)?.until
    return until === undefined || until <= now || until > now + 2 * leaseMs
  }

  function forgetEnded(now: number): void {
    if (held.size < MANY) return
    for (const [key, { until }] of held) if (until <= now) held.delete(key)
  }

  const take = (key: string, { by, now, leaseMs }: Lease): void => void held.set(key, { by, until: now + leaseMs })

  return {
    claim(claim, candidates, keyOf) {
      forgetEnded(claim.now)
      const free = candidates(claim.limit + held.size).filter((row) => isFree(keyOf(row), claim))
      const mine = free.slice(0, claim.limit)
      for (const row of mine) take(keyOf(row), claim)
      return mine
    },
    take,
    isHeld: (key, now) => (held.get(key)?.until ?? now) > now,
    isMine: (key, by) => (held.get(key)?.by ?? by) === by,
    end: (key) => void held.delete(key),
  }
}
