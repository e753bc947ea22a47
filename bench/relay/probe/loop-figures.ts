// What the probe in the relay's process writes.

interface Collections {
  readonly count: number
  /** Milliseconds. */
  readonly total: number
  readonly longest: number
}

/** A step of more than 5 ms, and the milliseconds of its parts. */
interface LongStep {
  readonly processor: number
  readonly slice: number
  readonly commit: number
  readonly statement: number
  readonly minor: number
  readonly major: number
}

export interface LoopFigures {
  readonly seconds: number
  /** Milliseconds; the last count of a histogram is above all of them. */
  readonly bounds: readonly number[]
  /** Steps by their length without idle time. */
  readonly wall: readonly number[]
  /** The same by processor time. */
  readonly processor: readonly number[]
  /** Milliseconds of processor time. */
  readonly longest: number
  readonly long: readonly LongStep[]
  readonly gc: { readonly minor: Collections; readonly major: Collections; readonly other: Collections }
}

const CAUSES = { scavenge: 'minor', 'full collection': 'major', 'indexing slice': 'slice', commit: 'commit' } as const

/** Number of long steps by their largest part. */
export function causesOf({ long }: Pick<LoopFigures, 'long'>): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {
    scavenge: 0,
    'full collection': 0,
    'indexing slice': 0,
    commit: 0,
    others: 0,
  }
  for (const step of long) {
    const parts = Object.entries(CAUSES).map(([cause, part]) => [cause, step[part]] as const)
    const known = parts.reduce((sum, [, part]) => sum + part, 0)
    const [cause] = parts.reduce((a, b) => (b[1] > a[1] ? b : a), ['others', step.processor - known] as const)
    counts[cause] = (counts[cause] ?? 0) + 1
  }
  return counts
}
