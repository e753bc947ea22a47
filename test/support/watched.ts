// Something that grows, and promises that resolve when enough of it is there: tests wait for what happens, not for time.

export function createWatched<T>() {
  const items: T[] = []
  const looks = new Set<() => void>()
  return {
    items: items as readonly T[],
    note(item: T): void {
      items.push(item)
      for (const look of [...looks]) look()
    },
    /** The `times`-th item that passes. */
    reached: (passes: (item: T) => boolean, times = 1): Promise<T> =>
      new Promise((resolve) => {
        const look = () => {
          const found = items.filter(passes)[times - 1]
          if (found === undefined) return
          looks.delete(look)
          resolve(found)
        }
        looks.add(look)
        look()
      }),
  }
}
