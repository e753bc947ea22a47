// Databases that hold a stored set already: filled once, kept beside the sets, copied for runs that write.
import { execFileSync } from 'node:child_process'
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { DATA_FOLDER, fileOf, isGenerated, type SetName } from './data/sets.js'
import { createWorld, WHOLE_WORLD } from './data/world.js'
import { OTHER_DATABASE } from './relays/other.js'
import { OUR_DATABASE } from './relays/ours.js'
import { STRFRY_DATABASE } from './relays/strfry.js'

/** The stored set of this run: GRINPAY_BENCH_SET, otherwise a million events. */
export const STORED_SET = (process.env.GRINPAY_BENCH_SET ?? '1m') as SetName

export type Whose = 'ours' | 'other' | 'strfry'

const DATABASES = { ours: OUR_DATABASE, other: OTHER_DATABASE, strfry: STRFRY_DATABASE } as const

const run = (script: string, ...words: readonly string[]): void =>
  void execFileSync(process.execPath, ['--import', 'tsx', join(import.meta.dirname, script), ...words], {
    stdio: 'inherit',
  })

/** Makes the sets that are missing. */
export function needSets(...names: readonly SetName[]): void {
  const missing = names.filter((name) => !isGenerated(name) && !existsSync(fileOf(name)))
  if (missing.length > 0) run('make-data.ts', ...missing)
}

/** The folder of a database that holds the set; nobody may write to it. Takes minutes the first time. */
export function loaded(whose: Whose, set: SetName = STORED_SET): string {
  const folder = join(DATA_FOLDER, `${whose}-${set}`)
  if (existsSync(join(folder, DATABASES[whose]))) return folder
  needSets(set)
  const unfinished = `${folder}.part`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  run(`fill-${whose}.ts`, set, unfinished)
  renameSync(unfinished, folder)
  return folder
}

export interface Copy {
  readonly folder: string
  drop(): void
}

/** A database of its own, with the set or empty. */
export function copyOf(whose: Whose, set: SetName | 'empty' = STORED_SET): Copy {
  mkdirSync(DATA_FOLDER, { recursive: true })
  const folder = mkdtempSync(join(DATA_FOLDER, 'run-'))
  const file = DATABASES[whose]
  if (set !== 'empty') {
    copyFileSync(join(loaded(whose, set), file), join(folder, file))
    onDisk(join(folder, file))
  }
  return { folder, drop: () => rmSync(folder, { recursive: true, force: true }) }
}

/** The kept database itself, for runs that write to one too large to copy: the next run fills another. */
export function ownOf(whose: Whose, set: SetName): Copy {
  const folder = mkdtempSync(join(DATA_FOLDER, 'run-'))
  renameSync(loaded(whose, set), folder)
  return { folder, drop: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Otherwise the copy would still be on its way to the disk while the relay is measured. */
function onDisk(path: string): void {
  const file = openSync(path, 'r+')
  fsyncSync(file)
  closeSync(file)
}

/** The accounts of the fresh sets; those of a small stored set are the first of them. */
export const WORLD = createWorld(WHOLE_WORLD)
