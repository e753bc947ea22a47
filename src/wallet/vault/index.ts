// The front door of the vault, apart from the wallet's: a wallet without one carries none of its code.
export { DEFAULT_SCRYPT_COST, type ScryptCost } from '../../lib/scrypt-cost.js'
/** The expected failures of a vault; `is` of each recognises it. */
export * as vaultErrors from './errors.js'
export {
  type CreateVaultOptions,
  createVault,
  inspectVault,
  type PasswordChange,
  type UnlockOptions,
  unlockVault,
  type Vault,
  type VaultInfo,
} from './vault.js'
