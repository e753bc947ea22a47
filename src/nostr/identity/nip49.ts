// Encrypts a secret key with a password (NIP-49). Own code, because nostr-tools runs scrypt in JavaScript on the event loop at
// whatever cost. Here OpenSSL runs scrypt in a thread pool, and the cost has a limit.

import { scrypt } from 'node:crypto'
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { concatBytes } from '../../lib/bytes.js'
import type { RandomBytes } from '../../lib/random-bytes.js'
import { Secret } from '../../lib/secret.js'
import { decodeCode, encodeCode } from '../nip19/index.js'
import { identityDamaged, identityWrongPassword } from './errors.js'

const VERSION = 2
const LOG_N = 16
/** Limits the memory for reading a text to one gigabyte. */
const MAX_LOG_N = 20
/** "The key was not known to have been handled insecurely." */
const KEY_SECURITY = 1
/** version, log n, salt[16], nonce[24], key security, 32-byte key with its 16-byte tag. */
const LENGTH = 1 + 1 + 16 + 24 + 1 + 48

/** Encrypts a 32-byte key. */
export async function encryptKey(secret: Secret<Uint8Array>, password: Secret, random: RandomBytes): Promise<string> {
  const salt = random.bytes(16)
  const nonce = random.bytes(24)
  const security = Uint8Array.of(KEY_SECURITY)
  const key = await stretch(password, salt, LOG_N)
  const sealed = xchacha20poly1305(key, nonce, security).encrypt(secret.reveal())
  return encodeCode('ncryptsec', concatBytes(Uint8Array.of(VERSION, LOG_N), salt, nonce, security, sealed))
}

/** The 32-byte key. Throws NOSTR_CODE_INVALID, IDENTITY_DAMAGED, IDENTITY_WRONG_PASSWORD. */
export async function decryptKey(ncryptsec: string, password: Secret): Promise<Secret<Uint8Array>> {
  const bytes = decodeCode('ncryptsec', ncryptsec)
  const [version, logN = 0] = bytes
  if (bytes.length !== LENGTH || version !== VERSION) throw identityDamaged('not an ncryptsec of version 2')
  if (logN < 1 || logN > MAX_LOG_N) throw identityDamaged(`log n ${logN} is out of range`)
  const key = await stretch(password, bytes.subarray(2, 18), logN)
  const cipher = xchacha20poly1305(key, bytes.subarray(18, 42), bytes.subarray(42, 43))
  try {
    return new Secret(cipher.decrypt(bytes.subarray(43)))
  } catch {
    throw identityWrongPassword()
  }
}

/** scrypt with r = 8, p = 1 over the NFKC form of the password; 32 bytes. Runs off the event loop. */
function stretch(password: Secret, salt: Uint8Array, logN: number): Promise<Uint8Array> {
  const cost = { N: 2 ** logN, r: 8, p: 1, maxmem: 128 * 8 * 2 ** logN + 1_048_576 }
  return new Promise((resolve, reject) => {
    scrypt(password.reveal().normalize('NFKC'), salt, 32, cost, (error, key) => (error ? reject(error) : resolve(key)))
  })
}
