// The header of a vault: the only record that is stored in plain text. It says how the password opens the vault's key.
import { scryptAsync } from '@noble/hashes/scrypt.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, fromHex, toHex, utf8, wipe } from '../../lib/bytes.js'
import { orThrow } from '../../lib/errors.js'
import { membersOf } from '../../lib/parse-json.js'
import { foreignText } from '../../lib/plain-text.js'
import type { RandomSource } from '../../lib/random-bytes.js'
import { isBoundedCost, type ScryptCost } from '../../lib/scrypt-cost.js'
import type { WebCipherKey, WebSubtle } from '../../lib/web-types.js'
import { CHAIN_RULES, type ChainType } from '../chain-rules.js'
import type { StoredRecord } from '../storage/storage.js'
import { vaultDamaged, vaultNewer, vaultUnsupported, vaultWrongPassword } from './errors.js'

/** Key of the header among the records. */
export const HEADER_KEY = 'vault/header'
const VERSION = 1
/** Longest header in characters; one of ours has 460. */
const MOST_LENGTH = 4096

/** How the key of a vault is kept. */
export interface VaultHeader {
  readonly chainType: ChainType
  readonly cost: ScryptCost
  /** 16 bytes. */
  readonly salt: Uint8Array
  /** 12 bytes. */
  readonly iv: Uint8Array
  /** The vault's key of 32 bytes, encrypted under a key of the password, and a tag of 16 bytes. */
  readonly key: Uint8Array
}

type Bound = Pick<VaultHeader, 'chainType' | 'cost' | 'salt'>

/** What the encrypted key is bound to: nothing of it changes without the password. */
const associatedData = ({ chainType, cost: { N, r, p }, salt }: Bound): Uint8Array =>
  concatBytes(utf8(`grinpay-vault/${VERSION}|${chainType}|scrypt|${N}|${r}|${p}|`), salt)

/** Tells damage from a wrong password; it is no protection against an attacker. 8 bytes. */
const checkSum = (header: VaultHeader): string =>
  toHex(sha256(concatBytes(associatedData(header), header.iv, header.key))).slice(0, 16)

/** The header as it is stored. */
export function headerRecord(header: VaultHeader): StoredRecord {
  const { chainType, cost, salt, iv, key } = header
  const kdf = { name: 'scrypt', N: cost.N, r: cost.r, p: cost.p, salt: toHex(salt) }
  const cipher = { name: 'AES-256-GCM', iv: toHex(iv), key: toHex(key) }
  return { key: HEADER_KEY, value: JSON.stringify({ v: VERSION, chainType, kdf, cipher, sum: checkSum(header) }) }
}

/** Reads a header before any key is derived. Throws VAULT_DAMAGED, which names what is wrong, or VAULT_NEWER. */
export function readHeader({ value }: StoredRecord): VaultHeader {
  if (value.length > MOST_LENGTH) throw vaultDamaged(`a header of ${value.length} characters`)
  const document = orThrow(
    () => JSON.parse(value),
    () => vaultDamaged('its header is not JSON'),
  )
  const { v, chainType, kdf, cipher, sum } = membersOf(document)
  if (typeof v === 'number' && v > VERSION) throw vaultNewer(v)
  if (v !== VERSION) throw vaultDamaged('its header has no version')
  const { name, N, r, p, salt } = membersOf(kdf)
  const { name: cipherName, iv, key } = membersOf(cipher)
  if (name !== 'scrypt' || cipherName !== 'AES-256-GCM') throw vaultDamaged('its header names an unknown encryption')
  const header = {
    chainType: chainOf(chainType),
    cost: costOf(N, r, p),
    salt: bytesOf(salt, 16, 'salt'),
    iv: bytesOf(iv, 12, 'iv'),
    key: bytesOf(key, 48, 'key'),
  }
  if (sum !== checkSum(header)) throw vaultDamaged('the check sum of its header is another one')
  return header
}

function chainOf(value: unknown): ChainType {
  const chain = (Object.keys(CHAIN_RULES) as ChainType[]).find((one) => one === value)
  if (chain === undefined) throw vaultDamaged(`its header names the chain "${foreignText(value).slice(0, 20)}"`)
  return chain
}

