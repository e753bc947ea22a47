export { openEnvironment } from '../config/index.js'
export { defaultPrefix, systemRandom } from '../system/index.js'
export { createSetupTerminal } from './form.js'
export { readInput } from './inputs.js'
export * from './nameauth/index.js'
export { type ExportRequest, exportWords } from './pay/export-seed.js'
export { localAddressOf, localBalance } from './pay/local-wallet.js'
export { knownPassword } from './pay/password.js'
export { type AnswerKey, type Answers, parsePayAnswers } from './pay/questions.js'
export { type RestoreRequest, restoreWallet } from './pay/restore.js'
export { type SetupRequest, setupPay } from './pay/setup.js'
export { createTerminal, type Terminal } from './pay/terminal.js'
export {
  missingCertificates,
  type ProxyWishes,
  publicRelay,
  renderProxy,
  renderRelayProxy,
  renderTillProxy,
  requireCertificates,
} from './proxy/index.js'
export * from './relay/index.js'
export * from './rotation/index.js'
export type { SetupTerminal } from './run-setup.js'
export { composeFiles } from './services/compose-files.js'
export { installFiles } from './services/install.js'
export { type ServiceFile, unitFiles } from './services/unit-files.js'
export { askWhichSetup } from './which.js'
