// What the seeds of a run reached, and how that differs from the run whose result is committed: a fault that no seed reaches is a gap.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Counts, Kind, WorldResult } from './world.js'

const TABLES = ['happenings', 'faults', 'states'] as const
type Tables = Readonly<Record<(typeof TABLES)[number], Counts>>

/** As it is committed: how many seeds, and by table and name how often. */
interface KeptRun {
  readonly seeds: number
  readonly days: number
  readonly tables: Readonly<Record<(typeof TABLES)[number], Readonly<Record<string, number>>>>
}

export interface Coverage {
  add(world: WorldResult): void
  /** Lines for the terminal. */
  lines(): readonly string[]
  /** Commits to this run as the last one. */
  keep(): void
}

const pathOf = (kind: Kind): string =>
  fileURLToPath(new URL(`../../test/simulation/reached/${kind}.json`, import.meta.url))

export function createCoverage(kind: Kind): Coverage {
  const sums = { happenings: new Map(), faults: new Map(), states: new Map() } satisfies Tables
  let [seeds, days] = [0, 0]

  function addTo(sum: Map<string, number>, counts: Counts): void {
    for (const [what, count] of counts) sum.set(what, (sum.get(what) ?? 0) + count)
  }

  return {
    add(world) {
      seeds += 1
      days += world.days
      for (const table of TABLES) addTo(sums[table], world[table])
    },
    lines: () => [
      ...TABLES.flatMap((table) => [
        `${kind}: ${table} reached`,
        ...sorted(sums[table]).map(([what, count]) => `${String(count).padStart(9)} ${what}`),
      ]),
      ...differences(kind, sums, seeds),
    ],
    keep() {
      const tables = Object.fromEntries(TABLES.map((table) => [table, Object.fromEntries(sorted(sums[table]))]))
      mkdirSync(dirname(pathOf(kind)), { recursive: true })
      writeFileSync(pathOf(kind), `${JSON.stringify({ seeds, days, tables }, undefined, 2)}\n`)
    },
  }
}

/** What only one of the two runs reached. Fewer seeds reach less, so gaps count only when there were as many. */
function differences(kind: Kind, sums: Tables, seeds: number): readonly string[] {
  if (!existsSync(pathOf(kind))) return [`${kind}: no run is kept to compare with (--keep)`]
  const last = JSON.parse(readFileSync(pathOf(kind), 'utf8')) as KeptRun
  const lines = TABLES.flatMap((table) => {
    const kept = last.tables[table]
    const added = sorted(sums[table]).filter(([what]) => !(what in kept))
    const missing = Object.keys(kept).filter((what) => !sums[table].has(what))
    return [
      ...added.map(([what]) => `  new: ${table}: ${what}`),
      ...(seeds < last.seeds ? [] : missing.map((what) => `  GAP: ${table}: ${what} is not reached any more`)),
    ]
  })
  return [`${kind}: ${seeds} seeds, compared with the ${last.seeds} of the kept run`, ...lines]
}

const sorted = (counts: Counts): readonly (readonly [string, number])[] =>
  [...counts].sort(([one], [other]) => (one < other ? -1 : 1))
