// What the probe in the relay's process writes.

interface Collections {
  readonly count: number
  /** Milliseconds. */
  readonly total: number
  readonly longest: number
}

/** A step of more than 5 ms without idle time, and the milliseconds of its parts. */
interface LongStep {
  readonly processor: number
  /** Ready to run, without a processor. */
  readonly waited: number
  /** Neither: the disk, or a lock. */
  readonly blocked: number
  readonly slice: number
  readonly commit: number
  readonly checkpoint: number
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
  /** Milliseconds that a step was blocked. */
  readonly longestBlocked: number
  readonly long: readonly LongStep[]
  readonly gc: { readonly minor: Collections; readonly major: Collections; readonly other: Collections }
}

type Statement = 'slice' | 'commit' | 'checkpoint' | 'statement'

const STATEMENTS: readonly (readonly [cause: string, part: Statement])[] = [
  ['indexing slice', 'slice'],
  ['commit', 'commit'],
  ['checkpoint', 'checkpoint'],
  ['another statement', 'statement'],
]
const COLLECTIONS = [
  ['scavenge', 'minor'],
  ['full collection', 'major'],
] as const
const WAITED = 'waiting for a processor'
const BLOCKED = 'blocked in: '
const OTHERS = 'others'

/** Number of long steps by their largest part. */
export function causesOf({ long }: Pick<LoopFigures, 'long'>): Readonly<Record<string, number>> {
  const names = [...COLLECTIONS, ...STATEMENTS].map(([cause]) => cause)
  const blocked = [...STATEMENTS.map(([cause]) => cause), OTHERS].map((cause) => BLOCKED + cause)
  const counts: Record<string, number> = {}
  for (const cause of [...names, OTHERS, WAITED, ...blocked]) counts[cause] = 0
  for (const step of long) counts[causeOf(step)] = (counts[causeOf(step)] ?? 0) + 1
  return counts
}

function causeOf(step: LongStep): string {
  const { processor, waited, blocked } = step
  if (waited >= Math.max(processor, blocked)) return WAITED
  if (blocked > processor) return BLOCKED + largest(step, STATEMENTS, blocked)
  return largest(step, [...COLLECTIONS, ...STATEMENTS], processor)
}

/** The cause with most of these milliseconds; others, when what is left has more. */
function largest<P extends keyof LongStep>(
  step: LongStep,
  parts: readonly (readonly [cause: string, part: P])[],
  whole: number,
): string {
  const known = parts.reduce((sum, [, part]) => sum + step[part], 0)
  const [most, part] = parts.reduce((a, b) => (step[b[1]] > step[a[1]] ? b : a))
  return step[part] >= whole - known ? most : OTHERS
}
