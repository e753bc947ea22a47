// The JSON document of an encrypted seed, and its checks before a key is derived.
import { fromHex, toHex } from '../../lib/bytes.js'
import { orThrow } from '../../lib/errors.js'
import { DEFAULT_SCRYPT_COST, isBoundedCost, type ScryptCost } from '../../lib/scrypt-cost.js'
import { seedFileInvalid, seedFileTooNew } from './errors.js'

/** The cost of scrypt: memory is 128 * N * r bytes. */
export type Cost = ScryptCost

/** About 0.4 s and 128 MiB. */
export const DEFAULT_COST: Cost = DEFAULT_SCRYPT_COST

export interface SealedSeed {
  readonly chain: string
  readonly cost: Cost
  /** 16 bytes. */
  readonly salt: Uint8Array
  /** 24 bytes. */
  readonly nonce: Uint8Array
  /** The entropy and a 16-byte tag. */
  readonly content: Uint8Array
}

const FORMAT = 'grinpay-seed'
const VERSION = 1

/** Whether a seed of 12 … 24 words has this many bytes. */
export const isEntropyLength = (length: number): boolean => [16, 20, 24, 28, 32].includes(length)

/** The document as text, indented for people, newline at the end. */
export function formatSealedSeed({ chain, cost, salt, nonce, content }: SealedSeed): string {
  const { N, r, p } = cost
  const kdf = { name: 'scrypt', N, r, p, salt: toHex(salt) }
  const cipher = { name: 'xchacha20-poly1305', nonce: toHex(nonce), content: toHex(content) }
  return `${JSON.stringify({ format: FORMAT, version: VERSION, chain, kdf, cipher }, null, 2)}\n`
}

/** Reads a document and checks its cost. Throws SEED_FILE_INVALID, SEED_FILE_TOO_NEW. */
export function parseSealedSeed(text: string): SealedSeed {
  const { format, version, chain, kdf, cipher } = parseMembers(text)
  if (format !== FORMAT || typeof version !== 'number') throw seedFileInvalid('it does not say so')
  if (version !== VERSION) throw seedFileTooNew(version)
  if (typeof chain !== 'string' || !/^[a-z0-9-]{1,32}$/.test(chain)) throw seedFileInvalid('no chain')
  const { name: kdfName, N, r, p, salt } = asMembers(kdf, 'kdf')
  const { name: cipherName, nonce, content } = asMembers(cipher, 'cipher')
  if (kdfName !== 'scrypt' || cipherName !== 'xchacha20-poly1305') throw seedFileInvalid('unknown encryption')
  return {
    chain,
    cost: boundedCost({ N: whole(N), r: whole(r), p: whole(p) }),
    salt: hex(salt, 16, 'salt'),
    nonce: hex(nonce, 24, 'nonce'),
    content: sealedContent(content),
  }
}

/** Refuses invalid scrypt parameters, and costs out of bounds. Throws SEED_FILE_INVALID. */
export function boundedCost(cost: Cost): Cost {
  if (!isBoundedCost(cost)) throw seedFileInvalid('its password hashing cost is out of bounds')
  return cost
}

type Members = Readonly<Record<string, unknown>>

/** A JSON object from a text of at most 64 kB. Throws SEED_FILE_INVALID. */
export function parseMembers(text: string): Members {
  if (text.length > 65_536) throw seedFileInvalid('too large')
  try {
    return asMembers(JSON.parse(text), 'file')
  } catch (error) {
    if (error instanceof SyntaxError) throw seedFileInvalid('not JSON')
    throw error
  }
}

function asMembers(value: unknown, name: string): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw seedFileInvalid(`no ${name}`)
  return value as Members
}

function whole(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw seedFileInvalid('no password hashing cost')
  return value
}

function sealedContent(value: unknown): Uint8Array {
  const bytes = hex(value, undefined, 'content')
  if (!isEntropyLength(bytes.length - 16)) throw seedFileInvalid('content has the wrong length')
  return bytes
}

/** Throws SEED_FILE_INVALID. */
export const hexOf = (text: string, length: number | undefined, name: string): Uint8Array =>
  orThrow(
    () => fromHex(text, length, name),
    () => seedFileInvalid(`${name} is not hex of its length`),
  )

function hex(value: unknown, length: number | undefined, name: string): Uint8Array {
  if (typeof value !== 'string') throw seedFileInvalid(`no ${name}`)
  return hexOf(value, length, name)
}
