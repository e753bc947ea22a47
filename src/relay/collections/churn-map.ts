// A Map for what comes and goes with every message. The engine's own outgrows a table after a few entries, also when as many are deleted, and links it
// to the next one. Once such a table has become old, all later ones, with what was in them, outlive every collection but the full ones, which are rare.
// So the whole Map is exchanged now and then, which ends the chain.

/** Deletions until then, and as many more as there are entries: each entry is copied once for each deletion at most. */
const LEAST_DELETIONS = 32

export class ChurnMap<K, V> {
  private map = new Map<K, V>()
  private deletions = 0

  get size(): number {
    return this.map.size
  }

  get(key: K): V | undefined {
    return this.map.get(key)
  }

  set(key: K, value: V): void {
    this.map.set(key, value)
  }

  delete(key: K): boolean {
    const isDeleted = this.map.delete(key)
    if (isDeleted && ++this.deletions > this.map.size + LEAST_DELETIONS) {
      this.map = new Map(this.map)
      this.deletions = 0
    }
    return isDeleted
  }

  clear(): void {
    this.map = new Map()
    this.deletions = 0
  }

  /** While these are walked through, nothing may be deleted. */
  keys(): IterableIterator<K> {
    return this.map.keys()
  }

  values(): IterableIterator<V> {
    return this.map.values()
  }

  /** The one that was set first. */
  first(): readonly [K, V] | undefined {
    for (const entry of this.map) return entry
    return undefined
  }
}
