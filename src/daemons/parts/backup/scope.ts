// What a daemon keeps, where it lies, and what it is called in an archive: a table for each daemon. The names are those below a restored folder.
import { dirname, join } from 'node:path'
import type { ManifestFile } from '../../../backup/index.js'
import {
  configurationError,
  type DaemonName,
  derivedValues,
  type Environment,
  layeredEnvironment,
  loadRelayConfig,
  nameauthConfigurationError,
  nameDatabaseOf,
  payDatabaseOf,
  readNameauthValues,
  readPayValues,
  type SettingsSources,
} from '../../../config/index.js'
import type { DatabaseName } from '../../../storage/index.js'
import { consoleFile, dataFiles, relayDataDir } from '../../../system/index.js'
import type { KeptSchema } from './dump.js'

export interface KeptDatabase {
  readonly path: string
  readonly member: string
  readonly kind: DatabaseName
  /** Without it there is nothing to back up. */
  readonly isMain: boolean
}

interface KeptFile {
  readonly path: string
  readonly member: string
  readonly role: ManifestFile['role']
  /** What is lost without it, when it ought to be there. */
  readonly otherwise?: string
}

/** Settings, and which of their names say where things lie. */
export interface KeptSettings {
  /** Undefined: they stand in the environment only. */
  readonly file: string | undefined
  readonly member: string
}

export interface BackupScope {
  readonly daemon: DaemonName
  readonly environment: Environment
  readonly chain: string | null
  readonly databases: readonly KeptDatabase[]
  /** Rows in PostgreSQL. */
  readonly schemas: readonly KeptSchema[]
  readonly files: readonly KeptFile[]
  readonly settings: readonly KeptSettings[]
  /** Where secrets are put. */
  readonly secrets: string
  /** What is never in a backup of this daemon, for people. */
  readonly never: readonly string[]
}

/** The settings of a daemon, as they were found. */
export interface ScopeSettings {
  readonly daemon: DaemonName
  readonly sources: SettingsSources
}

const SCOPES: Readonly<Record<DaemonName, (sources: SettingsSources) => BackupScope>> = {
  pay: ({ environment }) => tillScope(environment),
  nameauth: ({ environment }) => nameScope(environment),
  relay: relayScope,
}

/** Throws CONFIGURATION when the settings do not say where the files are. */
export const backupScope = ({ daemon, sources }: ScopeSettings): BackupScope => SCOPES[daemon](sources)

const CONSOLE_SIGN_INS = 'sign-in links and sessions of the console: sign in again after a restore'
const EVERYWHERE = ['systemd units, proxy configuration and certificates: setup and your proxy make them again']

function tillScope(environment: Environment): BackupScope {
  const { values, problems } = readPayValues(environment)
  const { dataDir, dbPath, chain } = values
  if (dataDir === undefined || dbPath === undefined || chain === undefined) throw configurationError(problems)
  const { seed, identity } = dataFiles(dataDir)
  const place = payDatabaseOf(values)
  const relayDir = environment.find('RELAY_DATABASE_DATA_DIRECTORY')?.text || join(dataDir, 'relay')
  const till: KeptDatabase = { path: dbPath, member: 'data/pay.db', kind: 'till', isMain: true }
  return {
    daemon: 'pay',
    environment,
    chain,
    databases: [
      ...(place ? [] : [till]),
      { path: consoleFile(dbPath), member: 'data/console.db', kind: 'console', isMain: false },
      ...relayDatabases(join(relayDir, 'relay.db'), join(relayDir, 'names.db'), 'data/relay', false),
    ],
    schemas: place ? [{ place, member: 'data/pay.dump' }] : [],
    files: [
      {
        path: seed,
        member: 'data/wallet/seed.json',
        role: 'wallet',
        otherwise: 'the wallet: only the seed words bring it back',
      },
      {
        path: identity,
        member: 'data/nostr/identity.json',
        role: 'identity',
        otherwise: 'the Nostr identity: it comes from PAY_NSEC or PAY_NCRYPTSEC',
      },
      ...relayFiles(relayDir, 'data/relay'),
      ...reservedNames(environment.find(RESERVED)?.text, 'data/relay'),
    ],
    settings: [{ file: environment.envFile, member: 'pay.env' }],
    secrets: 'secrets',
    never: [
      'the 24 seed words: they are on paper, or grinpay wallet export-seed shows them',
      CONSOLE_SIGN_INS,
      'secrets of open invoice slates (grin1 rail): a restored till must not sign with them; those invoices keep their other ways to pay',
      ...EVERYWHERE,
    ],
  }
}

