// Messages that never end: each connection may hold one back, and thousands of them together would take all the memory.

export interface Hoarder {
  /** Bytes read since its last whole message. */
  unfinishedBytes(): number
  drop(reason: string): void
}

/** Drops those with the most until the others have no more than `most` together. */
export function dropHoarders(all: Iterable<Hoarder>, most: number): void {
  const hoarders = [...all].map((hoarder) => ({ hoarder, bytes: hoarder.unfinishedBytes() }))
  let total = hoarders.reduce((sum, { bytes }) => sum + bytes, 0)
  if (total <= most) return
  for (const { hoarder, bytes } of hoarders.sort((a, b) => b.bytes - a.bytes)) {
    if (total <= most) return
    hoarder.drop('a message without end')
    total -= bytes
  }
}
