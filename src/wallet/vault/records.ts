// A wallet's storage whose records are encrypted, names and all: what can be seen is how many there are, how long, and when they change.
import { concatBytes, fromBase64, toHex, utf8 } from '../../lib/bytes.js'
import type { RandomSource } from '../../lib/random-bytes.js'
import type { StorageBatch, StoredRecord, WalletStorage } from '../storage/storage.js'
import { vaultDamaged, vaultLocked } from './errors.js'
import { HEADER_KEY, subtleCrypto, type VaultKeys } from './header.js'

/** What a vault keeps for itself among the records; a wallet does not see it. */
export const OWN = 'vault/'

const IV_LENGTH = 12

export interface EncryptedRecords extends WalletStorage {
  /** All records but the header, those of the vault too. */
  all(): Promise<{ readonly revision: number; readonly records: readonly StoredRecord[] }>
}

/** `keys` answers undefined when the vault is locked: every method rejects with VAULT_LOCKED then. */
export function encryptRecords(
  inner: WalletStorage,
  keys: () => VaultKeys | undefined,
  random: RandomSource,
): EncryptedRecords {
  function unlocked(): VaultKeys {
    const held = keys()
    if (!held) throw vaultLocked()
    return held
  }

  async function all() {
    const held = unlocked()
    const { revision, records } = await inner.load()
    const others = records.filter(({ key }) => key !== HEADER_KEY)
    return { revision, records: await Promise.all(others.map((record) => openRecord(held, record))) }
  }

  async function commit({ revision, put, remove }: StorageBatch): Promise<'committed' | 'conflict'> {
    const held = unlocked()
    const sealed = await Promise.all(put.map((record) => sealRecord(held, record, random)))
    const names = await Promise.all(remove.map((key) => nameOf(held, key)))
    return inner.commit({ revision, put: sealed, remove: names })
  }

  const { revision, watch, close } = inner
  return {
    all,
    async load() {
      const { revision: at, records } = await all()
      return { revision: at, records: records.filter(({ key }) => !key.startsWith(OWN)) }
    },
    commit,
    ...(revision && {
      revision: async () => {
        unlocked()
        return revision.call(inner)
      },
    }),
    ...(watch && { watch: (changed: () => void) => watch.call(inner, changed) }),
    ...(close && { close: () => close.call(inner) }),
  }
}

async function nameOf({ names }: VaultKeys, key: string): Promise<string> {
  return toHex(new Uint8Array(await subtleCrypto().sign('HMAC', names, utf8(key))))
}

/** A record is bound to its name: it opens in no other place. */
const cipherOf = (name: string, iv: Uint8Array) => ({
  name: 'AES-GCM',
  iv,
  additionalData: utf8(`grinpay vault record 1 ${name}`),
})

/** The record as it is stored: 12 random bytes and the ciphertext with its tag, in base64. */
export async function sealRecord(keys: VaultKeys, record: StoredRecord, random: RandomSource): Promise<StoredRecord> {
  const name = await nameOf(keys, record.key)
  const iv = random(IV_LENGTH)
  const plain = utf8(JSON.stringify([record.key, record.value]))
  const sealed = await subtleCrypto().encrypt(cipherOf(name, iv), keys.records, plain)
  return { key: name, value: toBase64(concatBytes(iv, new Uint8Array(sealed))) }
}

/** Throws VAULT_DAMAGED. */
async function openRecord(keys: VaultKeys, { key: name, value }: StoredRecord): Promise<StoredRecord> {
  try {
    const bytes = fromBase64(value)
    const cipher = cipherOf(name, bytes.subarray(0, IV_LENGTH))
    const plain = await subtleCrypto().decrypt(cipher, keys.records, bytes.subarray(IV_LENGTH))
    const [key, text] = JSON.parse(new TextDecoder().decode(plain)) as [string, string]
    return { key, value: text }
  } catch {
    throw vaultDamaged(`record ${name.slice(0, 16)} cannot be opened`)
  }
}

/** In parts: a call takes some thousand arguments. */
function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 4096) text += String.fromCharCode(...bytes.subarray(at, at + 4096))
  return btoa(text)
}
