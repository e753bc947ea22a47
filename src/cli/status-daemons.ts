// Which daemons are set up on this machine, and the report of each.
import { createInvoicingClient } from '../client/index.js'
import {
  type DaemonName,
  type Environment,
  loadRelayConfig,
  readNameauthValues,
  readPayValues,
} from '../config/index.js'
import { messageOf } from '../lib/errors.js'
import { localHostPort } from '../lib/host-port.js'
import { presentable } from '../lib/secret-lines.js'
import { openNameReader } from '../storage/index.js'
import { relayDataDir } from '../system/index.js'
import { localAddressOf, openSession, type SessionFlags, type Target } from './api-session.js'
import { notConfigured } from './errors.js'
import { readNameSettings } from './name-settings.js'
import { isNameauth, nameauthEnvironment } from './nameauth-settings.js'
import { isRelayConfigured, relaySources } from './relay-settings.js'
import { settingsIfAny } from './settings.js'
import { askReadiness, askTraffic, type DaemonStatus, figuresOf, type NameFigures } from './status-report.js'

/**
 * Of the till that the flags name, else of every daemon that is set up here. Throws NOT_CONFIGURED when there is none, and what
 * reading settings throws.
 */
export async function collect(flags: SessionFlags, daemon: DaemonName | undefined): Promise<readonly DaemonStatus[]> {
  const { url, till } = flags
  if (url !== undefined || till !== undefined) return [await reportNamed(flags)]
  const reports = configuredReports(daemon, flags['env-file'])
  if (reports.length === 0) throw notConfigured(flags['env-file'] ?? 'the usual places')
  return Promise.all(reports.map((report) => report()))
}

type Report = () => Promise<DaemonStatus>

/** `daemon`: that one alone. `file`: its settings; without one the usual places are looked at. Throws ENV_FILE_UNREADABLE and the like. */
function configuredReports(daemon: DaemonName | undefined, file: string | undefined): readonly Report[] {
  const wants = (name: DaemonName) => daemon === undefined || daemon === name
  const till = wants('pay') ? settingsIfAny(file) : undefined
  const names = wants('nameauth') ? nameauthEnvironment(file) : undefined
  // Its settings are TOML: a file of variables is none of it.
  const relayFlags = { config: daemon === 'relay' ? file : undefined }
  const relay = wants('relay') && (file === undefined || daemon === 'relay') && isRelayConfigured(relayFlags)
  return [
    ...(till ? [() => reportTill(till)] : []),
    ...(names && isNameauth(names) ? [() => reportNames(names, file)] : []),
    ...(relay ? [() => reportRelay(relayFlags)] : []),
  ]
}

async function reportTill(environment: Environment): Promise<DaemonStatus> {
  const { adminTokens, apiTokens } = readPayValues(environment).values
  const [adminToken, apiToken] = [presentable(adminTokens), presentable(apiTokens)]
  return tillStatus({ baseUrl: localAddressOf(environment), adminToken, apiToken })
}

/** Of a till that flags or the environment name. Throws what `openSession` throws. */
async function reportNamed(flags: SessionFlags): Promise<DaemonStatus> {
  const { target } = await openSession(flags)
  return tillStatus(target)
}

async function tillStatus(target: Target): Promise<DaemonStatus> {
  const { baseUrl: address, adminToken } = target
  const found = await askReadiness({ daemon: 'pay', address, adminToken, who: 'the till' })
  if (!found.running || !adminToken) return found
  try {
    const till = await createInvoicingClient(target).status()
    return { ...found, alarms: till.alarms, till }
  } catch (thrown) {
    return { ...found, why: messageOf(thrown) }
  }
}

async function reportNames(environment: Environment, file: string | undefined): Promise<DaemonStatus> {
  const { host, port } = readNameauthValues(environment).values.bind ?? { host: '127.0.0.1', port: 8191 }
  const address = `http://${localHostPort(host, port)}`
  const found = await askReadiness({ daemon: 'nameauth', address, who: 'the name authority' })
  return { ...found, names: await countedNames(file) }
}

/** Null where this user may not read the database, or where there is none yet. */
async function countedNames(file: string | undefined): Promise<NameFigures | null> {
  try {
    const store = await openNameReader(readNameSettings({ 'env-file': file }))
    return await store
      .totals()
      .then(figuresOf)
      .finally(() => store.close())
  } catch {
    return null // the report says so
  }
}

async function reportRelay(flags: { readonly config: string | undefined }): Promise<DaemonStatus> {
  const { bind, metricsBind } = loadRelayConfig(relaySources(flags), { dataDir: relayDataDir() })
  const address = `http://${localHostPort(bind.host, bind.port)}`
  const metrics = metricsBind && `http://${localHostPort(metricsBind.host, metricsBind.port)}/metrics`
  const [found, relay] = await Promise.all([
    askReadiness({ daemon: 'relay', address, who: 'the relay' }),
    metrics === undefined ? null : askTraffic(metrics),
  ])
  return { ...found, relay }
}