function nameScope(environment: Environment): BackupScope {
  const { values, problems } = readNameauthValues(environment)
  const { domain, dbPath, dataDir, reservedFile } = values
  if (domain === undefined || (dbPath === undefined && dataDir === undefined))
    throw nameauthConfigurationError(problems)
  const path = derivedValues(values, domain).dbPath
  const place = nameDatabaseOf(values)
  const names: KeptDatabase = { path, member: 'nameauth/data/names.db', kind: 'names', isMain: true }
  return {
    daemon: 'nameauth',
    environment,
    chain: null,
    databases: [
      ...(place ? [] : [names]),
      { path: consoleFile(path), member: 'nameauth/data/console.db', kind: 'console', isMain: false },
    ],
    schemas: place ? [{ place, member: 'nameauth/data/names.dump' }] : [],
    files: reservedNames(reservedFile, 'nameauth'),
    settings: [{ file: environment.envFile, member: 'nameauth.env' }],
    secrets: 'nameauth/secrets',
    never: [CONSOLE_SIGN_INS, ...EVERYWHERE],
  }
}

function relayScope(sources: SettingsSources): BackupScope {
  const { dbPath, names, pages } = loadRelayConfig(sources, { dataDir: relayDataDir() })
  const folder = dirname(dbPath)
  const { environment, file } = sources
  const outside = [pages.landing, pages.favicon].filter((path) => path !== undefined)
  return {
    daemon: 'relay',
    environment,
    chain: null,
    databases: [
      ...relayDatabases(dbPath, names?.dbPath ?? join(folder, 'names.db'), 'relay/data', true),
      { path: consoleFile(dbPath), member: 'relay/data/console.db', kind: 'console', isMain: false },
    ],
    schemas: [],
    files: [
      ...relayFiles(folder, 'relay/data'),
      ...reservedNames(layeredEnvironment(sources).find(RESERVED)?.text, 'relay'),
    ],
    settings: [
      ...(file ? [{ file: file.path, member: 'relay.toml' }] : []),
      ...(environment.envFile === undefined && file ? [] : [{ file: environment.envFile, member: 'relay.env' }]),
    ],
    secrets: 'relay/secrets',
    never: [CONSOLE_SIGN_INS, ...outside.map((path) => `${path}, which the settings name`), ...EVERYWHERE],
  }
}

/** Also of the relay that a till brings along. */
const RESERVED = 'RELAY_NAME_AUTHORITY_RESERVED_FILE'

/** Names that the operator keeps back, where a file has them. */
const reservedNames = (path: string | undefined, folder: string): readonly KeptFile[] =>
  path ? [{ path, member: `${folder}/reserved.txt`, role: 'document', otherwise: `your reserved names (${path})` }] : []

const relayDatabases = (events: string, names: string, folder: string, isMain: boolean): readonly KeptDatabase[] => [
  { path: events, member: `${folder}/relay.db`, kind: 'events', isMain },
  { path: names, member: `${folder}/names.db`, kind: 'names', isMain: false },
]

const relayFiles = (dir: string, folder: string): readonly KeptFile[] =>
  ['relay-lists.json', 'relay-audit.jsonl'].map((name) => ({
    path: join(dir, name),
    member: `${folder}/${name}`,
    role: 'document',
  }))
