export { rateText } from './decimal.js'
export { rateSourceInvalid, rateUnavailable } from './errors.js'
export { createRates, type RatesParts } from './oracle.js'
