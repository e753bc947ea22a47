// Encrypts the seed with a password: scrypt, then XChaCha20-Poly1305. All other members of the document, such as the chain, are
// associated data, so that none can change without the password.
import { pbkdf2, type ScryptOptions, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { chacha20poly1305, xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { concatBytes, utf8, wipe } from '../../lib/bytes.js'
import { orThrow } from '../../lib/errors.js'
import type { RandomBytes } from '../../lib/random-bytes.js'
import { Secret } from '../../lib/secret.js'
import { type Keychain, openKeychain } from '../keychain/index.js'
import {
  boundedCost,
  type Cost,
  DEFAULT_COST,
  formatSealedSeed,
  hexOf,
  isEntropyLength,
  parseMembers,
  parseSealedSeed,
  type SealedSeed,
} from './document.js'
import { seedFileInvalid, seedWrongChain, seedWrongPassword } from './errors.js'

export interface SealInput {
  /** 16, 20, 24, 28 or 32 bytes. */
  readonly entropy: Secret<Uint8Array>
  readonly password: Secret
  /** The chain of the seed, e.g. "mainnet" or "sandbox": lower-case letters, digits, hyphens. */
  readonly chain: string
  readonly random: RandomBytes
  /** Default: `DEFAULT_COST`. */
  readonly cost?: Cost
}

/** Encrypts a seed: the text of the document to store. Throws RangeError for an impossible entropy or chain name. */
export async function sealSeed({ entropy, password, chain, random, cost = DEFAULT_COST }: SealInput): Promise<string> {
  const plain = entropy.reveal()
  if (!isEntropyLength(plain.length)) throw new RangeError(`a seed of ${plain.length} bytes`)
  if (!/^[a-z0-9-]{1,32}$/.test(chain)) throw new RangeError('a chain name is lower-case letters, digits and hyphens')
  const header = { chain, cost: boundedCost(cost), salt: random.bytes(16), nonce: random.bytes(24) }
  const key = await keyOf(password, header)
  const content = xchacha20poly1305(key, header.nonce, associatedData(header)).encrypt(plain)
  wipe(key)
  return formatSealedSeed({ ...header, content })
}

/**
 * Decrypts a document for a till on `chain`. Throws SEED_FILE_INVALID, SEED_FILE_TOO_NEW, SEED_WRONG_CHAIN (before the
 * password is tried) or SEED_WRONG_PASSWORD.
 */
export async function openSeed(text: string, password: Secret, chain: string): Promise<Secret<Uint8Array>> {
  const sealed = sealedSeedOf(text, chain)
  const key = await keyOf(password, sealed)
  try {
    return new Secret(xchacha20poly1305(key, sealed.nonce, associatedData(sealed)).decrypt(sealed.content))
  } catch {
    throw seedWrongPassword()
  } finally {
    wipe(key)
  }
}

function sealedSeedOf(text: string, chain: string): SealedSeed {
  const sealed = parseSealedSeed(text)
  if (sealed.chain !== chain) throw seedWrongChain(sealed.chain, chain)
  return sealed
}

/** Looks at a document without its password. Throws SEED_FILE_INVALID, SEED_FILE_TOO_NEW, SEED_WRONG_CHAIN. */
export const requireSeedOf = (text: string, chain: string): void => void sealedSeedOf(text, chain)

/** The chain of a document, read without its password. Throws SEED_FILE_INVALID, SEED_FILE_TOO_NEW. */
export const chainOfSealedSeed = (text: string): string => parseSealedSeed(text).chain

type Header = Omit<SealedSeed, 'content'>

function associatedData({ chain, cost: { N, r, p }, salt }: Header): Uint8Array {
  return concatBytes(utf8(`grinpay-seed/1|${chain}|scrypt|${N}|${r}|${p}|`), salt)
}

function keyOf(password: Secret, { cost: { N, r, p }, salt }: Header): Promise<Uint8Array> {
  // Node's limit needs slightly more than 128*N*r*p.
  const options: ScryptOptions = { N, r, p, maxmem: 128 * N * r + 128 * r * p + 2 ** 20 }
  return new Promise((resolve, reject) => {
    // Composed and decomposed accents give the same password.
    scrypt(password.reveal().normalize('NFKC'), salt, 32, options, (error, key) =>
      error ? reject(error) : resolve(new Uint8Array(key)),
    )
  })
}

/** Opens the keychain of a seed and consumes the seed: it overwrites the bytes with zeros. */
export function takeKeychain(entropy: Secret<Uint8Array>): Keychain {
  try {
    return openKeychain(entropy.reveal())
  } finally {
    entropy.wipe()
  }
}

// What the password of a new wallet must be: one rule for the wizard, `wallet restore` and a first start with PAY_MNEMONIC.
/** Characters. A wallet that exists opens with the password it has, however short. */
const LEAST_PASSWORD = 8

/** Why this cannot become a wallet password; undefined when it can. Counts characters, not bytes. */
export const weakPassword = (text: string): string | undefined =>
  [...text].length < LEAST_PASSWORD ? `a wallet password has at least ${LEAST_PASSWORD} characters` : undefined

// Import of grin-wallet's wallet_data/wallet.seed. Specification: grin-wallet, 1.9. Its 100 rounds are weak: read, never written.
const ROUNDS = 100
const derive = promisify(pbkdf2)

/** The wallet seed (entropy of 16 … 32 bytes) in a wallet.seed text. Throws SEED_FILE_INVALID, SEED_WRONG_PASSWORD. */
export async function importGrinWalletSeed(text: string, password: Secret): Promise<Secret<Uint8Array>> {
  const { encrypted_seed, salt, nonce } = parseMembers(text)
  const content = bytesOf(encrypted_seed, 'encrypted_seed')
  const [saltBytes, nonceBytes] = [bytesOf(salt, 'salt', 8), bytesOf(nonce, 'nonce', 12)]
  const key = await derive(password.reveal(), saltBytes, ROUNDS, 32, 'sha512')
  const entropy = orThrow(() => chacha20poly1305(new Uint8Array(key), nonceBytes).decrypt(content), seedWrongPassword)
  if (!isEntropyLength(entropy.length)) throw seedFileInvalid(`holds ${entropy.length} bytes`)
  return new Secret(entropy)
}

function bytesOf(value: unknown, name: string, length?: number): Uint8Array {
  if (typeof value !== 'string' || value.length > 1024) throw seedFileInvalid(`${name} is missing`)
  return hexOf(value, length, name)
}
