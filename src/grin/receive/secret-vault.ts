// Encrypts the stored secrets of an open invoice slate: XChaCha20-Poly1305 under a key derived from the wallet's seed, with the
// slate's id as associated data. A stolen database cannot sign without the seed, and a row is invalid for every other slate.

import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8 } from '../../lib/bytes.js'
import { orThrow } from '../../lib/errors.js'
import { ofKind } from '../../lib/kinds.js'
import type { RandomBytes } from '../../lib/random-bytes.js'
import type { Keychain } from '../keychain/index.js'
import type { SlateSecretBytes } from '../kinds/index.js'

const LABEL = 'grinpay invoice slate secrets 1'
const NONCE_LABEL = 'grinpay invoice slate nonces 1'
const VERSION = 1
const NONCE_LENGTH = 24

export interface SecretVault {
  /** Version byte, nonce, ciphertext with tag. */
  seal(slateId: string, secrets: SlateSecretBytes): Uint8Array
  /** Throws RangeError for another seed, another slate, or damaged bytes. */
  open(slateId: string, sealed: Uint8Array): SlateSecretBytes
}

/** One subkey of the wallet encrypts; another derives the nonces, so that repeated random bytes never reuse a key stream. */
export function createSecretVault(keychain: Keychain, random: RandomBytes): SecretVault {
  const [key, nonceKey] = [keychain.subkey(LABEL), keychain.subkey(NONCE_LABEL)]
  const cipher = (slateId: string, nonce: Uint8Array) => xchacha20poly1305(key, nonce, utf8(slateId))

  const nonceFor = (slateId: string, secrets: SlateSecretBytes): Uint8Array =>
    hmac(sha256, nonceKey, concatBytes(random.bytes(32), secrets, utf8(slateId))).slice(0, NONCE_LENGTH)

  return {
    seal(slateId, secrets) {
      const nonce = nonceFor(slateId, secrets)
      return concatBytes(Uint8Array.of(VERSION), nonce, cipher(slateId, nonce).encrypt(secrets))
    },
    open(slateId, sealed) {
      if (sealed[0] !== VERSION) throw new RangeError('slate secrets: of another version')
      const content = sealed.subarray(1 + NONCE_LENGTH)
      return orThrow(
        () => ofKind('slate secrets', cipher(slateId, sealed.subarray(1, 1 + NONCE_LENGTH)).decrypt(content)),
        () => new RangeError('slate secrets: of another wallet or slate, or damaged'),
      )
    },
  }
}
