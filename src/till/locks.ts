// One at a time per key, in this process. The store's compare-and-set is the real guard; a lock only saves useless work.

export type Lock = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** Work under the same key runs one after the other, in the order it came. Failed work does not stop the next. */
export function createLock(): Lock {
  const tails = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const before = tails.get(key)
    const mine = before ? before.then(work, work) : work()
    tails.set(key, mine)
    try {
      return await mine
    } finally {
      if (tails.get(key) === mine) tails.delete(key)
    }
  }
}
