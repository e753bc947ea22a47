// The sets of events, and where they lie: made once, kept for all later runs.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Shapes } from './shapes.js'
import { SMALL_WORLD, WHOLE_WORLD } from './world.js'

/** GRINPAY_BENCH_DATA, otherwise in the user's cache. */
export const DATA_FOLDER =
  process.env.GRINPAY_BENCH_DATA ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'grinpay-bench')

export interface EventSet {
  readonly events: number
  readonly world: number
  readonly shape: keyof Shapes
  /** Stored sets lie before the end of the stored time, fresh ones in the hour after it. */
  readonly fresh: boolean
  /** Not kept in a file: generated again for each use, with random signatures. See `generated.ts`. */
  readonly generated?: true
  /** Only the first of the events of that set are stored. */
  readonly first?: { readonly count: number; readonly of: '10m' }
}

const HOUR = 3600
const STORED_SECONDS = 90 * 86_400

export const SETS = {
  '20k': { events: 20_000, world: SMALL_WORLD, shape: 'mixed', fresh: false },
  '20k-mixed': { events: 20_000, world: SMALL_WORLD, shape: 'mixed', fresh: true },
  '100k': { events: 100_000, world: WHOLE_WORLD, shape: 'mixed', fresh: false },
  '1m': { events: 1_000_000, world: WHOLE_WORLD, shape: 'mixed', fresh: false },
  '10m': { events: 10_000_000, world: WHOLE_WORLD, shape: 'mixed', fresh: false, generated: true },
  // The first 31 of the 90 days, where there is no time for all.
  '3.5m': {
    events: 10_000_000,
    world: WHOLE_WORLD,
    shape: 'mixed',
    fresh: false,
    generated: true,
    first: { count: 3_535_000, of: '10m' },
  },
  note: { events: 200_000, world: WHOLE_WORLD, shape: 'note', fresh: true },
  wrap: { events: 200_000, world: WHOLE_WORLD, shape: 'wrap', fresh: true },
  mixed: { events: 200_000, world: WHOLE_WORLD, shape: 'mixed', fresh: true },
  repl: { events: 50_000, world: WHOLE_WORLD, shape: 'replaceable', fresh: true },
} as const satisfies Record<string, EventSet>
export type SetName = keyof typeof SETS

export const isGenerated = (name: SetName): boolean => 'generated' in SETS[name]

export const fileOf = (name: SetName): string => join(DATA_FOLDER, `${name}.jsonl`)

/** Epoch seconds at which the stored sets end: one hour before the first of them was made. */
export function storedEnd(): number {
  end ??= readEnd()
  return end
}

let end: number | undefined

function readEnd(): number {
  const path = join(DATA_FOLDER, 'end')
  if (!existsSync(path)) {
    mkdirSync(DATA_FOLDER, { recursive: true })
    writeFileSync(path, String(Math.floor(Date.now() / 1000) - HOUR))
  }
  return Number(readFileSync(path, 'utf8'))
}

/** When the event of this index was made, in epoch seconds. */
export function timeOf({ fresh, events }: EventSet, index: number): number {
  const along = index / events
  return Math.floor(storedEnd() + (fresh ? along * HOUR : (along - 1) * STORED_SECONDS))
}

export const countOf = ({ events, first }: EventSet): number => first?.count ?? events

/** Epoch seconds after the last event of a stored set. */
export const endOf = (set: EventSet): number => timeOf(set, countOf(set))
