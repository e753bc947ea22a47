// A wallet over a storage: accounts, outputs with states, coin selection, both flows, refresh, restore.
import type { Keychain } from '../grin/keychain/index.js'
import {
  type SignerOptions as AllSignerOptions,
  type WatchOptions as AllWatchOptions,
  openWallet as open,
  type Signer,
  createSigner as signerOf,
  type Wallet,
  type WalletBase,
  type WatchWallet,
  openWatchWallet as watch,
} from '../wallet/index.js'
import { localProver, type Prover } from './local-prover.js'
import { now, webCrypto } from './surroundings.js'

export * from '../wallet/index.js'

type Optional<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>

/** Prover (default: the calling thread), `random` (default: Web Crypto) and `now` (default: the clock) may be left out. */
export type WalletOptions = Optional<WalletBase, 'random' | 'now'> &
  ({ readonly keychain: Keychain; readonly prover?: Prover } | { readonly signer: Signer })

/** The same defaults. */
export type SignerOptions = Optional<AllSignerOptions, 'prover' | 'random' | 'now'>

/**
 * Opens the wallet of a seed: of a keychain in this process, or of a signer that keeps it elsewhere. A new storage gets account 0. Rejects
 * with WALLET_OTHER_SEED, WALLET_OTHER_CHAIN, WALLET_STORAGE_DAMAGED or WALLET_STORAGE_NEWER.
 */
export const openWallet = (options: WalletOptions): Promise<Wallet> =>
  open({ prover: localProver, random: webCrypto, now, ...options })

/** The same defaults. */
export type WatchOptions = Optional<AllWatchOptions, 'random' | 'now'>

/**
 * Opens a wallet that only watches, with the view key (`rewindHash` of a keychain, or `grin-wallet rewind_hash`). Who knows that key can make
 * outputs that look like income and belong to no one: with a seed at hand compare before goods leave. Rejects with RangeError for a key
 * that is not 32 bytes, and the errors of `openWallet`.
 */
export const openWatchWallet = (options: WatchOptions): Promise<WatchWallet> =>
  watch({ random: webCrypto, now, ...options })

/** The signer of a keychain: what answers a wallet in another process or worker, where the seed is. */
export const createSigner = (options: SignerOptions): Signer =>
  signerOf({ prover: localProver, random: webCrypto, now, ...options })
