// The doctor of each daemon: the names of its checks, and how they are run.
import type { DaemonName, SettingProblem, SettingsSources } from '../config/index.js'
import type { CheckFinding } from './check.js'
import { examineNameauth, NAMEAUTH_CHECK_NAMES } from './nameauth/examine.js'
import { CHECK_NAMES, examine } from './pay/examine.js'
import { examineRelay, RELAY_CHECK_NAMES } from './relay/examine.js'

interface DoctorRequest {
  readonly sources: SettingsSources
  /** Names of checks; undefined = all. */
  readonly only?: readonly string[] | undefined
  /** Hears every finding as soon as those before it are there. */
  readonly tell?: ((finding: CheckFinding) => void) | undefined
  /** Where the till of this machine answers. */
  readonly tillUrl: () => string
  /** What is wrong with files that the start reads because settings name them. */
  readonly fileProblems: () => readonly SettingProblem[]
  /** The grin1 address of the till. */
  readonly address: () => Promise<string>
}

interface Doctor {
  readonly checkNames: readonly string[]
  /** Never throws: what goes wrong is a finding. */
  readonly examine: (request: DoctorRequest) => Promise<readonly CheckFinding[]>
}

export const DOCTORS: Readonly<Record<DaemonName, Doctor>> = {
  pay: {
    checkNames: CHECK_NAMES,
    examine: ({ sources: { environment }, tillUrl, ...request }) =>
      examine({ ...request, environment, tillUrl: tillUrl() }),
  },
  nameauth: {
    checkNames: NAMEAUTH_CHECK_NAMES,
    examine: ({ sources: { environment }, only, tell, fileProblems }) =>
      examineNameauth({ environment, only, tell, fileProblems }),
  },
  relay: {
    checkNames: RELAY_CHECK_NAMES,
    examine: ({ sources, only, tell, fileProblems }) => examineRelay({ sources, only, tell, fileProblems }),
  },
}
