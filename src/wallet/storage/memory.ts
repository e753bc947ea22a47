// A wallet's storage in memory: for tests, and for wallets that are restored from their words every time.
import { createChangeSignal } from './change-signal.js'
import type { StorageBatch, StoredRecord, WalletStorage } from './storage.js'

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
