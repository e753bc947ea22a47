// Everything of a name authority on its way into the database of this machine, or out of it.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isHoldableName, shapeOf } from '../authority/admin/index.js'
import {
  formatNameRow,
  type ImportChange,
  type ImportConflict,
  type ImportOutcome,
  importSharedNames,
  type OpenNameStore,
  openNameReader,
  openNameSource,
  openNameStore,
  type SourceRow,
} from '../storage/index.js'
import { createDirectory, createFileForFolder, systemClock } from '../system/index.js'
import { type NameAdminSettings, openShared } from './name-admin.js'

export interface NameImportRequest {
  readonly file: string
  /** For the history. */
  readonly reason: string
  readonly isDryRun: boolean
  /** Called with the origin of the file before anything changes; rejects to stop. */
  agree(origin: string): Promise<void>
}

/** The `--json` document of `name import`. */
export interface NameImportView {
  readonly file: string
  readonly origin: string
  readonly dry_run: boolean
  /** False also for a dry run. */
  readonly imported: boolean
  /** Of each kind of row: what is new here, and what was here already or was settled here later. */
  readonly rows: readonly { readonly kind: string; readonly added: number; readonly known: number }[]
  /** New names that look like a name of another key. */
  readonly look_alikes: number
  /** Held names of the file that are too short for the settings, and do not resolve. */
  readonly too_short: number
  /** When there is one, nothing is taken over. The first thousand. */
  readonly conflicts: readonly ImportConflict[]
}

/**
 * Takes over another authority's names, grants, offers and sales: all or nothing. Makes the database when there is none yet.
 * Throws IMPORT_UNKNOWN, DATABASE_OLDER, DATABASE_FOREIGN and the like.
 */
export async function importNames(settings: NameAdminSettings, order: NameImportRequest): Promise<NameImportView> {
  const { file, reason, isDryRun } = order
  const source = await openNameSource(file)
  try {
    await order.agree(source.origin)
    const counted = countUnresolved(source.rows, settings)
    const { nameMax } = settings
    const isName = (name: string) => isHoldableName(name, { nameMin: 1, nameMax })
    const change = { isName, shapeOf, isDryRun, reason, now: systemClock.now() }
    const done = await importInto(settings, counted.rows, change)
    const about = { file, origin: source.origin, dry_run: isDryRun, too_short: counted.short() }
    return { ...about, ...outcomeView(done, isDryRun) }
  } finally {
    source.close()
  }
}

function outcomeView(
  done: ImportOutcome,
  isDryRun: boolean,
): Pick<NameImportView, 'imported' | 'rows' | 'look_alikes' | 'conflicts'> {
  if (done.outcome === 'conflicts') return { imported: false, rows: [], look_alikes: 0, conflicts: done.conflicts }
  const known = new Map(Object.entries(done.known))
  const rows = Object.entries(done.added).map(([kind, added]) => ({ kind, added, known: known.get(kind) ?? 0 }))
  return {
    imported: !isDryRun,
    rows: rows.filter((row) => row.added + row.known > 0),
    look_alikes: done.lookAlikes,
    conflicts: [],
  }
}

/** The rows as they come, counting held names that the settings do not allow. */
function countUnresolved(source: AsyncIterable<SourceRow>, { nameMin, nameMax }: NameAdminSettings) {
  let short = 0
  async function* rows(): AsyncGenerator<SourceRow> {
    for await (const given of source) {
      const { row } = given
      if (typeof row !== 'string' && row.kind === 'name' && row.value.releasedAt === null)
        if (row.value.name.length < nameMin && !isHoldableName(row.value.name, { nameMin, nameMax })) short += 1
      yield given
    }
  }
  return { rows: rows(), short: () => short }
}

const importInto = (
  { path, database: place }: NameAdminSettings,
  rows: AsyncIterable<SourceRow>,
  change: ImportChange & { readonly isDryRun: boolean },
): Promise<ImportOutcome> =>
  place
    ? importSharedNames({ place, rows, change })
    : withTarget(path, change.isDryRun, (store) => store.importNames(rows, change))

async function withScratch<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A dry run without a database is a dry run into an empty one, somewhere else. */
async function withTarget<T>(path: string, isDryRun: boolean, work: (store: OpenNameStore) => Promise<T>): Promise<T> {
  if (isDryRun && !existsSync(path)) return withScratch((folder) => withTarget(join(folder, 'names.db'), false, work))
  const store = await openTarget(path)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** One that is there is never migrated: an older daemon may be running on it. A new folder becomes the daemon's when systemd starts it. */
async function openTarget(path: string): Promise<OpenNameStore> {
  const isThere = existsSync(path)
  if (!isThere) {
    await createDirectory(dirname(path), 0o700)
    await createFileForFolder(path)
  }
  return openNameStore({ path, now: systemClock.now, mustExist: isThere })
}

/** Every row of the database as one line of JSON; `importNames` takes them. Throws DATABASE_MISSING and the like. */
export async function* exportLines(settings: NameAdminSettings): AsyncGenerator<string> {
  const store = settings.database ? await openShared(settings.database) : await openNameReader(settings)
  try {
    for await (const row of store.rows()) yield formatNameRow(row)
  } finally {
    await store.close()
  }
}
