// Every check, in the order in which the findings are told.
import type { Check } from './check.js'
import { clockCheck } from './clock-check.js'
import { foreignCheck } from './foreign-check.js'
import { identityCheck } from './identity.js'
import { relayCheck } from './relay-check.js'
import { tillCheck } from './till-check.js'
import { torCheck } from './tor-checks.js'

/** Done before all others, because these need its result; see settings-check.ts. */
export const SETTINGS = 'settings'

export const CHECKS: readonly Check[] = [tillCheck, identityCheck, relayCheck, clockCheck, torCheck, foreignCheck]

export const CHECK_NAMES: readonly string[] = [SETTINGS, ...CHECKS.map(({ name }) => name)]
