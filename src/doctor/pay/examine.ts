// The doctor of a till: what its checks are given.
import { createOpenWebSocket, systemClock, systemRandom } from '../../system/index.js'
import type { DoctorCheck, TillSurroundings } from '../check.js'
import { roomOf } from '../disk.js'
import { type CheckFinding, runChecks } from '../run-checks.js'
import { SERVICE_PLACES } from '../service-check.js'
import { readSettings } from '../settings-check.js'
import { CHECKS, SETTINGS } from './checks.js'
import { createIdentityLookup } from './identity.js'

export interface Request
  extends Pick<TillSurroundings, 'environment' | 'tillUrl' | 'address'>,
    Partial<Pick<TillSurroundings, 'clock' | 'random' | 'openSocket' | 'roomOf' | 'services'>> {
  /** Names of CHECK_NAMES; undefined = all. */
  readonly only?: readonly string[] | undefined
  /** Hears every finding as soon as those before it are there. */
  readonly tell?: ((finding: CheckFinding) => void) | undefined
  /** All checks by default. */
  readonly checks?: readonly DoctorCheck[]
}

/** Never throws: what goes wrong is a finding. Broken settings are always reported, because no check runs with them. */
export async function examine({ only, tell, checks = CHECKS, ...given }: Request): Promise<readonly CheckFinding[]> {
  const ways = { clock: systemClock, random: systemRandom, openSocket: createOpenWebSocket() }
  const surroundings = { ...ways, roomOf, services: SERVICE_PLACES, ...given }
  const { findings, config } = readSettings(surroundings.environment)
  const context = config && { ...surroundings, config, identity: createIdentityLookup(config, surroundings.random) }
  return runChecks({ settings: { name: SETTINGS, findings }, checks, context, only, tell, unit: 'grinpay-pay' })
}
