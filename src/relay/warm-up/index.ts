export { warmUp } from './warm-up.js'
