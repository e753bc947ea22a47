// The tables of a wallet's storage: how their rows are named and written. A row carries the version of its form.
import { identifierFromPath } from '../../grin/keychain/index.js'
import { SLATE_STATES } from '../../grin/slate/index.js'
import { orThrow } from '../../lib/errors.js'
import { membersOf } from '../../lib/parse-json.js'
import { STRATEGIES } from '../coins/select.js'
import { walletStorageDamaged, walletStorageNewer } from '../errors.js'
import {
  MOST_ADDRESSES,
  OUTPUT_STATUSES,
  type SeenBlock,
  type StoredProof,
  TRANSACTION_KINDS,
  TRANSACTION_STATUSES,
  type WalletAccount,
  type WalletOutput,
  type WalletTransaction,
} from '../model.js'
import {
  amount,
  bytes,
  type Codec,
  flag,
  hexText,
  list,
  meaning,
  object,
  oneOf,
  optional,
  type RowOf,
  text,
  upTo,
  whole,
} from './codec.js'
import type { StoredRecord } from './storage.js'

const VERSION = 1

/** BIP32 indexes of keys that are not hardened end here. */
const MOST_KEYS = 2 ** 31
const commitment = hexText(33)
const excess = hexText(33)

const account: Codec<WalletAccount> = object({
  index: upTo(2 ** 32 - 1),
  label: text,
  nextOutput: upTo(MOST_KEYS),
  addresses: upTo(MOST_ADDRESSES),
})

const path = meaning(text, isPath, 'the path of a key')

function isPath(value: string): boolean {
  try {
    return identifierFromPath(value).length > 0
  } catch {
    return false
  }
}

const ownOutput = { commitment, path, value: amount }

const output: Codec<WalletOutput> = object({
  ...ownOutput,
  account: whole,
  status: oneOf(OUTPUT_STATUSES),
  height: whole,
  coinbase: flag,
  lockHeight: whole,
  transaction: whole,
  spentBy: optional(whole),
  spentHeight: optional(whole),
  mmrIndex: optional(whole),
})

const proof: Codec<StoredProof> = object({
  amount: text,
  excess: text,
  recipient_address: text,
  recipient_sig: text,
  sender_address: text,
  sender_sig: optional(text),
})

const transaction: Codec<WalletTransaction> = object({
  id: whole,
  account: whole,
  kind: oneOf(TRANSACTION_KINDS),
  status: oneOf(TRANSACTION_STATUSES),
  slateId: optional(text),
  written: optional(oneOf(SLATE_STATES.filter((state) => state !== 'NA'))),
  amount,
  fee: optional(amount),
  credited: amount,
  debited: amount,
  createdAt: whole,
  confirmedAt: optional(whole),
  postedAt: optional(whole),
  height: optional(whole),
  cancelledHeight: optional(whole),
  ttl: optional(whole),
  excess: optional(excess),
  minHeight: whole,
  inputs: list(commitment),
  outputs: list(object(ownOutput)),
  request: optional(hexText(32)),
  slate: optional(bytes),
  counterparty: optional(text),
  address: optional(object({ account: whole, index: whole })),
  label: optional(text),
  proof: optional(proof),
})

const lateLock = object({
  strategy: oneOf(STRATEGIES),
  maxInputs: optional(whole),
  changeOutputs: optional(whole),
  minConfirmations: optional(whole),
})

const contextMembers = {
  slateId: text,
  flow: oneOf(['send', 'invoice']),
  /** Key and nonce, encrypted under a key of the seed. */
  sealed: bytes,
  /** The range proof of an invoice's output. */
  rangeProof: optional(bytes),
  /** How the coins are chosen when the S2 arrives; absent: they are locked already. */
  late: optional(lateLock),
} as const

/** What an S1 or I1 of ours needs for its one signature. Removed with it. */
export type SlateContext = RowOf<typeof contextMembers>
const context: Codec<SlateContext> = object(contextMembers)

const seenBlock = { height: whole, hash: text }

