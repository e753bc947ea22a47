export type { DoctorCheck } from './check.js'
export { DOCTORS } from './doctors.js'
export { type Finding, fail, pass } from './finding.js'
export { examineNameauth, NAMEAUTH_CHECK_NAMES } from './nameauth/examine.js'

export { CHECK_NAMES, examine, type Request } from './pay/examine.js'
export { examineRelay, RELAY_CHECK_NAMES } from './relay/examine.js'
export type { CheckFinding } from './run-checks.js'
