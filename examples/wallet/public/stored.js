// What the browser keeps: the vault in one database, the encrypted records of the wallet in another.
import { wallet } from './library.js'
import { open, seal } from './vault.js'

const VAULT_DATABASE = 'grin-wallet-example'
const RECORDS_DATABASE = 'grin-wallet-example-records'
const STORE = 'vault'
const KEY = 'vault'

const resultOf = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
    request.onblocked = () => reject(new Error('another window of this page holds the wallet open'))
  })

/** Runs `work` on the store of the vault; resolves when the change is durable. */
async function withStore(mode, work) {
  const opening = indexedDB.open(VAULT_DATABASE, 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE)
  const database = await resultOf(opening)
  try {
    const transaction = database.transaction(STORE, mode, { durability: 'strict' })
    const done = new Promise((resolve, reject) => {
      transaction.oncomplete = resolve
      transaction.onabort = () => reject(transaction.error)
    })
    const request = work(transaction.objectStore(STORE))
    await done
    return request.result
  } finally {
    database.close()
  }
}

export const readVault = () => withStore('readonly', (store) => store.get(KEY))
export const writeVault = (vault) => withStore('readwrite', (store) => store.put(vault, KEY))

export async function removeWallet() {
  for (const name of [RECORDS_DATABASE, VAULT_DATABASE]) await resultOf(indexedDB.deleteDatabase(name))
}

const PURPOSE = 'record '
const toBase64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
const fromBase64 = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))

/** The library's storage in IndexedDB with names and values of all records encrypted: only their number and length can be seen. */
export async function openRecords(keys) {
  const inner = await wallet.openIndexedDbStorage({ name: RECORDS_DATABASE })

  async function nameOf(key) {
    const digest = await crypto.subtle.sign('HMAC', keys.names, new TextEncoder().encode(key))
    return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
  }
  async function sealRecord(record) {
    const name = await nameOf(record.key)
    return { key: name, value: toBase64(await seal(keys.records, PURPOSE + name, record)) }
  }

  return {
    async load() {
      const { revision, records } = await inner.load()
      const opened = records.map(({ key, value }) => open(keys.records, PURPOSE + key, fromBase64(value)))
      return { revision, records: await Promise.all(opened) }
    },
    revision: () => inner.revision(),
    watch: (changed) => inner.watch(changed),
    async commit({ revision, put, remove }) {
      const [sealed, names] = await Promise.all([Promise.all(put.map(sealRecord)), Promise.all(remove.map(nameOf))])
      return inner.commit({ revision, put: sealed, remove: names })
    },
    close: () => inner.close?.(),
  }
}
