// `restore`: a folder in which a daemon can be started, made from an archive; or nothing at all.

import { existsSync, readdirSync, statSync } from 'node:fs'
import { chown, mkdir, readdir, rename } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import {
  type Archive,
  backupDamaged,
  backupNewer,
  backupOtherKind,
  type Manifest,
  type ManifestFile,
  restoreFailed,
  restoreTargetNotEmpty,
} from '../backup/index.js'
import { DAEMONS } from '../config/index.js'
import type { DaemonName } from '../lib/daemon-names.js'
import { causedBy, GrinpayError, messageOf } from '../lib/errors.js'
import { examineCopy, giveBackReserves, isInUse, newestSchema, reservesBeside, reviveTill } from '../storage/index.js'
import { createDirectory, type SystemClock, type SystemRandom, systemClock, systemRandom } from '../system/index.js'
import { openArchiveFile, unpack } from './parts/backup/archive-file.js'
import { placeSettings } from './parts/backup/restored-settings.js'
import { withWorkFolder } from './parts/backup/work-folder.js'
import { restoredKeyIndexAt } from './parts/pay/key-counter.js'

export interface RestoreOrder {
  readonly file: string
  readonly to: string
  readonly identityFile: string | undefined
  /** Whose backup it must be; undefined: anybody's. */
  readonly daemon: DaemonName | undefined
  readonly clock?: SystemClock
  readonly random?: SystemRandom
}

/** The `--json` document of `restore`. */
export interface RestoreView {
  readonly folder: string
  readonly daemon: DaemonName
  readonly chain: string | null
  /** Of the backup. */
  readonly created_at: string
  readonly files: readonly string[]
  /** Of a till: where its keys go on. */
  readonly next_key_index: number | null
  /** What must be put there by hand before the daemon can start, or is lost. */
  readonly left_out: readonly string[]
  readonly next: readonly string[]
}

/**
 * Throws RESTORE_TARGET_NOT_EMPTY, BACKUP_OTHER_KIND, BACKUP_NEWER, BACKUP_DAMAGED, RESTORE_FAILED, and what opening the archive throws;
 * then nothing is in the folder.
 */
export async function restoreBackup(order: RestoreOrder): Promise<RestoreView> {
  const { clock = systemClock, random = systemRandom } = order
  const to = resolve(order.to)
  await requireEmpty(to, clock.now())
  const archive = await openArchiveFile(order.file, order.identityFile)
  await requireFit(archive.manifest, order)
  return await restoring(to, async () => {
    await createDirectory(dirname(to), 0o700)
    return await withWorkFolder(dirname(to), random, async (work) => {
      const folder = join(work, 'restored')
      await mkdir(folder, { mode: 0o700 })
      await unpackAll(archive, order.file, folder)
      await placeSettings(archive.manifest, folder, to)
      const next = await reviveMoney(archive.manifest, folder, { clock, random })
      await moveInto(folder, to)
      return viewOf(archive.manifest, to, next)
    })
  })
}

/** Whatever is there stays: a wallet, another till's database. */
async function requireEmpty(to: string, now: number): Promise<void> {
  const found = statSync(to, { throwIfNoEntry: false })
  if (found === undefined) return
  if (!found.isDirectory()) throw restoreTargetNotEmpty(to, 'is not a folder')
  const beside = join(to, 'pay.db')
  const names = readdirSync(to).filter((name) => !reservesBeside(beside).includes(join(to, name)))
  if (names.length === 0) return void giveBackReserves(beside)
  throw restoreTargetNotEmpty(to, (await runsIn(to, now)) ? 'is in use: a daemon runs there' : 'is not empty')
}

/** Where a restored daemon, or one that setup made, keeps its database. */
const DATABASES = ['data/pay.db', 'nameauth/data/names.db', 'relay/data/relay.db', 'pay.db', 'names.db', 'relay.db']

/** True also when the folder cannot be read. */
async function runsIn(folder: string, now: number): Promise<boolean> {
  const looks = DATABASES.map((name) => isInUse(join(folder, name), now).catch(() => false))
  return (await Promise.all(looks)).includes(true)
}

async function requireFit({ daemon, files }: Manifest, { file, daemon: wanted }: RestoreOrder): Promise<void> {
  if (wanted !== undefined && wanted !== daemon) throw backupOtherKind(file, whose(daemon), whose(wanted))
  for (const { path, database } of files) {
    if (!database) continue
    const known = await newestSchema(database.kind)
    if (database.schema > known)
      throw backupNewer(file, `${path} has schema ${database.schema}, this version knows schemas up to ${known}`)
  }
}

