// What tests of the Grin library share: inline provers, secrets of recorded runs, a wallet's pieces.
import {
  compressedPublicKey,
  proveRange,
  type RangeProofInput,
  scalarFromBytes,
  verifyRange,
} from '../../src/grin/crypto/index.js'
import { entropyFromMnemonic, type Keychain, openKeychain } from '../../src/grin/keychain/index.js'
import type { SlateSecrets } from '../../src/grin/tx/index.js'
import { bytes } from './vectors.js'

export const prove = async (input: RangeProofInput): Promise<Uint8Array> => proveRange(input)
export const verify = async (commitment: Uint8Array, proof: Uint8Array): Promise<boolean> =>
  verifyRange(commitment, proof)

export const walletOf = (mnemonic: string): Keychain => openKeychain(entropyFromMnemonic(mnemonic))

/** `secrets` of a vector as a participant's secrets. */
export function secretsOf({ sec_key, sec_nonce }: { sec_key: string; sec_nonce: string }): SlateSecrets {
  const secret = scalarFromBytes(bytes(sec_nonce))
  return { key: scalarFromBytes(bytes(sec_key)), nonce: { secret, public: compressedPublicKey(secret) } }
}

/** Repeats exactly; every call gives other bytes. */
export function countingRandom(start = 1): { bytes(length: number): Uint8Array } {
  let next = start
  return { bytes: (length) => Uint8Array.from({ length }, () => (next++ * 131) & 0xff) }
}
