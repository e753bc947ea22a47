export { parseRelayAnswers, type RelayAnswers, type RelayKey } from './questions.js'
export {
  type FirstRelayStart,
  firstStartRelay,
  type RelaySetupRequest,
  setupRelay,
} from './setup.js'
