// Callers who want the same thing at the same time share one piece of work: a burst for one key never becomes a queue.

export interface SingleFlight<T> {
  /** What the work of this key under way will answer; without any, that of this new work. */
  share(key: string, work: () => Promise<T>): Promise<T>
  /** The work of this key under way. */
  running(key: string): Promise<T> | undefined
}

/** Works of different keys never wait for each other. */
export function createSingleFlight<T>(): SingleFlight<T> {
  const underWay = new Map<string, Promise<T>>()
  return {
    running: (key) => underWay.get(key),
    share(key, work) {
      const running = underWay.get(key)
      if (running) return running
      const mine = work().finally(() => underWay.delete(key))
      underWay.set(key, mine)
      return mine
    },
  }
}
