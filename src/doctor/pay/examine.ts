// The doctor of a till: what its checks are given.
import type { SettingProblem } from '../../config/index.js'
import { createOpenWebSocket, systemClock, systemRandom } from '../../system/index.js'
import type { DoctorCheck, TillSurroundings } from '../check.js'
import { roomOf } from '../disk.js'
import { type CheckFinding, runChecks } from '../run-checks.js'
import { SERVICE_PLACES } from '../service-check.js'
import { problemsOf, readSettings } from '../settings-check.js'
import { CHECKS, SETTINGS } from './checks.js'
import { createIdentityLookup } from './identity.js'

export interface Request
  extends Pick<TillSurroundings, 'environment' | 'tillUrl' | 'address'>,
    Partial<Pick<TillSurroundings, 'clock' | 'random' | 'openSocket' | 'roomOf' | 'services'>> {
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
  const surroundings = { ...ways, roomOf, services: SERVICE_PLACES, ...given }
  const { findings, config } = readSettings(surroundings.environment)
  const context = config && { ...surroundings, config, identity: createIdentityLookup(config, surroundings.random) }
  const settings = { name: SETTINGS, findings: [...findings, ...problemsOf(fileProblems())] }
  return runChecks({ settings, checks, context, only, tell, unit: 'grinpay-pay' })
}
