// Every check of a till, in the order of the findings.
import type { PayConfig } from '../../config/index.js'
import type { Check, Context } from '../check.js'
import { createClockCheck, originsOf } from '../clock-check.js'
import { createServiceCheck } from '../service-check.js'
import { addressCheck } from './address-check.js'
import { tillCheck } from './daemon-check.js'
import { databaseCheck } from './database-check.js'
import { foreignCheck } from './foreign-check.js'
import { identityCheck } from './identity.js'
import { nodeCheck } from './node-check.js'
import { relayCheck } from './relay-check.js'
import { secretsCheck } from './secrets-check.js'
import { torCheck } from './tor-check.js'
import { webhookCheck } from './webhook-check.js'

/** Runs first: the others need its result; see settings-check.ts. */
export const SETTINGS = 'settings'

export const CHECKS: readonly Check[] = [
  databaseCheck,
  tillCheck,
  secretsCheck,
  addressCheck,
  webhookCheck,
  nodeCheck,
  identityCheck,
  relayCheck,
  createClockCheck({ hostsOf: ({ relays, nodeUrls }: PayConfig) => originsOf([...relays, ...nodeUrls]) }),
  torCheck,
  foreignCheck,
  createServiceCheck('pay', ({ environment }: Context) => ({ environment })),
]

export const CHECK_NAMES: readonly string[] = [SETTINGS, ...CHECKS.map(({ name }) => name)]
