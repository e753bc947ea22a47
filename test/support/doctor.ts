// The doctor on settings made up for a test. Waiting is twenty times shorter than in earnest.
import { openEnvironment } from '../../src/config/index.js'
import { type CheckFinding, type DoctorCheck, examine } from '../../src/doctor/index.js'
import { systemClock } from '../../src/system/index.js'

const HURRY = 20
const hurriedClock = {
  now: systemClock.now,
  monotonic: systemClock.monotonic,
  sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / HURRY, signal),
}

export interface DoctorCase {
  readonly variables: Readonly<Record<string, string>>
  readonly only?: readonly string[]
  readonly tillUrl?: string
  readonly address?: string
  readonly checks?: readonly DoctorCheck[]
  /** For what takes its time in earnest. */
  readonly clock?: typeof systemClock
  readonly tell?: (finding: CheckFinding) => void
}

export const diagnose = ({ variables, tillUrl = 'http://127.0.0.1:9', address, ...rest }: DoctorCase) =>
  examine({
    environment: openEnvironment({ variables: { PAY_DATA_DIR: '/nowhere', ...variables } }),
    tillUrl,
    address: async () => address ?? Promise.reject(new Error('no address')),
    clock: hurriedClock,
    ...rest,
  })

/** Level and text, as in `warn the text`. */
export const lines = (findings: readonly CheckFinding[]): readonly string[] =>
  findings.map(({ level, detail }) => `${level} ${detail}`)
