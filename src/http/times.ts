// Times in the order in which they came, as numbers and nothing else: the counted requests of a busy minute are many, and an array that
// grows among young objects is copied again and again.

/** A ring; its length is a power of two. Change it through the functions below. */
export interface Times {
  ring: Float64Array
  first: number
  count: number
}

const FIRST_LENGTH = 8

export const noTimes = (): Times => ({ ring: new Float64Array(FIRST_LENGTH), first: 0, count: 0 })

export const oldestOf = ({ ring, first, count }: Times): number | undefined => (count > 0 ? ring[first] : undefined)

export function addTime(times: Times, time: number): void {
  if (times.count === times.ring.length) grow(times)
  times.ring[(times.first + times.count) & (times.ring.length - 1)] = time
  times.count += 1
}

/** Drops the times up to `until`, inclusive. */
export function dropUntil(times: Times, until: number): void {
  while (times.count > 0 && (times.ring[times.first] ?? 0) <= until) {
    times.first = (times.first + 1) & (times.ring.length - 1)
    times.count -= 1
  }
}

function grow(times: Times): void {
  const { ring, first } = times
  times.ring = new Float64Array(2 * ring.length)
  times.ring.set(ring.subarray(first))
  times.ring.set(ring.subarray(0, first), ring.length - first)
  times.first = 0
}
