// The doctor of a relay: its settings, then its checks in the order of the findings.
import type { RelayConfig, RelaySources, SettingProblem } from '../../config/index.js'
import { signatureCheck } from '../../nostr/keys/index.js'
import { createOpenWebSocket, systemClock, systemRandom } from '../../system/index.js'
import { type CheckFinding, runChecks } from '../check.js'
import { createClusterCheck } from '../cluster-check.js'
import { roomOf } from '../database-check.js'
import { createServiceCheck, SERVICE_PLACES } from '../service-check.js'
import { problemsOf } from '../settings-check.js'
import { relayAddressCheck } from './address-check.js'
import { relayClockCheck } from './clock-check.js'
import type { RelayCheck, RelayDoctorContext } from './context.js'
import { relayDaemonCheck } from './daemon-check.js'
import { listsCheck, relayDatabaseCheck } from './database-check.js'
import { idleCheck } from './handshake.js'
import { namesCheck } from './names-check.js'
import { readRelaySettings } from './settings-check.js'
import { signaturesCheck } from './signatures-check.js'
import { wrapsCheck } from './wraps-check.js'

const SETTINGS = 'settings'

const CHECKS: readonly RelayCheck[] = [
  relayDatabaseCheck,
  listsCheck,
  createClusterCheck('relay', ({ log }: RelayConfig) => log),
  signaturesCheck,
  relayDaemonCheck,
  relayAddressCheck,
  wrapsCheck,
  namesCheck,
  relayClockCheck,
  createServiceCheck('relay', ({ sources }: RelayDoctorContext) => sources),
  idleCheck,
]

export const RELAY_CHECK_NAMES: readonly string[] = [SETTINGS, ...CHECKS.map(({ name }) => name)]

export interface RelayRequest
  extends Partial<
    Pick<RelayDoctorContext, 'clock' | 'random' | 'openSocket' | 'roomOf' | 'services' | 'signatureCheck'>
  > {
  readonly sources: RelaySources
  /** Names of RELAY_CHECK_NAMES; undefined = all. */
  readonly only?: readonly string[] | undefined
  readonly tell?: ((finding: CheckFinding) => void) | undefined
  /** What is wrong with files that the start reads because settings name them; by default nothing. */
  readonly fileProblems?: () => readonly SettingProblem[]
}

/** Never throws: what goes wrong is a finding. Broken settings are always reported, because no check runs with them. */
export async function examineRelay({
  sources,
  only,
  tell,
  fileProblems = () => [],
  ...given
}: RelayRequest): Promise<readonly CheckFinding[]> {
  const { findings, config } = readRelaySettings(sources)
  const surroundings = { clock: systemClock, random: systemRandom, openSocket: createOpenWebSocket() }
  const ways = { ...surroundings, roomOf, signatureCheck, services: SERVICE_PLACES, ...given }
  const context = config && { ...ways, config, sources }
  const settings = { name: SETTINGS, findings: [...findings, ...problemsOf(fileProblems(), 'relay')] }
  return runChecks({ settings, checks: CHECKS, context, only, tell, unit: 'grinpay-relay' })
}
