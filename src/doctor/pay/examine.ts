// The doctor of a till: what its checks are given.
import {
  configurationError,
  type Environment,
  loadPayConfig,
  type PayConfig,
  readPayValues,
} from '../../config/index.js'
import {
  type CheckFinding,
  checkNamesOf,
  type DoctorCheck,
  type DoctorRequest,
  runChecks,
  type TillDoctorContext,
  type TillDoctorParts,
  usualWays,
} from '../check.js'
import { createClockCheck, originsOf } from '../clock-check.js'
import { createClusterCheck } from '../cluster-check.js'
import { createDatabaseCheck, MORE_ROOM } from '../database-check.js'
import { pass } from '../finding.js'
import { createServiceCheck } from '../service-check.js'
import { dataFolderMode, fileModes, readSettings, remarksOf } from '../settings-check.js'
import { tillAddressCheck } from './address-check.js'
import { consoleCheck } from './console-check.js'
import { tillCheck, webhookCheck } from './daemon-check.js'
import { createIdentityLookup, identityCheck, walletCheck } from './identity.js'
import { tillNodeCheck } from './node-check.js'
import { relayCheck } from './relay-check.js'
import { secretsCheck } from './secrets-check.js'
import { foreignCheck, torCheck } from './tor-check.js'

// Every check of a till, in the order of the findings.

const CHECKS: readonly DoctorCheck[] = [
  createDatabaseCheck({
    limitMs: 10_000,
    start: 'systemctl start grinpay-pay',
    room: MORE_ROOM,
    isElsewhere: ({ config }) => config.database !== undefined,
    // Whether it can be written, a running till says itself.
    inspect: async ({ config: { database, dbPath } }: TillDoctorContext) => [
      pass(database ? `PostgreSQL, schema ${database.schema}; grinpay store check --daemon pay` : dbPath),
    ],
  }),
  createClusterCheck('pay', ({ database }: PayConfig) => database),
  tillCheck,
  secretsCheck,
  tillAddressCheck,
  webhookCheck,
  tillNodeCheck,
  walletCheck,
  identityCheck,
  relayCheck,
  createClockCheck({ hostsOf: ({ relays, nodeUrls }: PayConfig) => originsOf([...relays, ...nodeUrls]) }),
  torCheck,
  foreignCheck,
  consoleCheck,
  createServiceCheck('pay', ({ environment }: TillDoctorContext) => ({ environment })),
]

export const CHECK_NAMES = checkNamesOf(CHECKS)

export interface Request extends Pick<TillDoctorParts, 'environment' | 'tillUrl' | 'address'>, DoctorRequest {
  /** All checks by default. */
  readonly checks?: readonly DoctorCheck[]
}

export async function examine({ checks = CHECKS, ...request }: Request): Promise<readonly CheckFinding[]> {
  const parts = { ...usualWays(), ...request }
  const { findings, config } = readSettings('pay', () => loadUsable(parts.environment))
  const context = config && { ...parts, config, identity: createIdentityLookup(config, parts.random) }
  return runChecks({ daemon: 'pay', findings, checks, context }, request)
}

function loadUsable(environment: Environment) {
  const { problems, notices } = readPayValues(environment)
  if (problems.length > 0) throw configurationError(problems)
  const config = loadPayConfig(environment)
  return {
    config,
    where: environment.envFile ?? 'the environment',
    remarks: remarksOf(notices),
    modes: [...fileModes(environment), dataFolderMode(config.dataDir)],
  }
}