const identityMembers = {
  chainType: text,
  /** Identifies the seed, without revealing it. */
  seed: text,
  /** Its rows come from the chain: keys may have been used that no row shows. */
  isRestored: optional(flag),
  /** How many answers of nodes were stored: an answer that was asked for before another one was stored is older than it. */
  looks: optional(whole),
  /** A block that every node of this wallet's chain has: so deep that no fork replaces it. */
  anchor: optional(object(seenBlock)),
}

const scanMembers = {
  /** The next index to ask for. */
  next: whole,
  /** The last index to look at; absent: up to the newest. */
  until: optional(whole),
  seen: whole,
  /** Outputs of this wallet. */
  found: whole,
  /** The tip when the scan began: it must still be on the chain at the end. */
  tip: object(seenBlock),
  /** The first unused key of every account when the scan began. */
  counters: list(object({ account: whole, next: whole })),
}

/** How far a scan is, stored with what it found. */
export type ScanCheckpoint = RowOf<typeof scanMembers>

/** The rows of every table, by its name in the keys. */
export interface Rows {
  readonly account: WalletAccount
  readonly output: WalletOutput
  readonly transaction: WalletTransaction
  readonly context: SlateContext
  readonly identity: RowOf<typeof identityMembers>
  readonly seenBlock: SeenBlock
  readonly scan: ScanCheckpoint
}
export type TableName = keyof Rows

interface Table<T> {
  readonly codec: Codec<T>
  /** Unique within the table. */
  readonly nameOf: (row: T) => string
}

/** The name of the only row of a table. */
export const ONLY = 'it'
const alone = <T>(codec: Codec<T>): Table<T> => ({ codec, nameOf: () => ONLY })

const TABLES: { readonly [N in TableName]: Table<Rows[N]> } = {
  account: { codec: account, nameOf: ({ index }) => `${index}` },
  output: { codec: output, nameOf: ({ commitment }) => commitment },
  transaction: { codec: transaction, nameOf: ({ id }) => `${id}` },
  context: { codec: context, nameOf: ({ slateId }) => slateId },
  identity: alone(object(identityMembers)),
  seenBlock: alone(object(seenBlock)),
  scan: alone(object(scanMembers)),
}

export const keyOf = (table: TableName, name: string): string => `${table}/${name}`

/** The name of a row within its table. */
export const nameOf = <N extends TableName>(table: N, row: Rows[N]): string => TABLES[table].nameOf(row)

/** A row as it is stored. */
export const recordOf = <N extends TableName>(table: N, row: Rows[N]): StoredRecord => ({
  key: keyOf(table, nameOf(table, row)),
  value: JSON.stringify({ v: VERSION, row: TABLES[table].codec.write(row) }),
})

/** The table of a stored record. Throws WALLET_STORAGE_NEWER. */
export function tableOf({ key }: StoredRecord): TableName {
  const name = key.slice(0, key.indexOf('/'))
  if (!Object.hasOwn(TABLES, name)) throw walletStorageNewer(key)
  return name as TableName
}

/** Reads a stored record of a table. Throws WALLET_STORAGE_NEWER or WALLET_STORAGE_DAMAGED. */
export function readRow<N extends TableName>(table: N, { key, value }: StoredRecord): Rows[N] {
  const json = orThrow(
    () => JSON.parse(value),
    () => walletStorageDamaged(`${key} is not JSON`),
  )
  const { v, row } = membersOf(json)
  if (typeof v === 'number' && v > VERSION) throw walletStorageNewer(key)
  const read = readingRow(key, () => TABLES[table].codec.read(row, key))
  // Under another name it could not be changed or removed.
  if (keyOf(table, nameOf(table, read)) !== key) throw walletStorageDamaged(`${key}: a row of another name`)
  return read
}

/** Whatever a damaged row makes fail is WALLET_STORAGE_DAMAGED, and names the row. */
export function readingRow<T>(what: string, read: () => T): T {
  try {
    return read()
  } catch (thrown) {
    throw walletStorageDamaged(thrown instanceof RangeError ? thrown.message : what)
  }
}
