import type { Keychain } from '../keychain/index.js'
import { addressOfSeed } from '../slatepack/index.js'

/** One of our address keys. Index 0 of the account is *the* address of a wallet. */
export interface OwnAddress {
  readonly account: number
  readonly index: number
  /** ed25519, 32 bytes. */
  readonly publicKey: Uint8Array
}

/** The addresses of an account at these indices; index 0 unless told. */
export function ownAddresses(keychain: Keychain, indices: readonly number[] = [0], account = 0): OwnAddress[] {
  return indices.map((index) => ({ account, index, publicKey: addressOfSeed(keychain.addressSeed(account, index)) }))
}
