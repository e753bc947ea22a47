// A FIFO queue with constant cost per operation. A removed entry is released at once: from an array that has grown old, each event would follow
// into the old generation of the heap.

/** Removed entries are cut off when there are this many, and more than waiting ones. */
const LEAST_CUT = 64

export class Fifo<T> {
  #entries: (T | undefined)[] = []
  #head = 0

  push(one: T): void {
    this.#entries.push(one)
  }

  shift(): T | undefined {
    const entries = this.#entries
    if (this.#head === entries.length) return undefined
    const first = entries[this.#head]
    entries[this.#head++] = undefined
    if (this.#head === entries.length) entries.length = 0
    else if (this.#head < LEAST_CUT || this.#head * 2 <= entries.length) return first
    else entries.splice(0, this.#head)
    this.#head = 0
    return first
  }

  /** The entry that `shift` would return. */
  get first(): T | undefined {
    return this.#entries[this.#head]
  }

  get length(): number {
    return this.#entries.length - this.#head
  }
}
