// A set of event kinds as a few ranges: "all kinds" costs no more than one kind.

/** Kinds from `first` to `last`, both included. */
interface KindRange {
  readonly first: number
  readonly last: number
}

export type KindEntry = number | KindRange

export interface KindSet {
  has(kind: number): boolean
  /** The kinds of the set, ascending, without those of listed ranges of more than `longest` kinds: "all" has 65,535. */
  values(longest?: number): Iterable<number>
}

/** The kinds of the first list without those of the second. Built once per change of settings or lists, then asked for every event. */
export function kindSetOf(included: readonly KindEntry[], excluded: readonly KindEntry[]): KindSet {
  const ranges = [...without(mergedRanges(included), mergedRanges(excluded))]
  return {
    has: (kind) => isInRanges(ranges, kind),
    values(longest = Number.POSITIVE_INFINITY) {
      const isLong = (entry: KindEntry) => lengthOf(rangeOf(entry)) > longest
      const short = mergedRanges(included.filter((entry) => !isLong(entry)))
      return kindsIn(without(short, mergedRanges([...included.filter(isLong), ...excluded])))
    },
  }
}

const lengthOf = ({ first, last }: KindRange): number => last - first + 1

const rangeOf = (entry: KindEntry): KindRange => (typeof entry === 'number' ? { first: entry, last: entry } : entry)

/** Ascending ranges that neither overlap nor touch. */
function mergedRanges(entries: Iterable<KindEntry>): readonly KindRange[] {
  const merged: { first: number; last: number }[] = []
  for (const { first, last } of [...entries].map(rangeOf).sort((a, b) => a.first - b.first)) {
    const before = merged.at(-1)
    if (before && first <= before.last + 1) before.last = Math.max(before.last, last)
    else merged.push({ first, last })
  }
  return merged
}

/** Both lists as `mergedRanges` returns them; each is read once. */
function* without(ranges: readonly KindRange[], gaps: readonly KindRange[]): Generator<KindRange> {
  let next = 0
  for (const range of ranges) {
    let { first } = range
    for (let gap = gaps[next]; gap && gap.first <= range.last; gap = gaps[next]) {
      if (gap.first > first) yield { first, last: gap.first - 1 }
      first = Math.max(first, gap.last + 1)
      if (gap.last > range.last) break // it reaches into the next range too
      next++
    }
    if (first <= range.last) yield { first, last: range.last }
  }
}

/** Binary search. */
function isInRanges(ranges: readonly KindRange[], kind: number): boolean {
  let [low, high] = [0, ranges.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const { first, last } = ranges[middle] as KindRange
    if (kind < first) high = middle - 1
    else if (kind <= last) return true
    else low = middle + 1
  }
  return false
}

function* kindsIn(ranges: Iterable<KindRange>): Generator<number> {
  for (const { first, last } of ranges) for (let kind = first; kind <= last; kind++) yield kind
}
