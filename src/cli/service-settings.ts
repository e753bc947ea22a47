// What a service follows from: a few settings of its daemon, as its file says them. Variables of this shell do not count.
import { dirname, resolve } from 'node:path'
import {
  configurationError,
  type DaemonName,
  derivedValues,
  loadRelayConfig,
  nameauthConfigurationError,
  openEnvironment,
  problemsAbout,
  readNameauthValues,
  readPayValues,
  relayEnvironment,
  settingGroups,
} from '../config/index.js'
import { relayDataDir } from '../system/index.js'
import { settingsNotInFile } from './errors.js'
import { nameauthEnvironment } from './nameauth-settings.js'
import { relaySources } from './relay-settings.js'
import { settingsFor } from './settings.js'

export interface ServiceSettings {
  readonly daemon: DaemonName
  /** The env file; of the relay its TOML file. Absolute. */
  readonly settingsFile: string
  /** Further variables. */
  readonly environmentFiles: readonly string[]
  /** What the daemon writes to; the first holds its database. */
  readonly folders: readonly string[]
  readonly bind: { readonly host: string; readonly port: number }
  /** Where figures for Prometheus are served. */
  readonly metricsBind: { readonly host: string; readonly port: number } | undefined
  readonly usesTor: boolean
  /** The file that holds this secret setting, by its variable. */
  readonly secretFile: (variable: string) => string | undefined
}

export interface ServiceSources {
  readonly daemon: DaemonName
  readonly settings?: string | undefined
  readonly config?: string | undefined
}

/** Throws SETTINGS_NOT_IN_FILE, NOT_CONFIGURED, CONFIGURATION, ENV_FILE_UNREADABLE, CONFIG_FILE_UNREADABLE. */
export function readServiceSettings({ daemon, ...from }: ServiceSources): ServiceSettings {
  if (daemon === 'pay') return paySettings(from.settings)
  return daemon === 'nameauth' ? nameauthSettings(from.settings) : relaySettings(from.config)
}

export interface ContainedSources {
  readonly daemon: readonly DaemonName[]
  readonly settings?: string | undefined
  readonly 'nameauth-settings'?: string | undefined
  readonly config?: string | undefined
}

/** Of each daemon named once or more often; `inline`: secret settings whose text stands in the file itself. */
export const readContainedSettings = ({ daemon, config, ...from }: ContainedSources) =>
  [...new Set(daemon)].map((each) => {
    const envFile = each === 'nameauth' ? from['nameauth-settings'] : from.settings
    const settings = readServiceSettings({ daemon: each, settings: envFile, config })
    return { ...settings, inline: inlineSecrets(settings) }
  })

const inlineSecrets = ({ daemon, settingsFile }: ServiceSettings): readonly string[] => {
  if (daemon === 'relay') return []
  const environment = openEnvironment({
    envFile: settingsFile,
    variables: {},
    form: daemon === 'pay' ? 'dotenv' : 'plain',
  })
  const secrets = settingGroups(daemon).flatMap(({ settings }) => settings.filter(({ secret }) => secret))
  return secrets.map(({ name }) => name).filter((name) => (environment.find(name)?.text.trim() ?? '') !== '')
}

/** What the files of a service follow from; other settings may be wrong. */
const PAY_SERVICE = ['PAY_BIND', 'PAY_DATA_DIR', 'PAY_DB_PATH', 'PAY_GRIN1_RAIL', 'PAY_TOR_CONTROL', 'PAY_METRICS_BIND']
const NAMEAUTH_SERVICE = ['NAMEAUTH_DOMAIN', 'NAMEAUTH_NAMES_BIND', 'NAMEAUTH_NAMES_DB', 'NAMEAUTH_DATA_DIR']

function paySettings(named: string | undefined): ServiceSettings {
  const { envFile } = settingsFor(named)
  if (envFile === undefined) throw settingsNotInFile('the till')
  const environment = openEnvironment({ envFile, variables: {} })
  const { values, problems } = readPayValues(environment)
  const { bind, dataDir, dbPath, grin1Rail, torControl, metricsBind } = values
  const wrong = problemsAbout(problems, PAY_SERVICE)
  if (wrong.length > 0 || bind === undefined || dataDir === undefined || dbPath === undefined)
    throw configurationError(wrong)
  return {
    daemon: 'pay',
    settingsFile: resolve(envFile),
    environmentFiles: [],
    folders: [dirname(dbPath), dataDir],
    ...{ bind, metricsBind },
    usesTor: grin1Rail === true && torControl !== undefined && 'path' in torControl,
    secretFile: (variable) => environment.find(`${variable}_FILE`)?.text,
  }
}

function nameauthSettings(named: string | undefined): ServiceSettings {
  const { envFile } = nameauthEnvironment(named)
  if (envFile === undefined) throw settingsNotInFile('the name authority')
  const environment = openEnvironment({ envFile, form: 'plain', variables: {} })
  const { values, problems } = readNameauthValues(environment)
  const { domain, bind } = values
  const wrong = problemsAbout(problems, NAMEAUTH_SERVICE)
  if (wrong.length > 0 || domain === undefined || bind === undefined) throw nameauthConfigurationError(wrong)
  return {
    daemon: 'nameauth',
    settingsFile: resolve(envFile),
    environmentFiles: [],
    folders: [dirname(derivedValues(values, domain).dbPath)],
    ...{ bind, metricsBind: undefined },
    usesTor: false,
    secretFile: (variable) => environment.find(`${variable}_FILE`)?.text,
  }
}

function relaySettings(named: string | undefined): ServiceSettings {
  const { file, environment: found } = relaySources({ config: named })
  if (file === undefined) throw settingsNotInFile('the relay')
  const { envFile } = found
  const own = openEnvironment({ envFile, form: 'plain', variables: {} })
  const { bind, dataDir, names, metricsBind } = loadRelayConfig({ file, environment: own }, { dataDir: relayDataDir() })
  const layered = relayEnvironment({ file, environment: own })
  return {
    daemon: 'relay',
    settingsFile: resolve(file.path),
    environmentFiles: envFile === undefined ? [] : [resolve(envFile)],
    folders: [dataDir, ...(names ? [dirname(names.dbPath)] : [])],
    ...{ bind, metricsBind },
    usesTor: false,
    secretFile: (variable) => layered.find(`${variable}_FILE`)?.text,
  }
}
