// Secrets of an open invoice slate, as the store keeps them: XChaCha20-Poly1305 under a key that only the wallet's seed gives,
// bound to the slate's id. A stolen database without the seed signs nothing, and no row can be moved to another slate.
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8 } from '../../lib/bytes.js'
import { Secret } from '../../lib/secret.js'
import { scalarToBytes } from '../crypto/index.js'
import { identifierFromPath, type Keychain } from '../keychain/index.js'
import type { RandomBytes } from '../tx/index.js'

const LABEL = 'grinpay invoice slate secrets 1'
const VERSION = 1
const NONCE_LENGTH = 24

export interface SecretVault {
  /** Version byte, nonce, ciphertext with tag. */
  seal(slateId: string, secrets: Secret<Uint8Array>): Uint8Array
  /** Throws RangeError for bytes of another seed, another slate, or damaged ones. */
  open(slateId: string, sealed: Uint8Array): Secret<Uint8Array>
}

/** HKDF-SHA256 of the wallet's root key under a label of its own gives the key; nothing else of the wallet is made this way. */
export function createSecretVault(keychain: Keychain, random: RandomBytes): SecretVault {
  const root = scalarToBytes(keychain.deriveKey(identifierFromPath('m')))
  const key = hkdf(sha256, root, undefined, utf8(LABEL), 32)
  const cipher = (slateId: string, nonce: Uint8Array) => xchacha20poly1305(key, nonce, utf8(slateId))

  return {
    seal(slateId, secrets) {
      const nonce = random.bytes(NONCE_LENGTH)
      return concatBytes(Uint8Array.of(VERSION), nonce, cipher(slateId, nonce).encrypt(secrets.reveal()))
    },
    open(slateId, sealed) {
      if (sealed[0] !== VERSION) throw new RangeError('slate secrets: of another version')
      const content = sealed.subarray(1 + NONCE_LENGTH)
      try {
        return new Secret(cipher(slateId, sealed.subarray(1, 1 + NONCE_LENGTH)).decrypt(content))
      } catch {
        throw new RangeError('slate secrets: of another wallet or slate, or damaged')
      }
    },
  }
}
