export { createRates, type RatesParts } from './oracle.js'
export { rateText } from './sources.js'
