// The header of a vault: the only record that is stored in plain text. It says how the password opens the vault's key.
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, fromHex, toHex, utf8 } from '../../lib/bytes.js'
import { foreignText } from '../../lib/foreign-text.js'
import { membersOf } from '../../lib/parse-json.js'
import { isBoundedCost, type ScryptCost } from '../../lib/scrypt-cost.js'
import { CHAIN_RULES, type ChainType } from '../chain-rules.js'
import type { StoredRecord } from '../storage/storage.js'
import { vaultDamaged, vaultNewer } from './errors.js'

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
export const associatedData = ({ chainType, cost: { N, r, p }, salt }: Bound): Uint8Array =>
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
  const { v, chainType, kdf, cipher, sum } = parsed(value)
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

function parsed(value: string): Readonly<Record<string, unknown>> {
  try {
    return membersOf(JSON.parse(value))
  } catch {
    throw vaultDamaged('its header is not JSON')
  }
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
  try {
    return fromHex(typeof value === 'string' ? value : '', length)
  } catch {
    throw vaultDamaged(`the ${what} in its header is not ${length} bytes in hex`)
  }
}
