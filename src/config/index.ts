export type { DaemonName } from '../lib/daemon-names.js'
export {
  DAEMONS,
  type ServiceFacts,
  type SettingsSources,
} from './daemons.js'
export type { DatabaseSettings } from './database-settings.js'
export {
  effectiveSettings,
  type FoundSecret,
  findSetting,
  foundSecrets,
  refusalForSetting,
  remarkForSetting,
  secretNames,
  settingGroups,
  settingsSummary,
  statedSettings,
} from './describe.js'
export { type Environment, openEnvironment } from './env.js'
export { type EnvRemark, parseEnvText } from './env-lines.js'
export {
  configFileUnreadable,
  configurationError,
  configurationProblems,
  nameauthConfigurationError,
  relayConfigurationError,
} from './errors.js'
export {
  DATABASE_PLACES,
  derivedValues,
  loadNameauthConfig,
  NAME_RULES,
  type NameauthConfig,
  type NamesConfig,
  nameDatabaseOf,
  readNameauthValues,
  readNameFacts,
} from './nameauth.js'
export { NAMEAUTH_TABLE } from './nameauth-rules.js'
export { NAMEAUTH_FILE_VARIABLES, NO_TOKEN_YET } from './nameauth-settings.js'
export {
  loadPayConfig,
  type PayConfig,
  payDatabaseOf,
  type RotatingSecrets,
  readPayValues,
} from './pay.js'
export { PAY_TABLE } from './pay-rules.js'
export type { PayValues } from './pay-settings.js'
export { problemsAbout, type SettingNotice, type SettingProblem } from './problem.js'
export { requireSome } from './reader.js'
export {
  layeredEnvironment,
  loadRelayConfig,
  type RelayConfig,
  type RelayFacts,
  type RelaySources,
  readRelayFacts,
  readRelayValues,
  relayLogOf,
} from './relay.js'
export { loadPolicyProgramConfig, POLICY_VARIABLES, type PolicyProgramConfig } from './relay-policy.js'
export { RELAY_TABLE } from './relay-rules.js'
export { aliasesOf } from './resolve.js'
export type { EffectiveSetting } from './setting.js'
export type { Bind } from './values.js'
