// The doctor of a till: what its checks are given.
import { createOpenWebSocket, systemClock, systemRandom } from '../../system/index.js'
import type { Check, Surroundings } from '../check.js'
import { roomOf } from '../disk.js'
import { runChecks, type Told } from '../run-checks.js'
import { SERVICE_PLACES } from '../service-check.js'
import { readSettings } from '../settings-check.js'
import { CHECKS, SETTINGS } from './checks.js'
import { createIdentityLookup } from './identity.js'

export interface Request
  extends Pick<Surroundings, 'environment' | 'tillUrl' | 'address'>,
    Partial<Pick<Surroundings, 'clock' | 'random' | 'openSocket' | 'roomOf' | 'services'>> {
  /** Names of CHECK_NAMES; undefined = all. */
  readonly only?: readonly string[] | undefined
  /** Hears every finding as soon as those before it are there. */
  readonly tell?: ((finding: Told) => void) | undefined
  /** All checks unless told. */
  readonly checks?: readonly Check[]
}

/** Never throws: what goes wrong is a finding. Broken settings are told whatever was asked for, because nothing else runs then. */
export async function examine({ only, tell, checks = CHECKS, ...given }: Request): Promise<readonly Told[]> {
  const ways = { clock: systemClock, random: systemRandom, openSocket: createOpenWebSocket() }
  const surroundings = { ...ways, roomOf, services: SERVICE_PLACES, ...given }
  const { findings, config } = readSettings(surroundings.environment)
  const context = config && { ...surroundings, config, identity: createIdentityLookup(config, surroundings.random) }
  return runChecks({ settings: { name: SETTINGS, findings }, checks, context, only, tell, unit: 'grinpay-pay' })
}
