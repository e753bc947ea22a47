// The doctor of each daemon: the names of its checks, and how they are run.
import type { DaemonName, SettingsSources } from '../config/index.js'
import type { CheckFinding, DoctorRequest } from './check.js'
import { examineNameauth, NAMEAUTH_CHECK_NAMES } from './nameauth/examine.js'
import { CHECK_NAMES, examine } from './pay/examine.js'
import { examineRelay, RELAY_CHECK_NAMES } from './relay/examine.js'

interface DaemonRequest extends DoctorRequest {
  readonly sources: SettingsSources
  /** Where the till of this machine answers. */
  readonly tillUrl: () => string
  /** The grin1 address of the till. */
  readonly address: () => Promise<string>
}

interface Doctor {
  readonly checkNames: readonly string[]
  /** Never throws: what goes wrong is a finding. */
  readonly examine: (request: DaemonRequest) => Promise<readonly CheckFinding[]>
}

export const DOCTORS: Readonly<Record<DaemonName, Doctor>> = {
  pay: {
    checkNames: CHECK_NAMES,
    examine: ({ sources: { environment }, tillUrl, ...request }) =>
      examine({ ...request, environment, tillUrl: tillUrl() }),
  },
  nameauth: {
    checkNames: NAMEAUTH_CHECK_NAMES,
    examine: ({ sources: { environment }, ...request }) => examineNameauth({ ...request, environment }),
  },
  relay: { checkNames: RELAY_CHECK_NAMES, examine: examineRelay },
}
