// The commands of `grinpay store`: a service's rows in PostgreSQL, whether its daemons run or not.
import { rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DAEMONS, type DaemonName, type NameauthConfig, type PayConfig } from '../config/index.js'
import { formatDatabaseHost, parseDatabaseAddress } from '../lib/database-address.js'
import { messageOf } from '../lib/errors.js'
import { momentText } from '../lib/moment-text.js'
import {
  adoptTill,
  forgetWatermark,
  lookAtRelayLog,
  migrateShared,
  moveNames,
  moveNamesBack,
  moveTill,
  moveTillBack,
  openSharedNames,
  openSharedTill,
  raiseRelayRules,
  seenInstances,
} from '../storage/index.js'
import {
  createDirectory,
  createFileForFolder,
  replaceFileForFolder,
  syncDirectory,
  systemClock,
  systemRandom,
  watermarkFile,
} from '../system/index.js'
import { databaseAddressWrong, databaseNotSet } from './errors.js'
import { restoredKeyIndexAt } from './parts/pay/key-counter.js'

/** `database` must be there. */
export interface StoreSettings {
  readonly daemon?: DaemonName
  /** Of a till. */
  readonly chain?: PayConfig['chain']
  /** The file that the rows would be in without a database address. */
  readonly path: string
  readonly dataDir: string
  readonly database: NameauthConfig['database']
}

const placeOf = ({ database, daemon }: Pick<StoreSettings, 'database' | 'daemon'>) => {
  if (!database) throw databaseNotSet(DAEMONS[daemon ?? 'nameauth'].databaseSetting.name)
  return database
}

/** Where rows go, without user and password. */
const targetOf = ({ address, schema }: ReturnType<typeof placeOf>): string =>
  `${address.hosts.map(formatDatabaseHost).join(',')}/${address.database}, schema ${schema}`

/** The `--json` document of `store migrate`. */
export interface MigrateView {
  readonly target: string
  /** Numbers of the steps that were missing. */
  readonly steps: readonly number[]
  /** Of a relay's log, after `--rules`: the version of the rules by which its events are decided. */
  readonly rules?: number
}

export async function migrateStore(settings: StoreSettings): Promise<MigrateView> {
  const place = placeOf(settings)
  return { target: targetOf(place), steps: await migrateShared(settings.daemon ?? 'nameauth', place) }
}

/** The same with `--rules`. `version`: of the package. Throws RELAY_RULES_EARLY. */
export async function migrateRules(
  settings: StoreSettings,
  version: string,
): Promise<MigrateView & { readonly rules: number }> {
  const { steps, target } = await migrateStore(settings)
  const { rules } = await raiseRelayRules(placeOf(settings), version)
  return { target, steps, rules }
}

/** The `--json` document of `store check`. */
export interface StoreView {
  readonly target: string
  readonly names: number
  readonly suspended: number
  readonly open_offers: number
  readonly pending_grants: number
}

/** The same of a till. */
export interface TillStoreView {
  readonly target: string
  readonly invoices: number
  readonly payments: number
}

/** The same of a relay's log. */
export interface RelayLogView {
  readonly target: string
  /** Position of the last entry. */
  readonly entries: number
  /** That were seen within 30 s. */
  readonly front_ends: number
}

/** Connects as a daemon does, and writes. Throws what keeps a daemon from starting. */
export async function checkStore(settings: StoreSettings): Promise<StoreView | TillStoreView | RelayLogView> {
  if (settings.daemon === 'pay') return checkTill(settings)
  return settings.daemon === 'relay' ? checkRelayLog(settings) : checkNames(settings)
}

async function checkRelayLog(settings: StoreSettings): Promise<RelayLogView> {
  const place = placeOf(settings)
  const { head, frontEnds } = await lookAtRelayLog({ place, clock: systemClock, random: systemRandom })
  return { target: targetOf(place), entries: head, front_ends: frontEnds.length }
}

async function checkTill(settings: StoreSettings): Promise<TillStoreView> {
  const { chain = 'mainnet' } = settings
  const place = placeOf(settings)
  const store = await openSharedTill({ place, chain, clock: systemClock, random: systemRandom, mustExist: true })
  try {
    await store.check()
    return { target: targetOf(place), ...(await store.totals()) }
  } finally {
    await store.close()
  }
}

async function checkNames(settings: StoreSettings): Promise<StoreView> {
  const place = placeOf(settings)
  const store = await openSharedNames({ place, clock: systemClock, random: systemRandom, mustExist: true })
  try {
    await store.check()
    const { names, suspended, openOffers, pendingGrants } = await store.totals()
    return { target: targetOf(place), names, suspended, open_offers: openOffers, pending_grants: pendingGrants }
  } finally {
    await store.close()
  }
}

