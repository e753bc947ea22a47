// What the files of a till say while its daemon does not run: `wallet address` and `wallet balance`.
import { existsSync } from 'node:fs'
import type { Environment } from '../../config/index.js'
import { formatGrin } from '../../grin/amount/index.js'
import { openTillReader, type TillReader } from '../../storage/index.js'
import { passwordOf, tillWallet } from './password.js'
import { openWallet, type WalletPlaces, walletAddress } from './wallet.js'

export interface LocalBalance {
  readonly dbPath: string
  readonly balance: Readonly<Record<string, { readonly count: number; readonly amount_grin: string }>>
}

/** Throws DATABASE_MISSING, DATABASE_OTHER_CHAIN and what opening the file throws. */
export async function localBalance(environment: Environment): Promise<LocalBalance> {
  const { places } = tillWallet(environment)
  return reading(places, async (store) => {
    const sums = Object.entries(await store.balance())
    const balance = sums.map(([state, { count, amount }]) => [state, { count, amount_grin: formatGrin(amount) }])
    return { dbPath: places.dbPath, balance: Object.fromEntries(balance) }
  })
}

/** The address that the database is signed with; before the first start it comes from the seed, which takes the password. */
export async function localAddressOf(environment: Environment): Promise<{ address: string; chain: string }> {
  const { places, password } = tillWallet(environment)
  const { chain, dbPath } = places
  const signed = existsSync(dbPath) ? await reading(places, async (store) => store.fingerprint) : undefined
  if (signed !== undefined) return { address: signed, chain }
  const entropy = await openWallet(places, await passwordOf(undefined, password, undefined))
  return { address: walletAddress(entropy, chain), chain }
}

async function reading<T>({ dbPath, chain }: WalletPlaces, look: (store: TillReader) => Promise<T>): Promise<T> {
  const store = await openTillReader({ path: dbPath, chain })
  try {
    return await look(store)
  } finally {
    await store.close()
  }
}
