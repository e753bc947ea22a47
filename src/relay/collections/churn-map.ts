// A Map for entries that live as long as one message. The built-in Map outgrows its table after a few entries, even if as many are deleted, and
// links the old table to the new one. Once an old table is in the old generation, all later ones survive every collection but full ones, which are
// rare. Replacing the whole Map now and then ends the chain.

/** Deletions before a replacement, plus the number of entries: each entry is copied at most once per deletion. */
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

  /** Callers must not delete while iterating. */
  keys(): IterableIterator<K> {
    return this.map.keys()
  }

  values(): IterableIterator<V> {
    return this.map.values()
  }

  /** The oldest entry. */
  first(): readonly [K, V] | undefined {
    for (const entry of this.map) return entry
    return undefined
  }
}
