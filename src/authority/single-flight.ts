// Concurrent callers with the same key share one piece of work, so a burst for one key never becomes a queue.

export interface SingleFlight<T> {
  /** The result of this key's running work, or of `work` when none is running. */
  share(key: string, work: () => Promise<T>): Promise<T>
  /** The running work of this key. */
  running(key: string): Promise<T> | undefined
}

/** Different keys never wait for each other. */
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
