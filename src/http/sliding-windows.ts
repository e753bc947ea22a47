// How often one client may ask within any stretch of time. Exact, in memory, and bounded in the number of clients.

export interface Rate {
  /** Requests per window. */
  readonly max: number
  readonly windowSeconds: number
}

export interface WindowParts extends Rate {
  readonly clock: { now(): number }
  /** How many clients are counted at once; 20,000 unless told. */
  readonly maxClients?: number
}

/** Times of granted requests, oldest first, from `head` on. */
interface Grants {
  readonly times: number[]
  head: number
}

const MAX_CLIENTS = 20_000
/** Spent times are cut off once they are this many and half of all. */
const SPENT = 64

/**
 * Counts per client: a request passes while fewer than `max` passed in the last `windowSeconds`. A refused one is not counted.
 * Answers 0, or how many seconds from now one will pass again. Beyond `maxClients` the oldest is forgotten: a flood of
 * addresses must not use up the memory.
 */
export function createWindows({ max, windowSeconds, clock, maxClients = MAX_CLIENTS }: WindowParts) {
  const length = windowSeconds * 1000
  const clients = new Map<string, Grants>()

  /** Looks at the two oldest clients: silent ones go, others move to the back. At the bound one goes in any case. */
  function makeRoom(now: number): void {
    for (let looked = 0; looked < 2; looked++) {
      const [oldest] = clients
      if (!oldest) return
      const [client, grants] = oldest
      clients.delete(client)
      forgetSpent(grants, now - length)
      if (grants.head < grants.times.length && clients.size < maxClients - 1) clients.set(client, grants)
    }
  }

  function newClient(client: string, now: number): Grants {
    makeRoom(now)
    const grants = { times: [], head: 0 }
    clients.set(client, grants)
    return grants
  }

  return {
    ask(client: string): number {
      const now = clock.now()
      const grants = clients.get(client) ?? newClient(client, now)
      if ((grants.times.at(-1) ?? 0) > now) grants.head = grants.times.length // the clock was set back: old times mean nothing
      forgetSpent(grants, now - length)
      const { times, head } = grants
      if (times.length - head >= max) return Math.ceil(((times[head] ?? now) + length - now) / 1000)
      times.push(now)
      return 0
    },
    /** Clients that are counted now. */
    size: (): number => clients.size,
  }
}

function forgetSpent(grants: Grants, until: number): void {
  const { times } = grants
  while (grants.head < times.length && (times[grants.head] ?? 0) <= until) grants.head += 1
  if (grants.head < SPENT || grants.head * 2 < times.length) return
  times.splice(0, grants.head)
  grants.head = 0
}
