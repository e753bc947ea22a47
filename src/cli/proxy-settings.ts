// What a proxy in front of the name authority or the relay follows from: a few of their settings. Of the authority's the rest may be wrong.
import {
  configurationError,
  derivedValues,
  nameauthConfigurationError,
  readNameauthValues,
  readPayValues,
} from '../config/index.js'
import { isNameauth, missingNameauth, nameauthEnvironment } from './nameauth-settings.js'
import { loadRelayDaemonSettings } from './relay-settings.js'
import { settingsFor } from './settings.js'

/** What counts here. */
const OURS = /^NAMEAUTH_(?:DOMAIN|BASE_URL|NAMES_BIND|BIND|TRUSTED_PROXIES|AUTHORITY_COLOCATED)\b/

/** Throws NAMEAUTH_NOT_CONFIGURED, ENV_FILE_UNREADABLE, CONFIGURATION. */
export function readProxySettings(envFile: string | undefined) {
  const environment = nameauthEnvironment(envFile)
  if (!isNameauth(environment)) throw missingNameauth(environment)
  const { values, problems } = readNameauthValues(environment)
  const wrong = problems.filter((problem) => OURS.test(problem))
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
  const wrong = problems.filter((problem) => /^PAY_(?:BIND|PUBLIC_URL|TRUSTED_PROXIES)\b/.test(problem))
  if (wrong.length > 0 || bind === undefined || trustedProxies === undefined) throw configurationError(wrong)
  return { bind, publicUrl, trustedProxies, hasTls: Boolean(tls) }
}

/** Of the relay. Throws CONFIGURATION, CONFIG_FILE_UNREADABLE, ENV_FILE_UNREADABLE. */
export function readRelayProxySettings(file: string | undefined) {
  const { bind, trustedProxies, addressHeader, relay } = loadRelayDaemonSettings({ config: file }).config
  return { bind, trustedProxies, addressHeader, relayUrls: relay.info.relayUrls }
}
