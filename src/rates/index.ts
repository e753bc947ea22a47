export { rateText } from './decimal.js'
export { createRates, type RatesParts } from './oracle.js'
