// What a proxy in front of the name authority or the relay follows from: a few of their settings. Of the authority's the rest may be wrong.
import {
  configurationError,
  derivedValues,
  nameauthConfigurationError,
  problemsAbout,
  readNameauthValues,
  readPayValues,
} from '../config/index.js'
import { isNameauth, missingNameauth, nameauthEnvironment } from './nameauth-settings.js'
import { loadRelayDaemonSettings } from './relay-settings.js'
import { settingsFor } from './settings.js'

/** What counts here. */
const NAMEAUTH_PROXY = [
  'NAMEAUTH_DOMAIN',
  'NAMEAUTH_BASE_URL',
  'NAMEAUTH_NAMES_BIND',
  'NAMEAUTH_TRUSTED_PROXIES',
  'NAMEAUTH_AUTHORITY_COLOCATED',
]
const PAY_PROXY = ['PAY_BIND', 'PAY_PUBLIC_URL', 'PAY_TRUSTED_PROXIES']

/** Throws NAMEAUTH_NOT_CONFIGURED, ENV_FILE_UNREADABLE, CONFIGURATION. */
export function readProxySettings(envFile: string | undefined) {
  const environment = nameauthEnvironment(envFile)
  if (!isNameauth(environment)) throw missingNameauth(environment)
  const { values, problems } = readNameauthValues(environment)
  const wrong = problemsAbout(problems, NAMEAUTH_PROXY)
  const { domain, bind, trustedProxies, colocated } = values
  if (wrong.length > 0 || domain === undefined || bind === undefined || trustedProxies === undefined)
    throw nameauthConfigurationError(wrong)
  const { baseUrl } = derivedValues(values, domain)
  return { domain, baseUrl, bind, trustedProxies, colocated: colocated !== false }
}

/** Of the till. Throws NOT_CONFIGURED, CONFIGURATION, ENV_FILE_UNREADABLE. */
export function readTillProxySettings(envFile: string | undefined) {
  const { values, problems } = readPayValues(settingsFor(envFile))
  const { bind, publicUrl, trustedProxies, tls } = values
  const wrong = problemsAbout(problems, PAY_PROXY)
  if (wrong.length > 0 || bind === undefined || trustedProxies === undefined) throw configurationError(wrong)
  return { bind, publicUrl, trustedProxies, hasTls: Boolean(tls) }
}

/** Of the relay. Throws CONFIGURATION, CONFIG_FILE_UNREADABLE, ENV_FILE_UNREADABLE. */
export function readRelayProxySettings(file: string | undefined) {
  const { bind, trustedProxies, addressHeader, relay } = loadRelayDaemonSettings({ config: file }).config
  return { bind, trustedProxies, addressHeader, relayUrls: relay.info.relayUrls }
}
