export { openEnvironment } from '../config/index.js'
export { defaultPrefix, systemRandom } from '../system/index.js'
export { createTerminal, type Terminal } from './ask.js'
export { type ExportRequest, exportWords } from './export-seed.js'
export { readInput } from './inputs.js'
export { localAddressOf, localBalance } from './look.js'
export * from './nameauth/index.js'
export { knownPassword } from './password.js'
export {
  missingCertificates,
  type ProxyWishes,
  publicRelay,
  renderProxy,
  renderRelayProxy,
  renderTillProxy,
  requireCertificates,
} from './proxy/index.js'
export { type AnswerKey, type Answers, parsePayAnswers } from './questions.js'
export * from './relay/index.js'
export { type RestoreRequest, restoreWallet } from './restore.js'
export * from './rotation/index.js'
export { composeFiles } from './services/compose-files.js'
export { installFiles } from './services/install.js'
export { type ServiceFile, unitFiles } from './services/unit-files.js'
export { type SetupRequest, setupPay } from './setup.js'
export { askWhichSetup } from './which.js'
