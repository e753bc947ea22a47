// Status frames that are kept waiting: how many at most, and that the end of the daemon ends them.

const MOST = 2_000
const MOST_PER_CLIENT = 40

/** Beyond the limits a frame is answered at once and asks again later, so nobody can hold all our sockets. */
export function createHeldFrames() {
  const perClient = new Map<string, number>()
  const ending = new AbortController()
  let total = 0

  return {
    /** Runs `wait` if there is room, else answers undefined. */
    async hold<T>(client: string, wait: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
      const own = perClient.get(client) ?? 0
      if (total >= MOST || own >= MOST_PER_CLIENT || ending.signal.aborted) return undefined
      total += 1
      perClient.set(client, own + 1)
      try {
        return await wait(ending.signal)
      } finally {
        total -= 1
        const left = (perClient.get(client) ?? 1) - 1
        if (left === 0) perClient.delete(client)
        else perClient.set(client, left)
      }
    },
    end: () => ending.abort(),
  }
}
