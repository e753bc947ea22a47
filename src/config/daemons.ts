// Each daemon described once: its settings, how they are read, and what a service of it needs. Commands, setups, units, containers and
// backups work from this table. What a folder adds of its own (questions, checks) is keyed by the same names.
import { dirname, join } from 'node:path'
import type { DaemonName } from '../lib/daemon-names.js'
import type { DatabaseSettings } from './database-settings.js'
import type { Environment } from './env.js'
import { derivedNameTexts, derivedValues, loadNameauthConfig, nameDatabaseOf, readNameauthValues } from './nameauth.js'
import { NAMEAUTH_TABLE } from './nameauth-rules.js'
import { NAMEAUTH_FILE_VARIABLES, NAMEAUTH_SETTINGS } from './nameauth-settings.js'
import { effectiveRelays, loadPayConfig, missingAtStart, payDatabaseOf, readPayValues } from './pay.js'
import { PAY_TABLE } from './pay-rules.js'
import { PAY_SETTINGS } from './pay-settings.js'
import type { SettingNotice, SettingProblem } from './problem.js'
import { requireSome } from './reader.js'
import {
  closedToNotes,
  derivedRelayTexts,
  loadRelayConfig,
  type RelaySources,
  readRelayValues,
  relayLogOf,
} from './relay.js'
import { RELAY_TABLE } from './relay-rules.js'
import { RELAY_SETTINGS } from './relay-settings.js'
import { resolveSetting } from './resolve.js'
import type { EffectiveSetting, Setting } from './setting.js'
import type { Bind } from './values.js'

/** Where settings were found: variables, and of the relay a TOML file. */
export type SettingsSources = RelaySources

/** What unit, container and proxy follow from. */
export interface ServiceFacts {
  readonly bind: Bind
  /** What the daemon writes to; the first holds its database. */
  readonly folders: readonly string[]
  /** The onion service is kept over tor's control socket. */
  readonly usesTor: boolean
}

/** What a systemd unit says of one daemon alone. */
interface UnitFacts {
  readonly description: string
  /** Relative folders of the settings lie in it. */
  readonly ownFolder: string
  /** It has a folder below /run. */
  readonly runtime: boolean
  /** Most open files, where the usual limit is too low. */
  readonly files?: number
  /** What SIGHUP makes it read again; undefined: SIGHUP stops it. */
  readonly reload: string | undefined
}

export interface DaemonDescriptor {
  /** In sentences, behind "the". */
  readonly title: string
  /** What `grinpay setup` says of it. */
  readonly purpose: string
  readonly settings: readonly Setting<unknown>[]
  /** The form of its settings file. */
  readonly fileForm: 'env' | 'toml'
  /** Whether anything of this daemon is set there, also under the names of the originals. */
  readonly isSetUp: (sources: SettingsSources) => boolean
  /** The setting with the password of its wallet; undefined: it has no wallet. */
  readonly passwordSetting: string | undefined
  /** Flags of `serve` in a service beside `--settings`; `folder` holds the database. */
  readonly serveFlags: (folder: string) => readonly string[]
  readonly unit: UnitFacts
  /** Never throws. */
  readonly read: (sources: SettingsSources) => {
    readonly problems: readonly SettingProblem[]
    readonly notices: readonly SettingNotice[]
  }
  /** What only `config check` says: it is meant so by most operators. Never throws. */
  readonly remarks: (sources: SettingsSources) => readonly SettingNotice[]
  /** Throws CONFIGURATION. `usualDir`: of the relay's database. */
  readonly load: (sources: SettingsSources, usualDir: string) => { readonly notices: readonly SettingNotice[] }
  /** What only the start needs; `isHandedOver`: a unit of this machine hands over that setting. */
  readonly missingAtStart: (
    environment: Environment,
    isHandedOver: (setting: string) => boolean,
  ) => readonly SettingProblem[]
  /** What unset settings come to because of others, by their public names. `usualDir`: of the relay's database. */
  readonly derived: (environment: Environment, usualDir: string) => Readonly<Record<string, string>>
  /** What several settings come to together; for `config show`. */
  readonly combined: (environment: Environment) => readonly EffectiveSetting[]
  /** Other settings may be wrong, except in a TOML file, which is read as a whole. Throws CONFIGURATION. */
  readonly service: (sources: SettingsSources, usualDir: string) => ServiceFacts
  /** Its console; other settings may be wrong. Throws CONFIGURATION. */
  readonly console: (sources: SettingsSources, usualDir: string) => ConsoleFacts
  /** The setting that names its PostgreSQL, and where that is; undefined: nowhere, or its setting is wrong. Never throws. */
  readonly databaseSetting: Setting<unknown>
  readonly database: (sources: SettingsSources) => DatabaseSettings | undefined
}

/** Where its database is, and what its settings say of the console. */
interface ConsoleFacts {
  readonly dbPath: string
  /** The setting that switches it on. */
  readonly setting: string
  readonly console: boolean
  readonly consoleBind: Bind
  readonly consoleUrl: string | undefined
}

/** A daemon whose settings stand in an env file. */
const ENV_FILE = {
  fileForm: 'env',
  serveFlags: (): readonly string[] => [],
} as const

