// The wallet as files: opening it, and making sure that no daemon uses it.
import { existsSync, readFileSync } from 'node:fs'
import { openKeychain } from '../../grin/keychain/index.js'
import { openSeed } from '../../grin/seedfile/index.js'
import { addressOfSeed, formatAddress } from '../../grin/slatepack/index.js'
import type { Secret } from '../../lib/secret.js'
import { openTillStore } from '../../storage/index.js'
import { dataFiles, systemClock, walletMissing } from '../../system/index.js'

export type ChainName = 'mainnet' | 'testnet' | 'usernet' | 'sandbox'

/** Where a till keeps what it is. */
export interface WalletPlaces {
  readonly dataDir: string
  readonly dbPath: string
  readonly chain: ChainName
}

/** The till's address: the public text by which a database knows its wallet. */
export const walletAddress = (entropy: Secret<Uint8Array>, chain: ChainName): string =>
  formatAddress(chain === 'mainnet' ? 'grin' : 'tgrin', addressOfSeed(openKeychain(entropy.reveal()).addressSeed(0, 0)))

/** Throws WALLET_MISSING, SEED_WRONG_PASSWORD, SEED_WRONG_CHAIN and the other refusals of the seed file. */
export async function openWallet({ dataDir, chain }: WalletPlaces, password: Secret): Promise<Secret<Uint8Array>> {
  const { seed } = dataFiles(dataDir)
  if (!existsSync(seed)) throw walletMissing(seed)
  return openSeed(readFileSync(seed, 'utf8'), password, chain)
}

/** Claims the database for a moment. Throws DATABASE_IN_USE while the daemon runs. */
export async function requireStopped(places: WalletPlaces, entropy: Secret<Uint8Array>): Promise<void> {
  if (!existsSync(places.dbPath)) return
  const store = await openTillStore({ path: places.dbPath, ...identityOf(places, entropy), now: systemClock.now })
  await store.close()
}

const identityOf = ({ chain }: WalletPlaces, entropy: Secret<Uint8Array>) => ({
  chain,
  fingerprint: walletAddress(entropy, chain),
})
