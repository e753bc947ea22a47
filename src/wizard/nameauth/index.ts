export { type NameauthAnswers, type NameauthKey, parseNameauthAnswers } from './questions.js'
export {
  type FirstStart,
  firstStartNameauth,
  type NameauthSetupRequest,
  type NameauthTerminal,
  setupNameauth,
} from './setup.js'
export { createNameauthTerminal } from './terminal.js'