const CONSOLE = ['console', 'consoleBind', 'consoleUrl'] as const

const PAY_SERVICE = ['bind', 'dataDir', 'dbPath', 'databaseUrl', 'grin1Rail', 'torControl', 'metricsBind'] as const

export const DAEMONS: Readonly<Record<DaemonName, DaemonDescriptor>> = {
  pay: {
    ...ENV_FILE,
    title: 'till',
    purpose: 'a till that takes Grin for a shop',
    settings: Object.values<Setting<unknown>>(PAY_SETTINGS),
    isSetUp: ({ environment }) => environment.names().some((name) => /^(PAY|GP)_/.test(name)),
    passwordSetting: PAY_SETTINGS.walletPassword.name,
    unit: {
      description: 'grinpay till',
      ownFolder: '/var/lib/grinpay',
      runtime: true,
      reload: 'its tokens and its webhook secret, where they are files of its own',
    },
    read: ({ environment }) => readPayValues(environment),
    remarks: () => [],
    load: ({ environment }) => loadPayConfig(environment),
    missingAtStart,
    derived: () => ({}),
    combined: effectiveRelays,
    service({ environment }) {
      const values = requireSome(PAY_TABLE, readPayValues(environment), PAY_SERVICE)
      const { bind, dataDir, dbPath, grin1Rail, torControl } = values
      const usesTor = grin1Rail && torControl !== undefined && 'path' in torControl
      return { bind, folders: [dirname(dbPath), dataDir], usesTor }
    },
    console({ environment }) {
      const keys = [...CONSOLE, 'dbPath', 'databaseUrl'] as const
      return { ...requireSome(PAY_TABLE, readPayValues(environment), keys), setting: 'PAY_CONSOLE' }
    },
    databaseSetting: PAY_SETTINGS.databaseUrl,
    database: ({ environment }) => payDatabaseOf(readPayValues(environment).values),
  },
  nameauth: {
    ...ENV_FILE,
    title: 'name authority',
    purpose: 'names for Nostr keys (NIP-05)',
    settings: Object.values<Setting<unknown>>(NAMEAUTH_SETTINGS),
    isSetUp: ({ environment }) =>
      environment.names().some((name) => /^(NAMEAUTH|FLOONET)_/.test(name) && !NAMEAUTH_FILE_VARIABLES.includes(name)),
    passwordSetting: undefined,
    unit: {
      description: 'grinpay name authority',
      ownFolder: '/var/lib/grinpay-nameauth',
      runtime: false,
      reload: undefined,
    },
    read: ({ environment }) => readNameauthValues(environment),
    remarks: () => [],
    load: ({ environment }) => loadNameauthConfig(environment),
    missingAtStart: () => [],
    derived: derivedNameTexts,
    combined: () => [],
    service({ environment }) {
      const reading = readNameauthValues(environment)
      const { domain = '', bind } = requireSome(NAMEAUTH_TABLE, reading, ['domain', 'bind', 'dbPath', 'dataDir'])
      return { bind, folders: [dirname(derivedValues(reading.values, domain).dbPath)], usesTor: false }
    },
    console({ environment }) {
      const values = requireSome(NAMEAUTH_TABLE, readNameauthValues(environment), [...CONSOLE, 'dbPath', 'dataDir'])
      return { ...values, ...derivedValues(values, ''), setting: 'NAMEAUTH_CONSOLE' }
    },
    databaseSetting: NAMEAUTH_SETTINGS.databaseUrl,
    database: ({ environment }) => nameDatabaseOf(readNameauthValues(environment).values),
  },
  relay: {
    title: 'relay',
    purpose: 'a Nostr relay',
    settings: Object.values<Setting<unknown>>(RELAY_SETTINGS),
    fileForm: 'toml',
    isSetUp: ({ file, environment }) =>
      file !== undefined ||
      Object.values<Setting<unknown>>(RELAY_SETTINGS).some(
        (setting) => resolveSetting(environment, setting).outcome !== 'unset',
      ),
    passwordSetting: undefined,
    serveFlags: (folder) => ['--db', folder],
    unit: {
      description: 'grinpay Nostr relay',
      ownFolder: '/var/lib/grinpay-relay',
      runtime: false,
      files: 65_536,
      reload: 'the lists of the operator',
    },
    read: readRelayValues,
    remarks: closedToNotes,
    load: (sources, dataDir) => loadRelayConfig(sources, { dataDir }),
    missingAtStart: () => [],
    derived: derivedRelayTexts,
    combined: () => [],
    service(sources, usualDir) {
      const { bind, dataDir, names } = loadRelayConfig(sources, { dataDir: usualDir })
      return { bind, folders: [dataDir, ...(names ? [dirname(names.dbPath)] : [])], usesTor: false }
    },
    console(sources, usualDir) {
      const values = requireSome(RELAY_TABLE, readRelayValues(sources), [...CONSOLE, 'dataDir'])
      return { ...values, dbPath: join(values.dataDir ?? usualDir, 'relay.db'), setting: 'console.enabled' }
    },
    databaseSetting: RELAY_SETTINGS.logUrl,
    database: (sources) => relayLogOf(readRelayValues(sources).values),
  },
}
