// The doctor of a name authority: its settings, then its checks in the order of the findings.
import { dirname } from 'node:path'
import {
  type Environment,
  loadNameauthConfig,
  type NameauthConfig,
  readNameauthValues,
  type SettingProblem,
} from '../../config/index.js'
import type { Clock } from '../../lib/ports.js'
import { systemClock } from '../../system/index.js'
import { type CheckFinding, runChecks } from '../check.js'
import { createClockCheck, originsOf } from '../clock-check.js'
import { createClusterCheck } from '../cluster-check.js'
import { roomOf } from '../database-check.js'
import { type Finding, pass } from '../finding.js'
import { createNodeCheck } from '../node-check.js'
import { createServiceCheck, SERVICE_PLACES } from '../service-check.js'
import { dataFolderMode, fileModes, modeFindings, problemsOf, remarksOf } from '../settings-check.js'
import { nameauthAddressCheck } from './address-check.js'
import { type NameCheck, type NameContext, nameauthDaemonCheck, nameauthDatabaseCheck, payCheck } from './checks.js'

const SETTINGS = 'settings'

/** Servers of others; the relays, often on this machine, only when there are none. */
function clockHosts({ relays, transfers, pay }: NameauthConfig): readonly string[] {
  const others = [...(transfers?.nodeUrls ?? []), ...(pay ? [pay.url] : [])]
  return originsOf(others.length > 0 ? others : relays)
}

const NODE_REMEDY =
  'check NAMEAUTH_GRIN_NODE_URL (each address ends with /v2/foreign), or name another node; until then buyers have to wait'

const CHECKS: readonly NameCheck[] = [
  nameauthDatabaseCheck,
  createClusterCheck('nameauth', ({ database }: NameauthConfig) => database),
  nameauthDaemonCheck,
  nameauthAddressCheck,
  payCheck,
  createNodeCheck({
    limitMs: 20_000,
    applies: ({ transfers }: NameauthConfig) => transfers !== undefined,
    nodesOf: ({ transfers }) => ({ urls: transfers?.nodeUrls ?? [], isComplete: true }),
    remedy: NODE_REMEDY,
  }),
  createClockCheck({ hostsOf: clockHosts, harm: 'signed requests are refused' }),
  createServiceCheck('nameauth', ({ environment }: NameContext) => ({ environment })),
]

export const NAMEAUTH_CHECK_NAMES: readonly string[] = [SETTINGS, ...CHECKS.map(({ name }) => name)]

export interface NameRequest extends Partial<Pick<NameContext, 'roomOf' | 'services'>> {
  readonly environment: Environment
  readonly clock?: Clock
  /** Names of NAMEAUTH_CHECK_NAMES; undefined = all. */
  readonly only?: readonly string[] | undefined
  readonly tell?: ((finding: CheckFinding) => void) | undefined
  /** What is wrong with files that the start reads because settings name them; by default nothing. */
  readonly fileProblems?: () => readonly SettingProblem[]
}

/** Never throws: what goes wrong is a finding. Broken settings are always reported, because no check runs with them. */
export async function examineNameauth(request: NameRequest): Promise<readonly CheckFinding[]> {
  const { environment, clock = systemClock, only, tell, roomOf: room = roomOf, services = SERVICE_PLACES } = request
  const { findings, config } = readSettings(environment)
  const context = config && { environment, config, clock, services, roomOf: room }
  const files = problemsOf(request.fileProblems?.() ?? [], 'nameauth')
  const settings = { name: SETTINGS, findings: [...findings, ...files] }
  return runChecks({ settings, checks: CHECKS, context, only, tell, unit: 'grinpay-nameauth' })
}

/** One line per problem and per notice; a config when there is no problem. */
function readSettings(environment: Environment): {
  readonly findings: readonly Finding[]
  readonly config: NameauthConfig | undefined
} {
  const { problems } = readNameauthValues(environment)
  if (problems.length > 0) return { findings: problemsOf(problems, 'nameauth'), config: undefined }
  const config = loadNameauthConfig(environment)
  const remarks = remarksOf(config.notices)
  const modes = modeFindings([...fileModes(environment), dataFolderMode(dirname(config.dbPath))])
  return { findings: [pass(`usable, from ${environment.envFile ?? 'the environment'}`), ...remarks, ...modes], config }
}
