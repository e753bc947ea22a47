// Import of grin-wallet's wallet_data/wallet.seed. Specification: grin-wallet, 1.9. Its 100 rounds are weak: read, never written.
import { pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import { chacha20poly1305 } from '@noble/ciphers/chacha.js'
import { fromHex } from '../../lib/bytes.js'
import { Secret } from '../../lib/secret.js'
import { isEntropyLength, parseMembers } from './document.js'
import { seedFileInvalid, seedWrongPassword } from './errors.js'

const ROUNDS = 100
const derive = promisify(pbkdf2)

/** The wallet seed (entropy of 16 … 32 bytes) in a wallet.seed text. Throws SEED_FILE_INVALID, SEED_WRONG_PASSWORD. */
export async function importGrinWalletSeed(text: string, password: Secret): Promise<Secret<Uint8Array>> {
  const { encrypted_seed, salt, nonce } = parseMembers(text)
  const content = bytesOf(encrypted_seed, 'encrypted_seed')
  const [saltBytes, nonceBytes] = [bytesOf(salt, 'salt', 8), bytesOf(nonce, 'nonce', 12)]
  const key = await derive(password.reveal(), saltBytes, ROUNDS, 32, 'sha512')
  const entropy = open(new Uint8Array(key), nonceBytes, content)
  if (!isEntropyLength(entropy.length)) throw seedFileInvalid(`holds ${entropy.length} bytes`)
  return new Secret(entropy)
}

function open(key: Uint8Array, nonce: Uint8Array, content: Uint8Array): Uint8Array {
  try {
    return chacha20poly1305(key, nonce).decrypt(content)
  } catch {
    throw seedWrongPassword()
  }
}

function bytesOf(value: unknown, name: string, length?: number): Uint8Array {
  if (typeof value !== 'string' || value.length > 1024) throw seedFileInvalid(`${name} is missing`)
  try {
    return fromHex(value, length, name)
  } catch {
    throw seedFileInvalid(`${name} is not hex of its length`)
  }
}
