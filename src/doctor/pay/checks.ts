// Every check of a till, in the order of the findings.
import type { PayConfig } from '../../config/index.js'
import type { DoctorCheck, TillDoctorContext } from '../check.js'
import { createClockCheck, originsOf } from '../clock-check.js'
import { createClusterCheck } from '../cluster-check.js'
import { createDatabaseCheck, MORE_ROOM } from '../database-check.js'
import { pass } from '../finding.js'
import { createServiceCheck } from '../service-check.js'
import { tillAddressCheck } from './address-check.js'
import { consoleCheck } from './console-check.js'
import { tillCheck } from './daemon-check.js'
import { foreignCheck } from './foreign-check.js'
import { identityCheck } from './identity.js'
import { tillNodeCheck } from './node-check.js'
import { relayCheck } from './relay-check.js'
import { secretsCheck } from './secrets-check.js'
import { torCheck } from './tor-check.js'
import { walletCheck } from './wallet-check.js'
import { webhookCheck } from './webhook-check.js'

/** Runs first: the others need its result; see settings-check.ts. */
export const SETTINGS = 'settings'

export const CHECKS: readonly DoctorCheck[] = [
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
