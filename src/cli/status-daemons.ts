// Which daemons are set up on this machine, and the report of each.
import { createInvoicingClient } from '../client/index.js'
import {
  type DaemonName,
  type Environment,
  loadRelayConfig,
  problemsAbout,
  readNameauthValues,
  readPayValues,
  type SettingProblem,
  settingGroups,
} from '../config/index.js'
import { messageOf } from '../lib/errors.js'
import { localHostPort } from '../lib/host-port.js'
import { presentable } from '../lib/secret-lines.js'
import { openNameReader } from '../storage/index.js'
import { relayDataDir } from '../system/index.js'
import { isTillNamed, localAddressOf, openSession, type SessionFlags, type Target } from './api-session.js'
import { notConfigured } from './errors.js'
import { readNameSettings } from './name-settings.js'
import { isNameauth, nameauthEnvironment } from './nameauth-settings.js'
import { isRelayConfigured, relaySources } from './relay-settings.js'
import { settingsIfAny } from './settings.js'
import { askReadiness, askTraffic, type DaemonStatus, figuresOf, type NameFigures, unasked } from './status-report.js'

/**
 * Of the till that the flags name, else of every daemon that is set up here; one whose settings are wrong says so in its own part.
 * Throws NOT_CONFIGURED when there is none, and what reading the file of `--settings` throws.
 */
export async function collect(flags: SessionFlags, daemon: DaemonName | undefined): Promise<readonly DaemonStatus[]> {
  if ((daemon === undefined || daemon === 'pay') && isTillNamed(flags)) return [await reportNamed(flags)]
  const file = flags.settings
  const reports = DAEMONS.filter((each) => daemon === undefined || daemon === each)
    // The settings of a relay are TOML: a file of variables is none of it.
    .filter((each) => each !== 'relay' || file === undefined || daemon === 'relay')
    .flatMap((each) => reportOf(each, file))
  if (reports.length === 0) throw notConfigured(file ?? 'the usual places')
  return Promise.all(reports.map((report) => report()))
}

type Report = () => Promise<DaemonStatus>

const DAEMONS = ['pay', 'nameauth', 'relay'] as const

/** None when the daemon is not set up. `file`: its settings; without one the usual places are looked at. */
function reportOf(daemon: DaemonName, file: string | undefined): readonly Report[] {
  const broken = (thrown: unknown) => unasked(daemon, messageOf(thrown))
  try {
    const report = FINDERS[daemon](file)
    return report === undefined ? [] : [() => report().catch(broken)]
  } catch (thrown) {
    if (file !== undefined) throw thrown
    return [async () => broken(thrown)]
  }
}

/** Throw ENV_FILE_UNREADABLE, CONFIG_FILE_UNREADABLE. */
const FINDERS: Readonly<Record<DaemonName, (file: string | undefined) => Report | undefined>> = {
  pay: (file) => {
    const environment = settingsIfAny(file)
    return environment && (() => reportTill(environment))
  },
  nameauth: (file) => {
    const environment = nameauthEnvironment(file)
    return isNameauth(environment) ? () => reportNames(environment, file) : undefined
  },
  relay: (config) => (isRelayConfigured({ config }) ? () => reportRelay({ config }) : undefined),
}

/** What is wrong, in one line; secrets that this user may not read do not count. Null when nothing is. */
function wrongIn(daemon: 'pay' | 'nameauth', problems: readonly SettingProblem[]): string | null {
  const secrets = settingGroups(daemon).flatMap(({ settings }) =>
    settings.filter(({ secret }) => secret).flatMap(({ name }) => [name, `${name}_FILE`]),
  )
  const counting = problems.filter(({ setting }) => setting === null || !secrets.includes(setting))
  return counting.length === 0 ? null : counting.map(({ text }) => text).join('; ')
}

async function reportTill(environment: Environment): Promise<DaemonStatus> {
  const { values, problems } = readPayValues(environment)
  const settings = wrongIn('pay', problems)
  if (settings !== null && problemsAbout(problems, ['PAY_BIND']).length > 0) return unasked('pay', settings)
  const [adminToken, apiToken] = [presentable(values.adminTokens), presentable(values.apiTokens)]
  return { ...(await tillStatus({ baseUrl: localAddressOf(environment), adminToken, apiToken })), settings }
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
  const { values, problems } = readNameauthValues(environment)
  const settings = wrongIn('nameauth', problems)
  if (settings !== null && problemsAbout(problems, ['NAMEAUTH_NAMES_BIND']).length > 0)
    return unasked('nameauth', settings)
  const { host, port } = values.bind ?? { host: '127.0.0.1', port: 8191 }
  const address = `http://${localHostPort(host, port)}`
  const found = await askReadiness({ daemon: 'nameauth', address, who: 'the name authority' })
  return { ...found, settings, names: await countedNames(file) }
}

/** Null where this user may not read the database, or where there is none yet. */
async function countedNames(file: string | undefined): Promise<NameFigures | null> {
  try {
    const store = await openNameReader(readNameSettings({ settings: file }))
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
