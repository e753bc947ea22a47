// How many calls came in this minute. One count for everybody: behind an onion service all payers have one address.

const MINUTE = 60_000

export function createMinuteCount(clock: { monotonic(): number }, most: number) {
  let minute = Number.NaN
  let count = 0
  return {
    /** Undefined when they are taken, else the seconds until the next minute. */
    take(calls: number): number | undefined {
      const now = clock.monotonic()
      const current = Math.floor(now / MINUTE)
      if (current !== minute) count = 0
      minute = current
      if (count + calls > most) return Math.ceil(((current + 1) * MINUTE - now) / 1000)
      count += calls
      return undefined
    },
  }
}
