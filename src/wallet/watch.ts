// A wallet that watches with the view key: restore, scan, balance, log. It has no verb that signs.
import type { ViewKey } from '../grin/kinds/index.js'
import { createViewSigner } from './signer/view-signer.js'
import { openWallet, type Wallet, type WalletBase } from './wallet.js'

/** What is watched, and where it is stored. */
export interface WatchOptions extends WalletBase {
  /** The view key of the seed, 32 bytes: `rewindHash` of its keychain, or `grin-wallet rewind_hash`. It reveals amounts; keep it secret. */
  readonly rewindHash: ViewKey
}

/**
 * What can be seen with the view key. New outputs are found by `restore`, which reads the whole chain, or with `fromHeight` its end; `refresh`
 * asks for the outputs that are known, and sees that they were spent or reverted.
 */
export type WatchWallet = Pick<
  Wallet,
  | 'chainType'
  | 'accounts'
  | 'balance'
  | 'outputs'
  | 'transactions'
  | 'height'
  | 'reload'
  | 'subscribe'
  | 'refresh'
  | 'restore'
  | 'check'
>

/**
 * Opens a wallet that only watches. Who knows the view key can make outputs that look like income and belong to no one: with a seed at hand
 * compare before goods leave. Throws RangeError for a view key that is not 32 bytes, and the errors of `openWallet`.
 */
export async function openWatchWallet({ rewindHash, ...base }: WatchOptions): Promise<WatchWallet> {
  if (rewindHash.length !== 32) throw new RangeError(`a view key of ${rewindHash.length} bytes, 32 are needed`)
  const wallet = await openWallet({ ...base, signer: createViewSigner(rewindHash) })
  const { chainType, accounts, balance, outputs, transactions, height, reload, subscribe, refresh, restore, check } =
    wallet
  return { chainType, accounts, balance, outputs, transactions, height, reload, subscribe, refresh, restore, check }
}
