// How often one client may ask within any stretch of time. Exact, in memory, and bounded in the number of clients.

import { addTime, dropUntil, noTimes, oldestOf, type Times } from './times.js'

export interface Rate {
  /** Requests per window. */
  readonly max: number
  readonly windowSeconds: number
}

export interface WindowParts extends Rate {
  readonly clock: { monotonic(): number }
  /** How many clients are counted at once; 20,000 unless told. */
  readonly maxClients?: number
}

const MAX_CLIENTS = 20_000

/**
 * Counts per client: a request passes while fewer than `max` passed in the last `windowSeconds`. A refused one is not counted.
 * Answers 0, or how many seconds from now one will pass again. Beyond `maxClients` the oldest is forgotten: a flood of
 * addresses must not use up the memory.
 */
export function createWindows({ max, windowSeconds, clock, maxClients = MAX_CLIENTS }: WindowParts) {
  const length = windowSeconds * 1000
  /** When granted requests came. */
  const clients = new Map<string, Times>()

  /** Looks at the two oldest clients: silent ones go, others move to the back. At the bound one goes in any case. */
  function makeRoom(now: number): void {
    for (let looked = 0; looked < 2; looked++) {
      const [oldest] = clients
      if (!oldest) return
      const [client, granted] = oldest
      clients.delete(client)
      dropUntil(granted, now - length)
      if (granted.count > 0 && clients.size < maxClients - 1) clients.set(client, granted)
    }
  }

  function newClient(client: string, now: number): Times {
    makeRoom(now)
    const granted = noTimes()
    clients.set(client, granted)
    return granted
  }

  return {
    ask(client: string): number {
      const now = clock.monotonic()
      const granted = clients.get(client) ?? newClient(client, now)
      dropUntil(granted, now - length)
      if (granted.count >= max) return Math.ceil(((oldestOf(granted) ?? now) + length - now) / 1000)
      addTime(granted, now)
      return 0
    },
    /** Clients that are counted now. */
    size: (): number => clients.size,
  }
}
