// `backup create`: one archive of everything a daemon keeps, while it runs or not.
import { createReadStream, existsSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import {
  type ArchiveSource,
  archiveName,
  backupTargetExists,
  backupUnwritable,
  createSeal,
  FORMAT_VERSION,
  type Manifest,
  writeArchive,
} from '../backup/index.js'
import { causedBy, GrinpayError, messageOf } from '../lib/errors.js'
import { databaseMissing } from '../storage/index.js'
import { createDirectory, type SystemClock, type SystemRandom, systemClock, systemRandom } from '../system/index.js'
import { backupRowsInFile } from './errors.js'
import { type BackupScope, backupScope, type ScopeSettings } from './parts/backup/scope.js'
import { type CopiedDatabase, copyDatabases, type Gathered, gatherFiles } from './parts/backup/sources.js'
import { withWorkFolder } from './parts/backup/work-folder.js'

export interface BackupOrder {
  readonly settings: ScopeSettings
  /** The folder of the archive; made when it is missing. */
  readonly out: string
  /** An age recipient; undefined: not encrypted. */
  readonly recipient: string | undefined
  readonly withSecrets: boolean
  /** Rows in PostgreSQL stay out of the archive. */
  readonly withoutRows?: boolean
  /** Of the package. */
  readonly version: string
  /** Throws when this user may not use a file of the daemon. */
  mayUse(path: string): void
  readonly clock?: SystemClock
  readonly random?: SystemRandom
}

/** The `--json` document of `backup create`. */
export interface BackupView {
  readonly file: string
  readonly bytes: number
  readonly encrypted: boolean
  readonly daemon: Manifest['daemon']
  readonly chain: string | null
  readonly created_at: string
  readonly files: readonly { readonly path: string; readonly bytes: number; readonly rows: number | null }[]
  readonly left_out: readonly string[]
}

const ROWS_AT_SERVER = 'rows in PostgreSQL: the backup of the database server has them'

/**
 * Throws BAD_RECIPIENT, BACKUP_TARGET_EXISTS, BACKUP_UNWRITABLE (a full disk too), DATABASE_MISSING, DATABASE_NOT_COPIED, PG_DUMP_MISSING, PG_DUMP_FAILED,
 * BACKUP_ROWS_IN_FILE and the like; then nothing was made.
 */
export async function createBackup(order: BackupOrder): Promise<BackupView> {
  const { out, recipient, clock = systemClock, random = systemRandom } = order
  const seal = recipient === undefined ? undefined : createSeal(recipient)
  const scope = order.withoutRows ? scopeWithoutRows(order.settings) : backupScope(order.settings)
  requireDatabase(scope, order)
  const at = clock.now()
  const target = join(out, archiveName(scope.daemon, at, seal !== undefined))
  if (existsSync(target)) throw backupTargetExists(target)
  return await writing(out, async () => {
    await createDirectory(out, 0o700)
    return await withWorkFolder(out, random, async (folder) => {
      const copies = await copyDatabases(scope.databases, folder, existsSync)
      const dumps = await dumpSchemas(scope, folder)
      const files = await gatherFiles(scope, order.withSecrets)
      const manifest = await writeArchive({
        manifest: outlineOf(order, scope, { at, files, copies }),
        sources: [...files.sources, ...copies.map(({ source }) => source), ...dumps],
        draft: join(folder, 'archive'),
        target,
        seal,
      })
      return viewOf(target, (await stat(target)).size, manifest, seal !== undefined)
    })
  })
}

/** To standard output, when it is whole: until then it lies in the temporary folder of the system. Throws what `createBackup` throws. */
export async function sendBackup(order: BackupOrder): Promise<BackupView> {
  const out = await mkdtemp(join(tmpdir(), 'grinpay-backup-'))
  try {
    const done = await createBackup({ ...order, out })
    await pipeline(createReadStream(done.file), process.stdout, { end: false })
    return done
  } finally {
    await rm(out, { recursive: true, force: true })
  }
}

function scopeWithoutRows(settings: ScopeSettings): BackupScope {
  const scope = backupScope(settings)
  if (scope.schemas.length === 0) throw backupRowsInFile()
  return { ...scope, schemas: [], never: [ROWS_AT_SERVER, ...scope.never] }
}

async function dumpSchemas({ schemas }: BackupScope, folder: string): Promise<readonly ArchiveSource[]> {
  if (schemas.length === 0) return []
  const { dumpSchema } = await import('./parts/backup/dump.js')
  return Promise.all(schemas.map((schema) => dumpSchema(schema, folder)))
}

function requireDatabase({ databases }: BackupScope, order: BackupOrder): void {
  for (const { path } of databases.filter(({ isMain }) => isMain)) {
    order.mayUse(path)
    if (!existsSync(path)) throw databaseMissing(path)
  }
}

interface Found {
  /** Epoch milliseconds. */
  readonly at: number
  readonly files: Gathered
  readonly copies: readonly CopiedDatabase[]
}

/** What the manifest says beside the list of files. */
const outlineOf = (
  { version, withSecrets }: BackupOrder,
  { daemon, chain, never }: BackupScope,
  { at, files, copies }: Found,
): Omit<Manifest, 'files'> => ({
  format: 'grinpay-backup',
  version: FORMAT_VERSION,
  grinpay: version,
  created_at: new Date(at).toISOString(),
  daemon,
  chain,
  wallet: copies.find(({ facts }) => facts.wallet)?.facts.wallet?.address ?? null,
  with_secrets: withSecrets,
  left_out: [...files.leftOut, ...never],
})

async function writing<T>(out: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (thrown instanceof GrinpayError) throw thrown
    throw causedBy(backupUnwritable(out, messageOf(thrown)), thrown)
  }
}

function viewOf(file: string, bytes: number, manifest: Manifest, encrypted: boolean): BackupView {
  const { daemon, chain, created_at, left_out } = manifest
  const files = manifest.files.map(({ path, size, database }) => ({
    path,
    bytes: size,
    rows: database ? Object.values(database.rows).reduce((sum, count) => sum + count, 0) : null,
  }))
  return { file, bytes, encrypted, daemon, chain, created_at, files, left_out }
}
