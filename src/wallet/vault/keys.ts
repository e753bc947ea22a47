// The keys of a vault. The password opens one key of 32 bytes, from which Web Crypto derives those of the records. None of them can be
// exported: a script of the page can use them while the vault is unlocked, and cannot take them along.
import { scryptAsync } from '@noble/hashes/scrypt.js'
import { utf8, wipe } from '../../lib/bytes.js'
import type { RandomSource } from '../../lib/random-bytes.js'
import type { ScryptCost } from '../../lib/scrypt-cost.js'
import type { WebCipherKey, WebSubtle } from '../../lib/web-types.js'
import type { ChainType } from '../chain-rules.js'
import { vaultUnsupported, vaultWrongPassword } from './errors.js'
import { associatedData, type VaultHeader } from './header.js'

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
