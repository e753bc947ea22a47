// The doctor of a till: what its checks are given.
import type { PayConfig, SettingProblem } from '../../config/index.js'
import { createOpenWebSocket, systemClock, systemRandom } from '../../system/index.js'
import {
  type CheckFinding,
  type DoctorCheck,
  runChecks,
  type TillDoctorContext,
  type TillDoctorParts,
} from '../check.js'
import { createClockCheck, originsOf } from '../clock-check.js'
import { createClusterCheck } from '../cluster-check.js'
import { createDatabaseCheck, MORE_ROOM, roomOf } from '../database-check.js'
import { pass } from '../finding.js'
import { createServiceCheck, SERVICE_PLACES } from '../service-check.js'
import { problemsOf, readSettings } from '../settings-check.js'
import { tillAddressCheck } from './address-check.js'
import { consoleCheck } from './console-check.js'
import { tillCheck, webhookCheck } from './daemon-check.js'
import { createIdentityLookup, identityCheck, walletCheck } from './identity.js'
import { tillNodeCheck } from './node-check.js'
import { relayCheck } from './relay-check.js'
import { secretsCheck } from './secrets-check.js'
import { foreignCheck, torCheck } from './tor-check.js'

// Every check of a till, in the order of the findings.

/** Runs first: the others need its result; see settings-check.ts. */
const SETTINGS = 'settings'

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

export const CHECK_NAMES: readonly string[] = [SETTINGS, ...CHECKS.map(({ name }) => name)]

export interface Request
  extends Pick<TillDoctorParts, 'environment' | 'tillUrl' | 'address'>,
    Partial<Pick<TillDoctorParts, 'clock' | 'random' | 'openSocket' | 'roomOf' | 'services'>> {
  /** Names of CHECK_NAMES; undefined = all. */
  readonly only?: readonly string[] | undefined
  /** Hears every finding as soon as those before it are there. */
  readonly tell?: ((finding: CheckFinding) => void) | undefined
  /** What is wrong with files that the start reads because settings name them; by default nothing. */
  readonly fileProblems?: () => readonly SettingProblem[]
  /** All checks by default. */
  readonly checks?: readonly DoctorCheck[]
}

/** Never throws: what goes wrong is a finding. Broken settings are always reported, because no check runs with them. */
export async function examine({
  only,
  tell,
  checks = CHECKS,
  fileProblems = () => [],
  ...given
}: Request): Promise<readonly CheckFinding[]> {
  const ways = { clock: systemClock, random: systemRandom, openSocket: createOpenWebSocket() }
  const parts = { ...ways, roomOf, services: SERVICE_PLACES, ...given }
  const { findings, config } = readSettings(parts.environment)
  const context = config && { ...parts, config, identity: createIdentityLookup(config, parts.random) }
  const settings = { name: SETTINGS, findings: [...findings, ...problemsOf(fileProblems())] }
  return runChecks({ settings, checks, context, only, tell, unit: 'grinpay-pay' })
}
