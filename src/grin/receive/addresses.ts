import type { Keychain } from '../keychain/index.js'
import { addressOfSeed } from '../slatepack/index.js'

/** An address key of account 0. Index 0 is the wallet's published address. */
export interface OwnAddress {
  readonly index: number
  /** ed25519, 32 bytes. */
  readonly publicKey: Uint8Array
}

/** The addresses at these indices, default index 0. */
export const ownAddresses = (keychain: Keychain, indices: readonly number[] = [0]): OwnAddress[] =>
  indices.map((index) => ({ index, publicKey: addressOfSeed(keychain.addressSeed(0, index)) }))
