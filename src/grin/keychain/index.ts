// The front door of the keychain: mnemonic, identifiers, keys.

export type { ProveRange, VerifyRange } from '../crypto/index.js'
export type { SwitchType } from './identifier.js'
export {
  formatPath,
  type Identifier,
  identifierFromPath,
  outputIdentifier,
  pathOf,
} from './identifier.js'
export { type Keychain, openKeychain, type RewoundOutput, viewOutput } from './keychain.js'
export { entropyFromMnemonic, mnemonicFault, mnemonicFromEntropy } from './mnemonic.js'
