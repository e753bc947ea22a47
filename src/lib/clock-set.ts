// Notices that the wall clock was set, for what is kept in memory because it is over.

/** A wall clock that strays further from the monotonic one was set. */
const TOLERANCE_MS = 60_000

interface PlainClock {
  /** Epoch milliseconds. */
  now(): number
  /** Milliseconds since some moment; never set, never back. */
  monotonic(): number
}

/** Answers whether the wall clock was set since the last call, however long ago that was. */
export function createSetClockNotice(clock: PlainClock): () => boolean {
  const offset = (): number => clock.now() - clock.monotonic()
  let last = offset()
  return () => {
    const [before, now] = [last, offset()]
    last = now
    return Math.abs(now - before) > TOLERANCE_MS
  }
}
