// A wallet over a storage: accounts, outputs with states, coin selection, both flows, refresh, restore.
import { type WalletOptions as AllOptions, openWallet as open, type Wallet } from '../wallet/index.js'
import { localProver } from './local-prover.js'
import { now, webCrypto } from './surroundings.js'

export * from '../wallet/index.js'

/** Prover (default: the calling thread), `random` (default: Web Crypto) and `now` (default: the clock) may be left out. */
export type WalletOptions = Pick<AllOptions, 'keychain' | 'chainType' | 'storage'> &
  Partial<Pick<AllOptions, 'prover' | 'random' | 'now'>>

/**
 * Opens the wallet of a seed. A new storage gets account 0. Rejects with WALLET_OTHER_SEED, WALLET_OTHER_CHAIN, WALLET_STORAGE_DAMAGED or
 * WALLET_STORAGE_NEWER.
 */
export const openWallet = (options: WalletOptions): Promise<Wallet> =>
  open({ prover: localProver, random: webCrypto, now, ...options })
