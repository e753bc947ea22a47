export { openEnvironment } from '../config/index.js'
export { defaultPrefix, systemRandom } from '../system/index.js'
export type { SetupTerminal } from './form.js'
export { askWhichSetup, createSetupTerminal } from './form.js'
export { givenAnswers } from './inputs.js'
export type { NameauthAnswers, NameauthKey } from './nameauth/questions.js'
export {
  type FirstStart,
  firstStartNameauth,
  type NameauthSetupRequest,
  setupNameauth,
} from './nameauth/setup.js'
export { type ExportRequest, exportWords } from './pay/export-seed.js'
export { localAddressOf, localBalance } from './pay/local-wallet.js'
export { knownPassword } from './pay/password.js'
export type { PayAnswers, PayKey } from './pay/questions.js'
export { type RestoreRequest, restoreWallet } from './pay/restore.js'
export { setupPay } from './pay/setup.js'
export type { SetupRequest } from './pay/survey.js'
export { createTerminal, type Terminal } from './pay/terminal.js'
export {
  missingCertificates,
  type ProxyOptions,
  publicRelay,
  renderProxy,
  renderRelayProxy,
  renderTillProxy,
  requireCertificates,
} from './proxy/index.js'
export type { RelayAnswers, RelayKey } from './relay/questions.js'
export {
  type FirstRelayStart,
  firstStartRelay,
  type RelaySetupRequest,
  setupRelay,
} from './relay/setup.js'
export { makeSecret } from './rotation/kinds.js'
export { type Rotation, rotateSecret } from './rotation/rotate.js'
export { composeFiles } from './services/compose-files.js'
export { installFiles } from './services/install.js'
export { type ServiceFile, unitFiles } from './services/unit-files.js'
