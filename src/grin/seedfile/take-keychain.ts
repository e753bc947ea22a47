import type { Secret } from '../../lib/secret.js'
import { type Keychain, openKeychain } from '../keychain/index.js'

/** Opens the keychain of a seed and consumes the seed: it overwrites the bytes with zeros. */
export function takeKeychain(entropy: Secret<Uint8Array>): Keychain {
  try {
    return openKeychain(entropy.reveal())
  } finally {
    entropy.wipe()
  }
}
