export { type NameauthAnswers, type NameauthKey, parseNameauthAnswers } from './questions.js'
export {
  type FirstStart,
  firstStartNameauth,
  type NameauthSetupRequest,
  setupNameauth,
} from './setup.js'
