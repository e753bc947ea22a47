// Status frames that are kept waiting: how many at most, and that the end of the daemon ends them.

const MOST = 2_000
const MOST_PER_CLIENT = 40

/** Beyond the limits a frame is answered at once and asks again later, so nobody can hold all our sockets. */
export function createHeldFrames() {
  const perClient = new Map<string, number>()
  // One of its own per frame: a signal that many others were made from remembers all of them for as long as it lives.
  const waiting = new Set<AbortController>()
  let ended = false

  return {
    /** Runs `wait` if there is room, else answers undefined. Whoever aborts what it is given ends the waiting. */
    async hold<T>(client: string, wait: (over: AbortController) => Promise<T>): Promise<T | undefined> {
      const own = perClient.get(client) ?? 0
      if (waiting.size >= MOST || own >= MOST_PER_CLIENT || ended) return undefined
      const over = new AbortController()
      waiting.add(over)
      perClient.set(client, own + 1)
      try {
        return await wait(over)
      } finally {
        waiting.delete(over)
        const left = (perClient.get(client) ?? 1) - 1
        if (left === 0) perClient.delete(client)
        else perClient.set(client, left)
      }
    },
    end(): void {
      ended = true
      for (const over of waiting) over.abort()
    },
  }
}
