export type { Check, Context, Surroundings } from './check.js'
export { CHECK_NAMES } from './checks.js'
export { examine, type Request, type Told } from './examine.js'
export { type Finding, fail, type Level, pass } from './finding.js'