const whose = (daemon: DaemonName): string => `a ${DAEMONS[daemon].title} (${daemon})`

async function unpackAll(archive: Archive, path: string, folder: string): Promise<void> {
  for await (const member of archive.members()) {
    const target = join(folder, member.file.path)
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    if (!(await unpack(member, target))) throw backupDamaged(path, `${member.file.path} was changed`)
    await requireWhole(member.file, target, path)
  }
}

/** A header that lies about the schema is found here. */
async function requireWhole({ path, database }: ManifestFile, target: string, archive: string): Promise<void> {
  if (!database) return
  const { damage, schema } = await examineCopy(target, database.kind)
  const [first] = damage
  if (first !== undefined) throw backupDamaged(archive, `${path}: ${first}`)
  if (schema !== database.schema) throw backupDamaged(archive, `${path} has schema ${schema}, not ${database.schema}`)
}

/** No key that the lost till may have handed out is handed out again. */
async function reviveMoney(
  { files }: Manifest,
  folder: string,
  { clock, random }: { readonly clock: SystemClock; readonly random: SystemRandom },
): Promise<number | null> {
  const till = files.find(({ database }) => database?.kind === 'till')
  if (!till) return null
  return await reviveTill(join(folder, till.path), (known) => restoredKeyIndexAt(clock.now(), known, random.bytes(3)))
}

/** In one step. An empty folder that was there keeps its owner. */
async function moveInto(folder: string, to: string): Promise<void> {
  const before = statSync(to, { throwIfNoEntry: false })
  if (before && process.getuid?.() === 0) await giveTo(folder, before)
  await rename(folder, to)
}

async function giveTo(folder: string, { uid, gid }: { readonly uid: number; readonly gid: number }): Promise<void> {
  const names = await readdir(folder, { recursive: true })
  for (const name of ['.', ...names]) await chown(join(folder, name), uid, gid)
}

async function restoring<T>(to: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (thrown instanceof GrinpayError) throw thrown
    throw causedBy(restoreFailed(to, messageOf(thrown)), thrown)
  }
}

function viewOf(manifest: Manifest, folder: string, next: number | null): RestoreView {
  const { daemon, chain, created_at, files, left_out } = manifest
  return {
    folder,
    daemon,
    chain,
    created_at,
    files: files.map(({ path }) => path),
    next_key_index: next,
    left_out,
    next: [
      ...files.flatMap(({ path }) => stepsForDump(join(folder, path))),
      ...NEXT[daemon](folder, manifest.with_secrets),
    ],
  }
}

/** Rows of PostgreSQL go back into a database without them, before any instance starts. */
function stepsForDump(path: string): readonly string[] {
  if (!path.endsWith('.dump')) return []
  const isTill = path.endsWith('pay.dump')
  return [
    `stop every instance, and put the rows into a database that has no schema of this name: pg_restore -d DATABASE ${path}`,
    isTill
      ? 'on every machine: grinpay store adopt --daemon pay --restored'
      : 'on every machine that says DATABASE_WENT_BACK: grinpay store adopt',
  ]
}

const NEXT: Readonly<Record<DaemonName, (folder: string, withSecrets: boolean) => readonly string[]>> = {
  pay: (folder, withSecrets) => [
    'make sure that the old till never runs again: two tills on one seed can lose payments',
    ...(withSecrets
      ? []
      : [`put the wallet password and the tokens back: PAY_WALLET_PASSWORD_FILE and the others in ${folder}/pay.env`]),
    `grinpay config check ${folder}/pay.env`,
    `grinpay serve pay --settings ${folder}/pay.env`,
    'compare with the webhooks that the shop received: payments after the backup are in the wallet, but not in this database',
  ],
  nameauth: (folder) => [
    'make sure that the old authority never runs again',
    `grinpay config check --daemon nameauth ${folder}/nameauth.env`,
    `grinpay serve nameauth --settings ${folder}/nameauth.env`,
  ],
  relay: (folder) =>
    existsSync(join(folder, 'relay.toml'))
      ? [
          `grinpay config check --daemon relay ${folder}/relay.toml`,
          `grinpay serve relay --settings ${folder}/relay.toml`,
        ]
      : [`RELAY_DATABASE_DATA_DIRECTORY=${folder}/relay/data grinpay serve relay`],
}
