// Encryption of slatepacks: age v1 files with X25519 recipients. age-encryption handles the file format. Key wrapping is done
// here, because the library uses an experimental part of WebCrypto and does not bound the number of stanzas.
// Specification: grin-wallet.md 3.3.

import { chacha20poly1305 } from '@noble/ciphers/chacha.js'
import { x25519 } from '@noble/curves/ed25519.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { base64nopad } from '@scure/base'
import type { Identity, Recipient, Stanza } from 'age-encryption'
import { concatBytes, utf8 } from '../../lib/bytes.js'
import type { RandomBytes } from '../../lib/random-bytes.js'
import type { AddressKey, AddressSeed } from '../kinds/index.js'
import { x25519Public, x25519Secret } from './address.js'

const LABEL = utf8('age-encryption.org/v1/X25519')
const ZERO_NONCE = new Uint8Array(12)
/** More recipients than wallets write. Each costs a multiplication per key. */
const MAX_STANZAS = 4

function wrappingKey(shared: Uint8Array, ephemeral: Uint8Array, recipient: Uint8Array): Uint8Array {
  return hkdf(sha256, shared, concatBytes(ephemeral, recipient), LABEL, 32)
}

function recipientOf(publicKey: AddressKey, random: RandomBytes, stanza: typeof Stanza): Recipient {
  const recipient = x25519Public(publicKey)
  return {
    wrapFileKey(fileKey) {
      const secret = random.bytes(32)
      const ephemeral = x25519.getPublicKey(secret)
      const key = wrappingKey(x25519.getSharedSecret(secret, recipient), ephemeral, recipient)
      const body = chacha20poly1305(key, ZERO_NONCE).encrypt(fileKey)
      return [new stanza(['X25519', base64nopad.encode(ephemeral)], body)]
    },
  }
}

/** Skips stanzas that it does not know or cannot open, as age requires. */
function identityOf(seed: AddressSeed): Identity {
  const secret = x25519Secret(seed)
  const own = x25519.getPublicKey(secret)
  return {
    unwrapFileKey(stanzas) {
      const mine = stanzas.filter(({ args }) => args[0] === 'X25519').slice(0, MAX_STANZAS)
      return mine.map((stanza) => unwrap(stanza, secret, own)).find((key) => key !== null) ?? null
    },
  }
}

function unwrap({ args, body }: Stanza, secret: Uint8Array, own: Uint8Array): Uint8Array | null {
  try {
    const ephemeral = base64nopad.decode(args[1] ?? '')
    const key = wrappingKey(x25519.getSharedSecret(secret, ephemeral), ephemeral, own)
    return body.length === 32 ? chacha20poly1305(key, ZERO_NONCE).decrypt(body) : null
  } catch {
    return null
  }
}

/** Encrypts to address keys (32 bytes each): a binary age file. */
export async function encryptTo(
  publicKeys: readonly AddressKey[],
  plain: Uint8Array,
  random: RandomBytes,
): Promise<Uint8Array> {
  const { Encrypter, Stanza: stanza } = await import('age-encryption')
  const encrypter = new Encrypter()
  for (const publicKey of publicKeys) encrypter.addRecipient(recipientOf(publicKey, random, stanza))
  return encrypter.encrypt(plain)
}

/** Decrypts an age file with the first matching address seed (32 bytes each); undefined if none matches. */
export async function decryptWith(
  seeds: readonly AddressSeed[],
  file: Uint8Array,
): Promise<{ readonly plain: Uint8Array; readonly seed: number } | undefined> {
  const { Decrypter } = await import('age-encryption')
  for (const [index, seed] of seeds.entries()) {
    const decrypter = new Decrypter()
    decrypter.addIdentity(identityOf(seed))
    const plain = await decrypter.decrypt(file).catch(() => undefined)
    if (plain) return { plain, seed: index }
  }
  return undefined
}
