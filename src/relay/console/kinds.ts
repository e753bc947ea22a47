// Events by kind: what came in the last hour and day, and what is stored.
import type { RelayActivity, StoredEvents } from './view.js'
import { kindName } from './words.js'

/** Rows of the table; all other kinds are summed up below them. */
const ROWS = 20

export interface KindRow {
  readonly name: string
  /** Undefined: not known. */
  readonly lastHour: number | undefined
  readonly lastDay: number | undefined
  readonly sinceStart: number | undefined
  readonly stored: number | undefined
}

/** The most frequent first: by stored events, then by those that came. */
export function kindRows(
  { figures, past }: Pick<RelayActivity, 'figures' | 'past'>,
  stored: Pick<StoredEvents, 'kinds'> | undefined,
): readonly KindRow[] {
  const there = stored && new Map(stored.kinds.map(({ kind, events }) => [kind, events]))
  const came = figures?.kinds
  const day = past && sumOf(past.hours.map(({ kinds }) => kinds))
  const hour = past && sumOf(past.hours.slice(-1).map(({ kinds }) => kinds))
  const all = [...new Set([...(there?.keys() ?? []), ...(came?.keys() ?? [])])]
  const of = (counts: ReadonlyMap<number, number> | undefined, kinds: readonly number[]) =>
    counts && kinds.reduce((sum, kind) => sum + (counts.get(kind) ?? 0), 0)
  const row = (name: string, kinds: readonly number[]): KindRow => ({
    name,
    lastHour: of(hour, kinds),
    lastDay: of(day, kinds),
    sinceStart: of(came, kinds),
    stored: of(there, kinds),
  })
  all.sort((a, b) => (there?.get(b) ?? 0) - (there?.get(a) ?? 0) || (came?.get(b) ?? 0) - (came?.get(a) ?? 0) || a - b)
  const [shown, others] = [all.slice(0, ROWS), all.slice(ROWS)]
  return [
    ...shown.map((kind) => row(kindName(kind), [kind])),
    ...(others.length === 0 ? [] : [row(`${others.length} more kinds`, others)]),
  ]
}

function sumOf(counts: readonly ReadonlyMap<number, number>[]): ReadonlyMap<number, number> {
  const sums = new Map<number, number>()
  for (const one of counts) for (const [kind, events] of one) sums.set(kind, (sums.get(kind) ?? 0) + events)
  return sums
}
