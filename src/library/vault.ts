// A vault: a seed and everything that a wallet stores, encrypted under a password.
import {
  type CreateVaultOptions as AllCreateOptions,
  type UnlockOptions as AllUnlockOptions,
  createVault as create,
  unlockVault as unlock,
  type Vault,
} from '../wallet/vault/index.js'
import { webCrypto } from './surroundings.js'

export * from '../wallet/vault/index.js'

type WithDefaults<T extends { random: unknown }> = Omit<T, 'random'> & Partial<Pick<T, 'random'>>

/** What opens a vault; `random` may be left out. */
export type UnlockOptions = WithDefaults<AllUnlockOptions>

/** What a new vault holds; `random` may be left out. */
export type CreateVaultOptions = WithDefaults<AllCreateOptions>

/**
 * Makes a vault in an empty storage, such as `openIndexedDbStorage({ name })`, and unlocks it. Rejects with VAULT_EXISTS, VAULT_PASSWORD,
 * VAULT_UNSUPPORTED, or RangeError for a cost out of bounds.
 */
export const createVault = (options: CreateVaultOptions): Promise<Vault> => create({ random: webCrypto, ...options })

/**
 * Unlocks a vault. Rejects with VAULT_WRONG_PASSWORD if its header is whole, otherwise with VAULT_DAMAGED before a key is derived; with
 * VAULT_NONE, VAULT_NEWER or VAULT_UNSUPPORTED.
 */
export const unlockVault = (options: UnlockOptions): Promise<Vault> => unlock({ random: webCrypto, ...options })
