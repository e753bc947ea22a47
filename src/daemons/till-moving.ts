// `invoice import`: what the till before this one kept, taken over into this one while it is stopped. Composition only.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Environment, loadPayConfig, type PayConfig } from '../config/index.js'
import { takeKeychain } from '../grin/seedfile/index.js'
import { addressOfSeed, formatAddress } from '../grin/slatepack/index.js'
import { publicKeyOf } from '../nostr/keys/index.js'
import { type OpenTillStore, openTillStore, readLegacyTill, type TillImportOutcome } from '../storage/index.js'
import {
  createDirectory,
  createFileForFolder,
  dataFiles,
  systemClock,
  systemRandom,
  unmarkNewWallet,
} from '../system/index.js'
import { type MovingParts, type RowRemark, takeOver } from '../till/index.js'
import { identityNotMoved, notForSharedTill, walletNotMoved } from './errors.js'
import { openTillIdentity } from './parts/pay/identity.js'
import { refuseLostDatabase } from './parts/pay/lost-database.js'
import { openWalletSeed } from './parts/pay/seed.js'
import { tillSettings } from './parts/pay/settings.js'

export interface TillImportOrder {
  readonly environment: Environment
  readonly file: string
  readonly isDryRun: boolean
  /** Called with the findings and the target before anything changes; rejects to stop. */
  readonly agree: (found: string, path: string) => Promise<void>
}

/** The `--json` document. */
export interface TillImportView {
  readonly file: string
  readonly dry_run: boolean
  readonly imported: boolean
  readonly rows: readonly { readonly kind: string; readonly added: number; readonly known: number }[]
  /** Finished business that has no place here. */
  readonly left_out: readonly RowRemark[]
  readonly conflicts: readonly RowRemark[]
}

/**
 * All or nothing; repeating it changes nothing. Throws TILL_IMPORT_UNKNOWN, DATABASE_IN_USE while the till runs, WALLET_NOT_MOVED,
 * IDENTITY_NOT_MOVED, and what opening wallet, identity and database throws.
 */
export async function importTill({ environment, file, isDryRun, agree }: TillImportOrder): Promise<TillImportView> {
  const legacy = await readLegacyTill(file)
  const config = loadPayConfig(environment)
  if (config.database) throw notForSharedTill('invoice import')
  refuseLostDatabase(config)
  const parts = await openParts(config)
  const taken = await takeOver(legacy, parts)
  const about = { file, dry_run: isDryRun, left_out: taken.leftOut }
  if (taken.problems.length > 0) return { ...about, imported: false, rows: [], conflicts: taken.problems }
  const { invoices, payments, users, events } = taken
  const counts = `invoices ${invoices.length}, payments ${payments.length}, users ${users.length}, events ${events.length}`
  await agree(counts, config.dbPath)
  const done = await withTarget(config, parts.address, isDryRun, (store) => store.importTill(taken, { isDryRun }))
  return { ...about, ...outcomeView(done, isDryRun) }
}

/** Nothing is made here that is not there yet: a new wallet or key could never be the old till's. */
async function openParts(config: PayConfig): Promise<MovingParts> {
  const { seed, identity: identityFile } = dataFiles(config.dataDir)
  if (!existsSync(seed)) throw walletNotMoved(seed)
  if (!existsSync(identityFile) && !config.nsec && !config.ncryptsec) throw identityNotMoved(identityFile)
  const keychain = takeKeychain(await openWalletSeed(config, systemRandom))
  const { secret } = await openTillIdentity(config, systemRandom)
  const prefix = config.chain === 'mainnet' ? 'grin' : 'tgrin'
  return {
    keychain,
    prefix,
    address: formatAddress(prefix, addressOfSeed(keychain.addressSeed(0, 0))),
    identity: secret,
    mainPubkey: publicKeyOf(secret),
    settings: tillSettings(config),
    now: systemClock.now(),
  }
}

/** A dry run without a database is a dry run into an empty one, somewhere else. */
async function withTarget<T>(
  { dbPath, dataDir, chain }: PayConfig,
  fingerprint: string,
  isDryRun: boolean,
  work: (store: OpenTillStore) => Promise<T>,
): Promise<T> {
  const isThere = existsSync(dbPath)
  const scratch = isDryRun && !isThere ? mkdtempSync(join(tmpdir(), 'grinpay-')) : undefined
  if (!isThere && scratch === undefined) {
    await createDirectory(dirname(dbPath), 0o700)
    await createFileForFolder(dbPath)
  }
  const path = scratch === undefined ? dbPath : join(scratch, 'pay.db')
  const store = await openTillStore({ path, chain, fingerprint, now: systemClock.now })
  try {
    if (scratch === undefined) await unmarkNewWallet(dataDir)
    return await work(store)
  } finally {
    await store.close()
    if (scratch !== undefined) rmSync(scratch, { recursive: true })
  }
}

function outcomeView(
  done: TillImportOutcome,
  isDryRun: boolean,
): Pick<TillImportView, 'imported' | 'rows' | 'conflicts'> {
  if (done.outcome === 'conflicts') return { imported: false, rows: [], conflicts: done.conflicts }
  const known = new Map(Object.entries(done.known))
  const rows = Object.entries(done.added).map(([kind, added]) => ({ kind, added, known: known.get(kind) ?? 0 }))
  return { imported: !isDryRun, rows: rows.filter((row) => row.added + row.known > 0), conflicts: [] }
}
