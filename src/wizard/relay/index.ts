export { parseRelayAnswers, type RelayAnswers, type RelayKey } from './questions.js'
export {
  type FirstRelayStart,
  firstStartRelay,
  type RelaySetupRequest,
  type RelayTerminal,
  setupRelay,
} from './setup.js'
export { createRelayTerminal } from './terminal.js'
