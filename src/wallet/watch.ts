// A wallet that watches with the view key: restore, scan, balance, log. It has no verb that signs.
import { blake2b256 } from '../grin/crypto/index.js'
import { formatPath, viewOutput } from '../grin/keychain/index.js'
import type { ViewKey } from '../grin/kinds/index.js'
import { toHex, utf8 } from '../lib/bytes.js'
import { walletWatchOnly } from './errors.js'
import type { ProvenOutput } from './node/node.js'
import type { FoundOutput, Signer } from './signer/signer.js'
import { openWallet, type Wallet, type WalletBase } from './wallet.js'

// The signer of a wallet that only watches: it has the view key and nothing else.
const refusing = (what: string) => async (): Promise<never> => {
  throw walletWatchOnly(what)
}
const refuses = refusing('sign')
const refusesAddresses = refusing('make addresses, or read and write slatepacks')

/** Every verb but those of looking rejects with WALLET_WATCH_ONLY. Its storage is another one than that of the seed's wallet. */
export const createViewSigner = (viewKey: ViewKey): Signer => ({
  identity: async () => toHex(blake2b256(utf8('grinpay watch-only wallet 1'), viewKey)),
  viewKey: async () => viewKey,
  identify: async (outputs) => outputs.flatMap((output) => identify(viewKey, output)),
  outputs: refuses,
  address: refusesAddresses,
  addresses: refusesAddresses,
  readSlatepack: refusesAddresses,
  writeSlatepack: refusesAddresses,
  beginSend: refuses,
  finishSend: refuses,
  receive: refuses,
  beginInvoice: refuses,
  finishInvoice: refuses,
  pay: refuses,
})

/** Like `identify` of a signer with a seed, without a check of the commitment, which the view key cannot compute. */
function identify(viewKey: ViewKey, chain: ProvenOutput): FoundOutput[] {
  const own = viewOutput(viewKey, chain.commitment, chain.proof)
  if (own?.switchType !== 'regular') return []
  return [{ commitment: toHex(chain.commitment), path: formatPath(own.identifier), value: own.value, chain }]
}

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
