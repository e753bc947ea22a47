// Memory that clients take: each has its own limits, and thousands of them together would take all of it.

export interface Hoarder {
  /** Bytes read since its last whole message. */
  unfinishedBytes(): number
  drop(reason: string): void
}

/** Messages that never end: drops those with the most until the others have no more than `most` together. */
export const dropHoarders = (all: Iterable<Hoarder>, most: number): void =>
  dropLargest(all, { most, sizeOf: (one) => one.unfinishedBytes(), reason: 'a message without end' })

interface Ceiling<T> {
  /** Bytes of all together. */
  readonly most: number
  readonly sizeOf: (one: T) => number
  readonly reason: string
}

/** Drops those with the most until the others have no more than `most` together. */
export function dropLargest<T extends { drop(reason: string): void }>(all: Iterable<T>, ceiling: Ceiling<T>): void {
  const { most, sizeOf, reason } = ceiling
  let total = 0
  for (const one of all) total += sizeOf(one)
  if (total <= most) return
  const sized = [...all].map((one) => ({ one, bytes: sizeOf(one) }))
  for (const { one, bytes } of sized.sort((a, b) => b.bytes - a.bytes)) {
    if (total <= most) return
    one.drop(reason)
    total -= bytes
  }
}
