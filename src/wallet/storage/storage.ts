// The storage port of a wallet. Adapters know keys and texts, nothing of what they mean.

/** One row of the stored wallet. */
export interface StoredRecord {
  /** Table and name, such as "output/08…": at most 100 ASCII characters. */
  readonly key: string
  /** JSON with a version; secrets inside are encrypted. */
  readonly value: string
}

/** All that is stored. */
export interface StoredWallet {
  /** Number of commits so far; 0 for a new wallet. */
  readonly revision: number
  readonly records: readonly StoredRecord[]
}

/** One change of the stored wallet. */
export interface StorageBatch {
  /** The revision that this batch changes. */
  readonly revision: number
  /** Written, or overwritten. */
  readonly put: readonly StoredRecord[]
  /** Keys; one that does not exist is ignored. */
  readonly remove: readonly string[]
}

/**
 * Every method may be called again at any time. A rejected `commit` leaves it open whether the batch is stored, so the wallet loads
 * again.
 */
export interface WalletStorage {
  /** The newest stored state. */
  load(): Promise<StoredWallet>
  /** The revision of the newest stored state, without its records. Absent: the wallet loads everything before each verb. */
  revision?(): Promise<number>
  /** Calls `changed` after every commit, those of other windows or processes too. Returns how to end it. Absent: no such signal. */
  watch?(changed: () => void): () => void
  /**
   * Stores the whole batch and raises the revision by one, or stores nothing: `conflict` if the stored revision is another one. The batch
   * is durable when the promise resolves.
   */
  commit(batch: StorageBatch): Promise<'committed' | 'conflict'>
  /** Idempotent. */
  close?(): Promise<void>
}
