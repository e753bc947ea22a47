import type { Keychain } from '../keychain/index.js'
import type { AddressKey } from '../kinds/index.js'
import { addressOfSeed } from '../slatepack/index.js'

/** An address key of an account. Index 0 is the account's published address. */
export interface OwnAddress {
  /** Default 0. */
  readonly account?: number
  readonly index: number
  /** ed25519, 32 bytes. */
  readonly publicKey: AddressKey
}

/** The addresses of `account` (default 0) at these indices, default index 0. */
export const ownAddresses = (keychain: Keychain, indices: readonly number[] = [0], account = 0): OwnAddress[] =>
  indices.map((index) => ({ account, index, publicKey: addressOfSeed(keychain.addressSeed(account, index)) }))
