// A vault: a seed and everything that a wallet stores, encrypted under a password in any storage of a wallet.
import type { WalletSeed } from '../../grin/kinds/index.js'
import { bytesOfHex, toHex, wipe } from '../../lib/bytes.js'
import { orThrow } from '../../lib/errors.js'
import { checkKind, ofKind } from '../../lib/kinds.js'
import type { RandomSource } from '../../lib/random-bytes.js'
import { DEFAULT_SCRYPT_COST, isBoundedCost, type ScryptCost } from '../../lib/scrypt-cost.js'
import type { ChainType } from '../chain-rules.js'
import { walletStorageConflict } from '../errors.js'
import type { StoredRecord, WalletStorage } from '../storage/storage.js'
import { vaultDamaged, vaultExists, vaultLocked, vaultNone, vaultPassword } from './errors.js'
import { HEADER_KEY, headerRecord, keysOf, openKeys, readHeader, revealKey, sealKey, type VaultKeys } from './header.js'
import { type EncryptedRecords, encryptRecords, OWN, sealRecord } from './records.js'

/** What the header of a vault says without its password. */
export interface VaultInfo {
  readonly chainType: ChainType
  readonly cost: ScryptCost
}

/** A vault that is unlocked. */
export interface Vault {
  readonly chainType: ChainType
  /** For `openWallet`: every record is encrypted. Its methods reject with VAULT_LOCKED once the vault is locked. */
  readonly storage: WalletStorage
  /** The wallet seed (secret): overwrite it when the keychain is open. Rejects with VAULT_DAMAGED or VAULT_LOCKED. */
  seed(): Promise<WalletSeed>
  /** What `saveSettings` stored; undefined before. */
  settings(): Promise<unknown>
  /** Stores settings of the program, such as a node and its secret: a JSON value of at most 64 kB. */
  saveSettings(settings: unknown): Promise<void>
  /**
   * Another password, in one commit: the old one or the new one opens the vault, whatever happens meanwhile. The records stay as they are.
   * Rejects with VAULT_WRONG_PASSWORD or VAULT_PASSWORD.
   */
  changePassword(change: PasswordChange): Promise<void>
  /** Forgets the keys. A wallet and a keychain that are open keep what they have read: drop them too. */
  lock(): void
}

/** A password and the one that follows. */
export interface PasswordChange {
  readonly from: string
  /** At least 8 characters. */
  readonly to: string
  /** The cost of scrypt from now on; default as for a new vault. */
  readonly cost?: ScryptCost
}

/** Where a vault is, and what opens it. */
export interface UnlockOptions {
  readonly storage: WalletStorage
  /** Secret. */
  readonly password: string
  readonly random: RandomSource
}

/** What a new vault holds. */
export interface CreateVaultOptions extends UnlockOptions {
  readonly chainType: ChainType
  /** The wallet seed (secret): 16 … 32 bytes. */
  readonly seed: WalletSeed
  /** Settings of the program: a JSON value. */
  readonly settings?: unknown
  /** The cost of scrypt; default N = 2^17, r = 8, p = 1: 128 MiB and about a second. */
  readonly cost?: ScryptCost
}

const SEED = `${OWN}seed`
const SETTINGS = `${OWN}settings`
const LEAST_PASSWORD = 8
/** Characters of JSON. */
const MOST_SETTINGS = 65_536
const MOST_CONFLICTS = 10

/** Says which chain a vault is of; undefined for an empty storage. Rejects with VAULT_DAMAGED or VAULT_NEWER. */
export async function inspectVault(storage: WalletStorage): Promise<VaultInfo | undefined> {
  const stored = await storedHeader(storage)
  if (!stored) return undefined
  const { chainType, cost } = readHeader(stored.record)
  return { chainType, cost }
}

async function storedHeader(storage: WalletStorage) {
  const { revision, records } = await storage.load()
  const record = records.find(({ key }) => key === HEADER_KEY)
  return record && { revision, record }
}

/** Makes a vault in an empty storage. Rejects with VAULT_EXISTS, VAULT_PASSWORD, VAULT_UNSUPPORTED, or RangeError for a cost out of bounds. */
export async function createVault(options: CreateVaultOptions): Promise<Vault> {
  const { storage, chainType, password, random, seed, settings, cost = DEFAULT_SCRYPT_COST } = options
  checkNew(password, cost)
  checkKind('wallet seed', seed)
  const { revision, records } = await storage.load()
  if (records.length > 0) throw vaultExists(records.some(({ key }) => key === HEADER_KEY) ? 'a vault' : 'other records')
  const key = random(32)
  try {
    const header = await sealKey(key, { chainType, cost, password, random })
    const keys = await keysOf(key)
    const own = [recordOf(SEED, toHex(seed)), ...(settings === undefined ? [] : [recordOf(SETTINGS, settings)])]
    const sealed = await Promise.all(own.map((record) => sealRecord(keys, record, random)))
    const batch = { revision, put: [headerRecord(header), ...sealed], remove: [] }
    if ((await storage.commit(batch)) === 'conflict') throw vaultExists('what another window stored just now')
    return vaultOf(storage, { chainType, keys, random })
  } finally {
    wipe(key)
  }
}

