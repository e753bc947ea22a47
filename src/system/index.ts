export { type Clock, systemClock } from './clock.js'
export { type Random, systemRandom } from './random.js'
