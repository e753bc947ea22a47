// What the browser keeps: one database with a vault of the library, in which seed, settings and records of the wallet are encrypted.
import { vault, wallet } from './library.js'

const DATABASE = 'grin-wallet-example-vault'

/** Hands the storage to `work`; closes it if that fails. */
async function withStorage(work) {
  const storage = await wallet.openIndexedDbStorage({ name: DATABASE })
  try {
    return await work(storage)
  } catch (error) {
    await storage.close()
    throw error
  }
}

/** What can be read without the passphrase; undefined if there is no wallet here, and then no database is made. */
export async function readVault() {
  const databases = await indexedDB.databases()
  if (!databases.some(({ name }) => name === DATABASE)) return undefined
  return withStorage(async (storage) => {
    const info = await vault.inspectVault(storage)
    await storage.close()
    return info
  })
}

/** Stores a new vault. `settings` are the node's address, its secret, and whether a scan is to be finished. */
export const makeVault = (password, { seed, chainType, settings }) =>
  withStorage(async (storage) => ({
    storage,
    vault: await vault.createVault({ storage, password, seed, chainType, settings }),
  }))

export const openVault = (password) =>
  withStorage(async (storage) => ({ storage, vault: await vault.unlockVault({ storage, password }) }))

export function removeWallet() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(DATABASE)
    request.onsuccess = resolve
    request.onerror = () => reject(request.error)
    request.onblocked = () => reject(new Error('another window of this page holds the wallet open'))
  })
}
