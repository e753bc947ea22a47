// The doctor of a name authority: its settings, then its checks in the order of the findings.
import { dirname } from 'node:path'
import { type Environment, loadNameauthConfig, type NameauthConfig } from '../../config/index.js'
import { type CheckFinding, checkNamesOf, type DoctorRequest, runChecks, usualWays } from '../check.js'
import { createClockCheck, originsOf } from '../clock-check.js'
import { createClusterCheck } from '../cluster-check.js'
import { createNodeCheck } from '../node-check.js'
import { createServiceCheck } from '../service-check.js'
import { dataFolderMode, fileModes, readSettings, remarksOf } from '../settings-check.js'
import { nameauthAddressCheck } from './address-check.js'
import { type NameCheck, type NameContext, nameauthDaemonCheck, nameauthDatabaseCheck, payCheck } from './checks.js'

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

export const NAMEAUTH_CHECK_NAMES = checkNamesOf(CHECKS)

export interface NameRequest extends DoctorRequest {
  readonly environment: Environment
}

export async function examineNameauth(request: NameRequest): Promise<readonly CheckFinding[]> {
  const parts = { ...usualWays(), ...request }
  const { environment } = parts
  const { findings, config } = readSettings('nameauth', () => {
    const config = loadNameauthConfig(environment)
    return {
      config,
      where: environment.envFile ?? 'the environment',
      remarks: remarksOf(config.notices),
      modes: [...fileModes(environment), dataFolderMode(dirname(config.dbPath))],
    }
  })
  return runChecks({ daemon: 'nameauth', findings, checks: CHECKS, context: config && { ...parts, config } }, request)
}
