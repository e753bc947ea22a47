// The storage contract for both adapters; IndexedDB as a program in Node (a browser runs the same cases).
import { IDBFactory } from 'fake-indexeddb'
import { describe, expect, test } from 'vitest'
import { createMemoryStorage, openIndexedDbStorage } from '../../../src/wallet/index.js'
import { codeOf } from '../../support/vectors.js'
import { type OpenStore, STORAGE_CONTRACT } from './contract.js'

const ADAPTERS: readonly (readonly [string, () => OpenStore])[] = [
  [
    'memory',
    () => {
      const storage = createMemoryStorage()
      return async () => storage
    },
  ],
  [
    'IndexedDB',
    () => {
      const indexedDB = new IDBFactory()
      return () => openIndexedDbStorage({ name: 'wallet', indexedDB })
    },
  ],
]

describe.each(ADAPTERS)('%s', (_, fresh) => {
  test.each(STORAGE_CONTRACT)('$name', ({ run }) => run(fresh()))
})

describe('IndexedDB', () => {
  test('every commit is one transaction that waits for the disk', async () => {
    const indexedDB = new IDBFactory()
    const durabilities: (string | undefined)[] = []
    const storage = await openIndexedDbStorage({ name: 'wallet', indexedDB: watched(indexedDB, durabilities) })
    await storage.commit({ revision: 0, put: [{ key: 'a/1', value: '1' }], remove: [] })
    expect(durabilities).toEqual(['readwrite strict'])
  })

  test('a closed database rejects, and so does one whose write fails', async () => {
    const indexedDB = new IDBFactory()
    const storage = await openIndexedDbStorage({ name: 'wallet', indexedDB })
    // A function cannot be stored: the write throws inside the transaction, which then stores nothing.
    const value = (() => undefined) as unknown as string
    const put = [
      { key: 'a/1', value: 'fine' },
      { key: 'a/2', value },
    ]
    expect(await codeOf(() => storage.commit({ revision: 0, put, remove: [] }))).toBe('WALLET_STORAGE_FAILED')
    expect(await storage.load()).toEqual({ revision: 0, records: [] })
    await storage.close?.()
    expect(await codeOf(() => storage.load())).toBe('WALLET_STORAGE_FAILED')
  })

  test.each([
    ['a browser that forbids it', { open: () => fail(new DOMException('denied', 'SecurityError')) }],
    ['a browser that fails otherwise', { open: () => fail('no reason') }],
  ])('%s: the storage failed', async (_, factory) => {
    const indexedDB = factory as unknown as IDBFactory
    expect(await codeOf(() => openIndexedDbStorage({ name: 'wallet', indexedDB }))).toBe('WALLET_STORAGE_FAILED')
  })

  test('a browser without it: the storage failed', async () => {
    expect(await codeOf(() => openIndexedDbStorage({ name: 'wallet' }))).toBe('WALLET_STORAGE_FAILED')
  })

  test('databases of two names are two wallets', async () => {
    const indexedDB = new IDBFactory()
    const [one, two] = [
      await openIndexedDbStorage({ name: 'one', indexedDB }),
      await openIndexedDbStorage({ name: 'two', indexedDB }),
    ]
    await one.commit({ revision: 0, put: [{ key: 'a/1', value: '1' }], remove: [] })
    expect(await two.load()).toEqual({ revision: 0, records: [] })
  })
})

function fail(thrown: unknown): never {
  throw thrown
}

/** Records how transactions are opened. */
function watched(factory: IDBFactory, seen: (string | undefined)[]): IDBFactory {
  const open = factory.open.bind(factory)
  return Object.assign(factory, {
    open(name: string, version?: number) {
      const request = open(name, version)
      request.addEventListener('success', () => {
        const database = request.result
        const transaction = database.transaction.bind(database)
        database.transaction = (stores, mode, options) => {
          seen.push(`${mode} ${options?.durability}`)
          return transaction(stores, mode, options)
        }
      })
      return request
    },
  })
}
