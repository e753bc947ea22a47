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

// Says that a stored wallet has changed: in this window, and in the others of its origin.
export interface ChangeSignal {
  send(): void
  /** Returns how to end it. */
  watch(changed: () => void): () => void
  /** Idempotent. */
  close(): void
}

/** Within this window. What a listener throws ends no commit: it surfaces by itself. */
export function createChangeSignal(): ChangeSignal {
  const listeners = new Set<() => void>()
  return {
    send() {
      for (const listener of listeners) queueMicrotask(listener)
    },
    watch(changed) {
      // One entry per call: the same function may watch twice.
      const listener = (): void => (listeners.has(listener) ? changed() : undefined)
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: () => listeners.clear(),
  }
}

/** In all windows of the origin that open this name; where there is no BroadcastChannel, in this one alone. */
export function openChangeSignal(name: string): ChangeSignal {
  const here = createChangeSignal()
  if (typeof BroadcastChannel === 'undefined') return here
  const channel = new BroadcastChannel(name)
  let isClosed = false
  channel.onmessage = () => here.send()
  return {
    ...here,
    send() {
      if (isClosed) return
      here.send()
      channel.postMessage('changed')
    },
    close() {
      isClosed = true
      here.close()
      channel.close()
    },
  }
}

// A wallet's storage in memory: for tests, and for wallets that are restored from their words every time.
/** Loses everything with the process. `from`: what another storage held. */
export function createMemoryStorage(from: readonly StoredRecord[] = []): WalletStorage {
  const records = new Map(from.map(({ key, value }) => [key, value]))
  const signal = createChangeSignal()
  let revision = 0

  function store({ put, remove }: StorageBatch): void {
    for (const key of remove) records.delete(key)
    for (const { key, value } of put) records.set(key, value)
    revision += 1
    signal.send()
  }

  return {
    load: async () => ({ revision, records: [...records].map(([key, value]) => ({ key, value })) }),
    revision: async () => revision,
    commit: async (batch) => {
      if (batch.revision !== revision) return 'conflict'
      store(batch)
      return 'committed'
    },
    watch: signal.watch,
  }
}
