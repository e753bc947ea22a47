// Which daemons `grinpay status` asks, and the report of each.
import { createInvoicingClient } from '../client/index.js'
import {
  DAEMONS,
  type DaemonName,
  loadRelayConfig,
  problemsAbout,
  readNameauthValues,
  readPayValues,
  type SettingProblem,
  type SettingsSources,
  settingGroups,
} from '../config/index.js'
import { DAEMON_NAMES } from '../lib/daemon-names.js'
import { GrinpayError, messageOf } from '../lib/errors.js'
import { localHostPort } from '../lib/url.js'
import { openNameReader } from '../storage/index.js'
import { relayDataDir } from '../system/index.js'
import {
  isTillChosen,
  isTillNamed,
  localTarget,
  openApiSession,
  type SessionFlags,
  type TillTarget,
} from './api-session.js'
import { notConfigured, usage } from './errors.js'
import { readNameSettings } from './partial-settings.js'
import { findSettings, isRelayConfigured } from './settings.js'
import { askReadiness, askTraffic, type DaemonStatus, figuresOf, type NameFigures, unasked } from './status-report.js'

/**
 * Of the till that the flags name, else of every daemon that is set up here, else of the till that `till use` chose: `onChosen` gets its
 * name and address. With `--daemon pay` the chosen till counts before the one of this machine. Settings that are wrong stand in the part
 * of their daemon. Throws USAGE, NOT_CONFIGURED when there is no daemon to ask, and what `openApiSession` and reading `--settings` throw.
 */
export async function collect(
  flags: SessionFlags,
  daemon: DaemonName | undefined,
  onChosen: (name: string, address: string) => void = () => {},
): Promise<readonly DaemonStatus[]> {
  const isTill = daemon === 'pay'
  if (daemon !== undefined && !isTill) refuseTillFlags(flags, daemon)
  else if (isTillNamed(flags) || (isTill && (await isTillChosen(flags)))) return [await reportNamed(flags, onChosen)]
  const reports = DAEMON_NAMES.filter((each) => daemon === undefined || daemon === each)
    // A file of variables that was named is not the TOML file of a relay.
    .filter((each) => daemon === each || flags.settings === undefined || DAEMONS[each].fileForm === 'env')
    .flatMap((each) => reportOf(each, flags))
  if (reports.length > 0) return Promise.all(reports.map((report) => report()))
  if (daemon === undefined && (await isTillChosen(flags))) return [await reportNamed(flags, onChosen)]
  throw notConfigured(flags.settings ?? 'the usual places')
}

const ABOUT_TILLS = ['url', 'till', 'token-file'] as const

/** Throws USAGE. */
function refuseTillFlags(flags: SessionFlags, daemon: DaemonName): void {
  const flag = ABOUT_TILLS.find((name) => flags[name] !== undefined)
  if (flag !== undefined) throw usage(`--${flag} is about a till: leave out either --${flag} or --daemon ${daemon}`)
}

type Report = () => Promise<DaemonStatus>

/** None when the daemon is not set up. Its settings are in `--settings`, else in the usual places. */
function reportOf(daemon: DaemonName, flags: SessionFlags): readonly Report[] {
  const broken = (thrown: unknown): DaemonStatus => {
    if (isAboutToken(thrown)) throw thrown
    return unasked(daemon, messageOf(thrown))
  }
  try {
    const report = findReport(daemon, flags)
    return report === undefined ? [] : [() => report().catch(broken)]
  } catch (thrown) {
    if (flags.settings !== undefined) throw thrown
    return [async () => broken(thrown)]
  }
}

/** The token file was named for this command: it is no part of the settings. */
const isAboutToken = (thrown: unknown): boolean =>
  thrown instanceof GrinpayError && thrown.code === 'TOKEN_FILE_UNREADABLE'

type Reporter = (sources: SettingsSources, flags: SessionFlags) => Promise<DaemonStatus>
const REPORTERS: Readonly<Record<DaemonName, Reporter>> = { pay: reportTill, nameauth: reportNames, relay: reportRelay }

/** None when it is not set up. Throws ENV_FILE_UNREADABLE, CONFIG_FILE_UNREADABLE. */
function findReport(daemon: DaemonName, flags: SessionFlags): Report | undefined {
  if (daemon === 'relay' && !isRelayConfigured(flags)) return undefined
  const sources = findSettings(daemon, flags)
  return DAEMONS[daemon].isSetUp(sources) ? () => REPORTERS[daemon](sources, flags) : undefined
}

/** What is wrong, in one line; secrets that this user may not read do not count. Null when nothing is. */
function wrongIn(daemon: 'pay' | 'nameauth', problems: readonly SettingProblem[]): string | null {
  const secrets = settingGroups(daemon).flatMap(({ settings }) =>
    settings.filter(({ secret }) => secret).flatMap(({ name }) => [name, `${name}_FILE`]),
  )
  const counting = problems.filter(({ setting }) => setting === null || !secrets.includes(setting))
  return counting.length === 0 ? null : counting.map(({ text }) => text).join('; ')
}

async function reportTill({ environment }: SettingsSources, flags: SessionFlags): Promise<DaemonStatus> {
  const { values, problems } = readPayValues(environment)
  const settings = wrongIn('pay', problems)
  if (settings !== null && problemsAbout(problems, ['PAY_BIND']).length > 0) return unasked('pay', settings)
  return { ...(await tillStatus(localTarget(values, flags))), settings }
}

/** Of a till that flags, the environment or `till use` name. Throws what `openApiSession` throws. */
async function reportNamed(
  flags: SessionFlags,
  onChosen: (name: string, address: string) => void,
): Promise<DaemonStatus> {
  const { target, chosen } = await openApiSession(flags)
  if (chosen !== undefined) onChosen(chosen, target.baseUrl)
  return tillStatus(target)
}

async function tillStatus(target: TillTarget): Promise<DaemonStatus> {
  const { baseUrl: address, adminToken } = target
  const found = await askReadiness({ daemon: 'pay', address, adminToken })
  if (!found.running || !adminToken) return found
  try {
    const till = await createInvoicingClient(target).status()
    return { ...found, alarms: till.alarms, till }
  } catch (thrown) {
    return { ...found, why: messageOf(thrown) }
  }
}

async function reportNames({ environment }: SettingsSources, { settings: file }: SessionFlags): Promise<DaemonStatus> {
  const { values, problems } = readNameauthValues(environment)
  const settings = wrongIn('nameauth', problems)
  if (settings !== null && problemsAbout(problems, ['NAMEAUTH_NAMES_BIND']).length > 0)
    return unasked('nameauth', settings)
  const { host, port } = values.bind ?? { host: '127.0.0.1', port: 8191 }
  const address = `http://${localHostPort(host, port)}`
  const found = await askReadiness({ daemon: 'nameauth', address })
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

async function reportRelay(sources: SettingsSources): Promise<DaemonStatus> {
  const { bind, metricsBind } = loadRelayConfig(sources, { dataDir: relayDataDir() })
  const address = `http://${localHostPort(bind.host, bind.port)}`
  const metrics = metricsBind && `http://${localHostPort(metricsBind.host, metricsBind.port)}/metrics`
  const [found, relay] = await Promise.all([
    askReadiness({ daemon: 'relay', address }),
    metrics === undefined ? null : askTraffic(metrics),
  ])
  return { ...found, relay }
}
