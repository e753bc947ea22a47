// `backup prune`: old archives of a folder go, by rules over their names.
import { readdirSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  backupUnreadable,
  backupUnwritable,
  decideRetention,
  parseArchiveName,
  type Retention,
} from '../backup/index.js'
import { causedBy, messageOf } from '../lib/errors.js'

export interface ArchivePruneRequest {
  readonly folder: string
  readonly retention: Retention
  readonly isDryRun: boolean
}

/** The `--json` document of `backup prune`. */
export interface PruneView {
  readonly dry_run: boolean
  readonly kept: readonly { readonly file: string; readonly because: readonly string[] }[]
  readonly removed: readonly string[]
  readonly freed_bytes: number
}

/** Files of other names are never touched. Throws BACKUP_UNREADABLE, BACKUP_UNWRITABLE. */
export async function pruneBackups({ folder, retention, isDryRun }: ArchivePruneRequest): Promise<PruneView> {
  const decided = decideRetention(archivesIn(folder), retention)
  const going = decided.filter(({ because }) => because.length === 0).map(({ name }) => join(folder, name))
  const bytes = going.map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0)
  if (!isDryRun) for (const file of going) await remove(folder, file)
  return {
    dry_run: isDryRun,
    kept: decided
      .filter(({ because }) => because.length > 0)
      .map(({ name, because }) => ({ file: join(folder, name), because })),
    removed: going,
    freed_bytes: bytes.reduce((sum, size) => sum + size, 0),
  }
}

function archivesIn(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .flatMap(({ name }) => parseArchiveName(name) ?? [])
  } catch (thrown) {
    throw causedBy(backupUnreadable(folder, messageOf(thrown)), thrown)
  }
}

async function remove(folder: string, file: string): Promise<void> {
  try {
    await rm(file, { force: true })
  } catch (thrown) {
    throw causedBy(backupUnwritable(folder, messageOf(thrown)), thrown)
  }
}
