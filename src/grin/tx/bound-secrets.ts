// Key and nonce of one participant, bound to what they sign. A virtual machine that resumes twice from one snapshot repeats its random
// bytes, and one nonce under two signatures reveals the key. The secrets are therefore an HMAC of the random bytes and of a digest of
// everything that is decided when they are drawn: equal secrets only ever belong to equal messages.
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8, wipe } from '../../lib/bytes.js'
import type { RandomBytes } from '../../lib/random-bytes.js'
import { type Scalar, secretKeyFromBytes, secureNonce } from '../crypto/index.js'
import type { Keychain } from '../keychain/index.js'
import type { SlateSecrets } from './signing.js'

const LABEL = 'grinpay slate secrets 1'
/** A draw is outside 1 … n-1 with probability 2^-128. */
const MOST_DRAWS = 8

export interface SecretSource {
  /** Absent: the secrets are as good as the random bytes alone. */
  readonly keychain?: Keychain
  readonly random: RandomBytes
}

/**
 * Secrets for the participant that writes a slate in the state `purpose`; `digest` is 32 bytes. Key and nonce are
 * HMAC-SHA256(K, "S1 key N" or "S1 nonce N" || 32 random bytes || digest), N counting draws from 0, with K = HKDF-SHA256 of the root key,
 * or the label itself without a keychain.
 */
export function boundSecrets({ keychain, random }: SecretSource, purpose: string, digest: Uint8Array): SlateSecrets {
  const key = keychain?.subkey(LABEL) ?? utf8(LABEL)
  const fresh = random.bytes(32)
  const seed = (use: string): Uint8Array => hmac(sha256, key, concatBytes(utf8(`${purpose} ${use}`), fresh, digest))
  const nonceSeed = seed('nonce 0')
  const secrets = { key: drawKey((turn) => seed(`key ${turn}`)), nonce: secureNonce(nonceSeed) }
  wipe(key, fresh, nonceSeed)
  return secrets
}

function drawKey(seed: (turn: number) => Uint8Array): Scalar {
  for (let turn = 0; turn < MOST_DRAWS; turn++) {
    const bytes = seed(turn)
    try {
      return secretKeyFromBytes(bytes)
    } catch {
      // Not below the group order: draw again.
    } finally {
      wipe(bytes)
    }
  }
  throw new Error('no usable key')
}