/** The `--json` document of `store move`. */
export interface MoveView {
  readonly from: string
  readonly target: string
  readonly outcome: Awaited<ReturnType<typeof moveNames>>['outcome']
  readonly tables: Awaited<ReturnType<typeof moveNames>>['tables']
}

/** `agree` is called before anything changes, and rejects to stop. */
export async function moveStore(
  settings: StoreSettings,
  { isDryRun, agree }: { readonly isDryRun: boolean; agree(target: string): Promise<void> },
): Promise<MoveView> {
  const place = placeOf(settings)
  const [from, target] = [settings.path, targetOf(place)]
  if (!isDryRun) await agree(target)
  const move = settings.daemon === 'pay' ? moveTill : moveNames
  const done = await move({ path: from, place, target, now: systemClock.now(), isDryRun })
  return { from, target, ...done }
}

/** The other direction: `settings.path` is made. */
export async function moveStoreBack(
  settings: StoreSettings,
  { isDryRun, agree }: { readonly isDryRun: boolean; agree(target: string): Promise<void> },
): Promise<MoveView> {
  const place = placeOf(settings)
  const [from, target] = [targetOf(place), settings.path]
  if (!isDryRun) await agree(target)
  const moveBack = settings.daemon === 'pay' ? moveTillBack : moveNamesBack
  return { from, target, ...(await moveBack({ path: target, place, isDryRun, files: FILES })) }
}

const FILES = {
  async create(path: string): Promise<void> {
    await createDirectory(dirname(path), 0o700)
    await createFileForFolder(path)
  },
  async publish(draft: string, path: string): Promise<void> {
    await rename(draft, path)
    await syncDirectory(dirname(path))
  },
}

/** A database that the settings do not name. Throws USAGE. */
export function withDatabase(settings: StoreSettings, url: string): StoreSettings {
  try {
    const { schema = settings.daemon === 'pay' ? 'pay' : 'names', unsafe } = settings.database ?? {}
    return { ...settings, database: { address: parseDatabaseAddress(url), schema, unsafe } }
  } catch (error) {
    throw databaseAddressWrong(messageOf(error))
  }
}

/** The `--json` document of `store adopt`. */
export interface AdoptView {
  /** False: there was nothing to accept. */
  readonly adopted: boolean
  /** Of a till, when it was accepted: the index of the next key before and now. */
  readonly next_key?: { readonly before: number; readonly after: number }
}

/** Accepts a database that has lost changes. */
export async function adoptStore(
  settings: StoreSettings,
  { isRestored = false }: { readonly isRestored?: boolean } = {},
): Promise<AdoptView> {
  const place = placeOf(settings)
  const file = { path: watermarkFile(settings.dataDir), replace: replaceFileForFolder }
  let next_key: AdoptView['next_key']
  const raiseKeys = async () => {
    next_key = await adoptTill(place, (known) => restoredKeyIndexAt(systemClock.now(), known, systemRandom.bytes(3)))
  }
  const outcome = await (settings.daemon === 'pay'
    ? forgetWatermark(file, { always: isRestored, before: raiseKeys })
    : forgetWatermark(file))
  return { adopted: outcome === 'forgotten', ...(next_key && { next_key }) }
}

/** An item of the `--json` document of `instance list`. */
export interface InstanceView {
  readonly id: string
  readonly daemon: string
  readonly host: string
  readonly version: string
  readonly state: 'running' | 'silent'
  /** ISO text, by its own clock. */
  readonly started: string
  /** ISO text, by the clock of the database. */
  readonly seen: string
  readonly clock_ahead_ms: number
  /** By setting. */
  readonly fingerprints: Readonly<Record<string, string>>
  /** Jobs that exist once and that it does: `rails` of a till, `retention` of relays. */
  readonly leases: readonly string[]
}

export const listInstances = async (settings: StoreSettings): Promise<readonly InstanceView[]> =>
  (await seenInstances(settings.daemon ?? 'nameauth', placeOf(settings))).map((one) => ({
    ...{ id: one.id, daemon: one.daemon, host: one.host, version: one.version },
    state: one.isSilent ? 'silent' : 'running',
    started: momentText(one.startedAt),
    seen: momentText(one.seenAt),
    clock_ahead_ms: one.clockAheadMs,
    fingerprints: one.fingerprints,
    leases: one.leases,
  }))
