// Every check, in the order in which the findings are told.

import type { Check } from '../check.js'
import { clockCheck } from '../clock-check.js'
import { addressCheck } from './address-check.js'
import { tillCheck } from './daemon-check.js'
import { databaseCheck } from './database-check.js'
import { foreignCheck } from './foreign-check.js'
import { identityCheck } from './identity.js'
import { nodeCheck } from './node-check.js'
import { relayCheck } from './relay-check.js'
import { secretsCheck } from './secrets-check.js'
import { payServiceCheck } from './service-check.js'
import { torCheck } from './tor-check.js'
import { webhookCheck } from './webhook-check.js'

/** Done before all others, because these need its result; see settings-check.ts. */
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
  clockCheck,
  torCheck,
  foreignCheck,
  payServiceCheck,
]

export const CHECK_NAMES: readonly string[] = [SETTINGS, ...CHECKS.map(({ name }) => name)]
