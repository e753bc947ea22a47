// A wallet's storage in the browser: IndexedDB, each commit one transaction that is on the disk before it is acknowledged.
import { messageOf } from '../../lib/errors.js'
import type { WebDatabase, WebDatabaseFactory, WebOpenRequest, WebTransaction } from '../../lib/web-types.js'
import { walletStorageFailed } from '../errors.js'
import {
  openChangeSignal,
  type StorageBatch,
  type StoredRecord,
  type StoredWallet,
  type WalletStorage,
} from './storage.js'

/** Which database of the browser. */
export interface IndexedDbOptions {
  /** One database per wallet. */
  readonly name: string
  /** Default: the browser's. */
  readonly indexedDB?: WebDatabaseFactory
}

declare const indexedDB: WebDatabaseFactory

const RECORDS = 'records'
const COUNTERS = 'counters'
const REVISION = 'revision'
const SCHEMA = 1

/**
 * Opens or creates the database. Another window may have it open too: the commit of the slower one is a conflict. Rejects with
 * WALLET_STORAGE_FAILED.
 */
export async function openIndexedDbStorage(options: IndexedDbOptions): Promise<WalletStorage> {
  const database = await openDatabase(options)
  const signal = openChangeSignal(`grinpay wallet ${options.name}`)
  const close = (): void => {
    signal.close()
    database.close()
  }
  // A newer version of the page wants to change the database: this one must let go of it.
  database.onversionchange = close
  return {
    load: () => load(database),
    revision: () => revisionOf(database),
    async commit(batch) {
      const outcome = await commit(database, batch)
      if (outcome === 'committed') signal.send()
      return outcome
    },
    watch: (changed) => signal.watch(changed),
    close: async () => close(),
  }
}

/** `open` throws a SecurityError where a browser keeps nothing: cookies blocked, a sandboxed frame. Some have no IndexedDB at all. */
function openRequest({ name, indexedDB: given }: IndexedDbOptions): WebOpenRequest {
  try {
    return (given ?? indexedDB).open(name, SCHEMA)
  } catch (thrown) {
    throw walletStorageFailed(messageOf(thrown))
  }
}

function openDatabase(options: IndexedDbOptions): Promise<WebDatabase> {
  return new Promise((resolve, reject) => {
    const request = openRequest(options)
    request.onupgradeneeded = () => {
      request.result.createObjectStore(RECORDS, { keyPath: 'key' })
      request.result.createObjectStore(COUNTERS)
    }
    let isBlocked = false
    // A blocked request goes on, and succeeds when the other window lets go: nothing would use or close its database.
    request.onsuccess = () => (isBlocked ? request.result.close() : resolve(request.result))
    request.onerror = () => reject(failed(request.error))
    request.onblocked = () => {
      isBlocked = true
      reject(walletStorageFailed('another window holds an older version of it open'))
    }
  })
}

const failed = (error: { readonly message: string } | null): Error =>
  walletStorageFailed(error?.message ?? 'the transaction was aborted')

/** Runs `work` in one transaction, and reads its result when the transaction is over and its changes are durable. */
function inTransaction<T>(
  database: WebDatabase,
  mode: 'readonly' | 'readwrite',
  work: (transaction: WebTransaction) => () => T,
) {
  return new Promise<T>((resolve, reject) => {
    try {
      const transaction = database.transaction([RECORDS, COUNTERS], mode, { durability: 'strict' })
      const result = work(transaction)
      transaction.oncomplete = () => resolve(result())
      transaction.onabort = () => reject(failed(transaction.error))
    } catch (thrown) {
      reject(walletStorageFailed(messageOf(thrown)))
    }
  })
}

/** Records and revision are of one moment: both are read in one transaction. */
function load(database: WebDatabase): Promise<StoredWallet> {
  return inTransaction(database, 'readonly', (transaction) => {
    const records = transaction.objectStore(RECORDS).getAll()
    const revision = transaction.objectStore(COUNTERS).get(REVISION)
    return () => ({ revision: numberOf(revision.result), records: records.result as StoredRecord[] })
  })
}

function revisionOf(database: WebDatabase): Promise<number> {
  return inTransaction(database, 'readonly', (transaction) => {
    const revision = transaction.objectStore(COUNTERS).get(REVISION)
    return () => numberOf(revision.result)
  })
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

function commit(database: WebDatabase, { revision, put, remove }: StorageBatch): Promise<'committed' | 'conflict'> {
  return inTransaction(database, 'readwrite', (transaction) => {
    const [records, counters] = [transaction.objectStore(RECORDS), transaction.objectStore(COUNTERS)]
    const stored = counters.get(REVISION)
    let outcome: 'committed' | 'conflict' = 'conflict'
    stored.onsuccess = () => {
      if (numberOf(stored.result) !== revision) return
      outcome = 'committed'
      for (const key of remove) records.delete(key)
      for (const { key, value } of put) records.put({ key, value })
      counters.put(revision + 1, REVISION)
    }
    return () => outcome
  })
}
