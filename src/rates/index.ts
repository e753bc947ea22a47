export { rateText } from './decimal.js'
export { rateUnavailable } from './errors.js'
export { createRates, type RatesParts } from './oracle.js'
export type { RateSetting } from './sources.js'