function costOf(N: unknown, r: unknown, p: unknown): ScryptCost {
  const cost = { N: numberOf(N), r: numberOf(r), p: numberOf(p) }
  if (!isBoundedCost(cost)) throw vaultDamaged(`scrypt with N ${cost.N}, r ${cost.r}, p ${cost.p} is out of bounds`)
  return cost
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

function bytesOf(value: unknown, length: number, what: string): Uint8Array {
  return orThrow(
    () => fromHex(typeof value === 'string' ? value : '', length),
    () => vaultDamaged(`the ${what} in its header is not ${length} bytes in hex`),
  )
}

// The keys of a vault. The password opens one key of 32 bytes, from which Web Crypto derives those of the records. None of them can be
// exported: a script of the page can use them while the vault is unlocked, and cannot take them along.
declare const crypto: { readonly subtle?: WebSubtle } | undefined

/** The keys of an unlocked vault. */
export interface VaultKeys {
  /** AES-256-GCM: the content of records. */
  readonly records: WebCipherKey
  /** HMAC-SHA-256: the names of records. */
  readonly names: WebCipherKey
}

/** Throws VAULT_UNSUPPORTED: pages have it over https and from localhost alone. */
export function subtleCrypto(): WebSubtle {
  const subtle = typeof crypto === 'undefined' ? undefined : crypto.subtle
  if (!subtle) throw vaultUnsupported()
  return subtle
}

/** The key of a password, which encrypts the vault's key. Composed and decomposed accents give the same one. */
async function passwordKey(
  password: string,
  { salt, cost }: Pick<VaultHeader, 'salt' | 'cost'>,
): Promise<WebCipherKey> {
  const subtle = subtleCrypto()
  const secret = utf8(password.normalize('NFKC'))
  const bytes = await scryptAsync(secret, salt, { N: cost.N, r: cost.r, p: cost.p, dkLen: 32 })
  try {
    return await subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt', 'unwrapKey'])
  } finally {
    wipe(bytes, secret)
  }
}

const cipherOf = (header: Omit<VaultHeader, 'key'>) => ({
  name: 'AES-GCM',
  iv: header.iv,
  additionalData: associatedData(header),
})

/** What is needed to encrypt a vault's key. */
export interface NewHeader {
  readonly chainType: ChainType
  readonly cost: ScryptCost
  readonly password: string
  readonly random: RandomSource
}

/** Encrypts a vault's key (32 bytes, secret; the caller overwrites it) under a password. */
export async function sealKey(key: Uint8Array, { chainType, cost, password, random }: NewHeader): Promise<VaultHeader> {
  const header = { chainType, cost, salt: random(16), iv: random(12) }
  const sealed = await subtleCrypto().encrypt(cipherOf(header), await passwordKey(password, header), key)
  return { ...header, key: new Uint8Array(sealed) }
}

/** The vault's key, 32 bytes, secret: to encrypt it under another password. Throws VAULT_WRONG_PASSWORD. */
export async function revealKey(header: VaultHeader, password: string): Promise<Uint8Array> {
  const key = await passwordKey(password, header)
  try {
    return new Uint8Array(await subtleCrypto().decrypt(cipherOf(header), key, header.key))
  } catch {
    throw vaultWrongPassword()
  }
}

/** The keys of a vault; its own key never lies in the memory of the program. Throws VAULT_WRONG_PASSWORD. */
export async function openKeys(header: VaultHeader, password: string): Promise<VaultKeys> {
  const subtle = subtleCrypto()
  const key = await passwordKey(password, header)
  try {
    return await derived(await subtle.unwrapKey('raw', header.key, key, cipherOf(header), 'HKDF', false, ['deriveKey']))
  } catch {
    throw vaultWrongPassword()
  }
}

/** The same keys of a vault that is being made. */
export const keysOf = async (key: Uint8Array): Promise<VaultKeys> =>
  derived(await subtleCrypto().importKey('raw', key, 'HKDF', false, ['deriveKey']))

async function derived(root: WebCipherKey): Promise<VaultKeys> {
  const derive = (purpose: string, kind: object, uses: readonly string[]): Promise<WebCipherKey> =>
    subtleCrypto().deriveKey(
      { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: utf8(`grinpay vault 1 ${purpose}`) },
      root,
      kind,
      false,
      uses,
    )
  return {
    records: await derive('records', { name: 'AES-GCM', length: 256 }, ['encrypt', 'decrypt']),
    names: await derive('names', { name: 'HMAC', hash: 'SHA-256', length: 256 }, ['sign']),
  }
}