/** Throws VAULT_PASSWORD, or RangeError for a cost out of bounds. */
function checkNew(password: string, cost: ScryptCost): void {
  if ([...password.normalize('NFKC')].length < LEAST_PASSWORD) throw vaultPassword(LEAST_PASSWORD)
  if (!isBoundedCost(cost)) throw new RangeError(`scrypt with N ${cost.N}, r ${cost.r}, p ${cost.p}`)
}

/** Throws RangeError for settings that are too long or no JSON. */
function recordOf(key: string, content: unknown): StoredRecord {
  const value = JSON.stringify(content)
  if (value === undefined || value.length > MOST_SETTINGS)
    throw new RangeError(`settings of a vault: JSON of at most ${MOST_SETTINGS} characters`)
  return { key, value }
}

/**
 * Unlocks a vault. Rejects with VAULT_WRONG_PASSWORD if its header is whole, otherwise with VAULT_DAMAGED before a key is derived; with
 * VAULT_NONE, VAULT_NEWER or VAULT_UNSUPPORTED.
 */
export async function unlockVault({ storage, password, random }: UnlockOptions): Promise<Vault> {
  const stored = await storedHeader(storage)
  if (!stored) throw vaultNone()
  const header = readHeader(stored.record)
  const keys = await openKeys(header, password)
  return vaultOf(storage, { chainType: header.chainType, keys, random })
}

interface Unlocked {
  readonly chainType: ChainType
  readonly keys: VaultKeys
  readonly random: RandomSource
}

function vaultOf(storage: WalletStorage, { chainType, keys, random }: Unlocked): Vault {
  let held: VaultKeys | undefined = keys
  const records = encryptRecords(storage, () => held, random)
  const { all: _, ...walletStorage } = records
  return {
    chainType,
    storage: walletStorage,
    async seed() {
      const bytes = bytesOfHex(await ownValue(records, SEED))
      if (!bytes) throw vaultDamaged('its seed is missing')
      return ofKind('wallet seed', bytes)
    },
    settings: () => ownValue(records, SETTINGS),
    saveSettings: (settings) =>
      untilCommitted(async () => {
        const { revision } = await records.all()
        return records.commit({ revision, put: [recordOf(SETTINGS, settings)], remove: [] })
      }),
    async changePassword(change) {
      if (!held) throw vaultLocked()
      await changePassword(storage, change, random)
    },
    lock() {
      held = undefined
    },
  }
}

async function ownValue(records: EncryptedRecords, wanted: string): Promise<unknown> {
  const found = (await records.all()).records.find(({ key }) => key === wanted)
  if (!found) return undefined
  return orThrow(
    () => JSON.parse(found.value),
    () => vaultDamaged('what it keeps for itself is not JSON'),
  )
}

/** Other windows commit meanwhile. Throws WALLET_STORAGE_CONFLICT if they never stop. */
async function untilCommitted(attempt: () => Promise<'committed' | 'conflict'>): Promise<void> {
  for (let conflicts = 0; conflicts < MOST_CONFLICTS; conflicts++) if ((await attempt()) === 'committed') return
  throw walletStorageConflict()
}

/** The key is encrypted anew, and the header replaced, if it is still the one that the old password opened. */
async function changePassword(
  storage: WalletStorage,
  { from, to, cost = DEFAULT_SCRYPT_COST }: PasswordChange,
  random: RandomSource,
): Promise<void> {
  checkNew(to, cost)
  const before = await storedHeader(storage)
  if (!before) throw vaultNone()
  const header = readHeader(before.record)
  const key = await revealKey(header, from)
  try {
    const next = headerRecord(await sealKey(key, { chainType: header.chainType, cost, password: to, random }))
    await untilCommitted(async () => {
      const now = await storedHeader(storage)
      if (now?.record.value !== before.record.value) throw walletStorageConflict()
      return storage.commit({ revision: now.revision, put: [next], remove: [] })
    })
  } finally {
    wipe(key)
  }
}
