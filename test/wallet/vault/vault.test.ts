// A vault: what it stores, what opens it, and what a stored header cannot make a reader do.
import { beforeAll, describe, expect, test } from 'vitest'
import { openKeychain } from '../../../src/grin/keychain/index.js'
import { systemRandom } from '../../../src/system/index.js'
import { createMemoryStorage, openWallet, type StoredRecord, type WalletStorage } from '../../../src/wallet/index.js'
import { headerRecord, readHeader } from '../../../src/wallet/vault/header.js'
import { createVault, inspectVault, unlockVault } from '../../../src/wallet/vault/index.js'
import { prove, verify } from '../../support/grin.js'
import { codeOf } from '../../support/vectors.js'

const random = systemRandom.bytes
const SEED = new Uint8Array(32).fill(9)
const PASSWORD = 'correct horse'
const cheap = { N: 2 ** 14, r: 1, p: 1 }
const made = { password: PASSWORD, random, seed: SEED, cost: cheap, chainType: 'testnet' } as const
const settings = { nodeUrl: 'http://127.0.0.1:13413', nodeSecret: 'a secret' }

const recordsOf = async (storage: WalletStorage): Promise<readonly StoredRecord[]> => (await storage.load()).records
const isHeader = ({ key }: StoredRecord): boolean => key === 'vault/header'

let records: readonly StoredRecord[]
beforeAll(async () => {
  const storage = createMemoryStorage()
  await createVault({ ...made, storage, settings })
  records = await recordsOf(storage)
})
/** Another storage with the same vault. */
const stored = (): WalletStorage => createMemoryStorage(records)
const unlock = (storage: WalletStorage, password = PASSWORD) => unlockVault({ storage, password, random })
/** The vault with another header. */
const withHeader = (change: (value: string) => string): WalletStorage =>
  createMemoryStorage(records.map((one) => (isHeader(one) ? { ...one, value: change(one.value) } : one)))

test('gives back seed and settings, and says its chain without a password', async () => {
  const storage = stored()
  expect(await inspectVault(storage)).toEqual({ chainType: 'testnet', cost: cheap })
  const vault = await unlock(storage)
  expect(vault.chainType).toBe('testnet')
  expect(await vault.seed()).toEqual(SEED)
  expect(await vault.settings()).toEqual(settings)
  await vault.saveSettings({ nodeUrl: 'other' })
  expect(await (await unlock(storage)).settings()).toEqual({ nodeUrl: 'other' })
})

test('holds a wallet: its records are read by the vault alone', async () => {
  const storage = stored()
  const { storage: encrypted, ...vault } = await unlock(storage)
  const parts = { prover: { prove, verify }, random, now: () => 0, chainType: vault.chainType }
  const wallet = await openWallet({ ...parts, keychain: openKeychain(await vault.seed()), storage: encrypted })
  await wallet.createAccount('savings of a lifetime')
  const again = await unlock(storage)
  const other = await openWallet({ ...parts, keychain: openKeychain(SEED), storage: again.storage })
  expect((await other.accounts()).map(({ label }) => label)).toEqual(['default', 'savings of a lifetime'])
  const heard: string[] = []
  const end = other.subscribe((event) => heard.push(event.type))
  await wallet.createAccount('more')
  await expect.poll(() => heard).toEqual(['changed'])
  end()
  for (const record of (await recordsOf(storage)).filter((one) => !isHeader(one)))
    expect(`${record.key} ${record.value}`).toMatch(/^[0-9a-f]{64} [A-Za-z0-9+/]+=*$/)
  expect(JSON.stringify(await recordsOf(storage))).not.toMatch(/savings|account|127\.0\.0\.1|0909090909/)
})

test('one content twice is two different records, and the key of one vault is not that of another', async () => {
  const other = createMemoryStorage()
  await createVault({ ...made, storage: other, settings })
  const values = [...records, ...(await recordsOf(other))].map(({ value }) => value)
  expect(new Set(values).size).toBe(values.length)
  const [header] = records.filter(isHeader)
  const mixed = createMemoryStorage([...(await recordsOf(other)).filter((one) => !isHeader(one)), header!])
  expect(await codeOf(async () => (await unlock(mixed)).seed())).toBe('VAULT_DAMAGED')
})

describe('refuses', () => {
  test('another password, and says so; an empty storage; a second vault; a short password', async () => {
    expect(await codeOf(() => unlock(stored(), 'wrong horse'))).toBe('VAULT_WRONG_PASSWORD')
    expect(await codeOf(() => unlock(createMemoryStorage()))).toBe('VAULT_NONE')
    expect(await inspectVault(createMemoryStorage())).toBeUndefined()
    expect(await codeOf(() => createVault({ ...made, storage: stored() }))).toBe('VAULT_EXISTS')
    const rows = createMemoryStorage([{ key: 'account/0', value: '{}' }])
    expect(await codeOf(() => createVault({ ...made, storage: rows }))).toBe('VAULT_EXISTS')
    expect(await codeOf(() => createVault({ ...made, storage: createMemoryStorage(), password: '1234567' }))).toBe(
      'VAULT_PASSWORD',
    )
  })

  test('a header that asks for 16 GB, or for nearly nothing, before a key is derived', async () => {
    for (const [cost, text] of [
      [{ N: 2 ** 24, r: 8 }, 'scrypt with N 16777216, r 8, p 1 is out of bounds'],
      [{ N: 2 ** 14, r: 2 ** 20 }, 'out of bounds'],
      [{ N: 2, r: 1 }, 'N 2'],
      [{ N: 2 ** 14 + 1, r: 1 }, 'N 16385'],
      [{ N: 2 ** 14, r: 1, p: 1000 }, 'p 1000'],
    ] as const) {
      const hostile = (value: string): string => {
        const header = readHeader({ key: 'vault/header', value })
        return headerRecord({ ...header, cost: { ...cheap, ...cost } }).value
      }
      await expect(unlock(withHeader(hostile))).rejects.toMatchObject({ code: 'VAULT_DAMAGED' })
      await expect(unlock(withHeader(hostile))).rejects.toThrow(text)
      await expect(
        createVault({ ...made, storage: createMemoryStorage(), cost: { ...cheap, ...cost } }),
      ).rejects.toThrow(RangeError)
    }
  })

  test('every damaged header as damaged, not as a wrong password', async () => {
    const [{ value } = { value: '' }] = records.filter(isHeader)
    for (let at = 0; at < value.length; at++) {
      const letter = value[at] === '1' ? '2' : '1'
      const damaged = withHeader(() => `${value.slice(0, at)}${letter}${value.slice(at + 1)}`)
      expect([at, await codeOf(() => unlock(damaged))]).toEqual([at, expect.stringMatching(/^VAULT_(DAMAGED|NEWER)$/)])
    }
    for (const other of ['', '{}', 'null', '[]', `${value}x`, ' '.repeat(5000)])
      expect(await codeOf(() => unlock(withHeader(() => other)))).toBe('VAULT_DAMAGED')
    expect(await codeOf(() => unlock(withHeader((text) => text.replace('"v":1', '"v":2'))))).toBe('VAULT_NEWER')
  })

  test('a header whose chain was changed together with its check sum', async () => {
    const moved = withHeader(
      (value) => headerRecord({ ...readHeader({ key: 'vault/header', value }), chainType: 'mainnet' }).value,
    )
    expect(await codeOf(() => unlock(moved))).toBe('VAULT_WRONG_PASSWORD')
  })

  test('a damaged, moved or missing record', async () => {
    const others = records.filter((one) => !isHeader(one))
    const [header] = records.filter(isHeader)
    const [first, second] = others as [StoredRecord, StoredRecord]
    const cut = [header!, { ...first, value: first.value.slice(0, -8) }, second]
    const swapped = [header!, { ...first, value: second.value }, { ...second, value: first.value }]
    for (const damaged of [cut, swapped, [header!]])
      expect(await codeOf(async () => (await unlock(createMemoryStorage(damaged))).seed())).toBe('VAULT_DAMAGED')
  })
})

describe('another password', () => {
  test('opens the vault from then on, and the old one does not; open windows stay open', async () => {
    const storage = stored()
    const vault = await unlock(storage)
    const before = (await recordsOf(storage)).filter((one) => !isHeader(one))
    expect(await codeOf(() => vault.changePassword({ from: 'wrong horse', to: 'battery staple' }))).toBe(
      'VAULT_WRONG_PASSWORD',
    )
    expect(await codeOf(() => vault.changePassword({ from: PASSWORD, to: 'short' }))).toBe('VAULT_PASSWORD')
    await vault.changePassword({ from: PASSWORD, to: 'battery staple', cost: { ...cheap, r: 2 } })
    expect(await codeOf(() => unlock(storage))).toBe('VAULT_WRONG_PASSWORD')
    expect(await (await unlock(storage, 'battery staple')).seed()).toEqual(SEED)
    expect(await vault.seed()).toEqual(SEED)
    expect((await inspectVault(storage))?.cost.r).toBe(2)
    expect((await recordsOf(storage)).filter((one) => !isHeader(one))).toEqual(before)
  })

  test('is one commit: whatever fails, one of the two opens it', async () => {
    const storage = stored()
    const batches: number[] = []
    const failing: WalletStorage = {
      ...storage,
      commit: async ({ put, remove }) => {
        batches.push(put.length + remove.length)
        throw new Error('no room')
      },
    }
    const vault = await unlock(failing)
    await expect(vault.changePassword({ from: PASSWORD, to: 'battery staple', cost: cheap })).rejects.toThrow('no room')
    expect(batches).toEqual([1])
    expect(await (await unlock(storage)).seed()).toEqual(SEED)
  })

  test('goes on when another window commits meanwhile, and does not undo another change of the password', async () => {
    const storage = stored()
    let meanwhile = async (): Promise<void> => undefined
    const busy: WalletStorage = {
      ...storage,
      async commit(batch) {
        const job = meanwhile
        meanwhile = async () => undefined
        await job()
        return storage.commit(batch)
      },
    }
    const [vault, other] = [await unlock(busy), await unlock(storage)]
    meanwhile = () => other.saveSettings({ seen: true })
    await vault.changePassword({ from: PASSWORD, to: 'battery staple', cost: cheap })
    expect(await (await unlock(storage, 'battery staple')).settings()).toEqual({ seen: true })
    meanwhile = () => other.changePassword({ from: 'battery staple', to: 'their new one', cost: cheap })
    expect(
      await codeOf(() => vault.changePassword({ from: 'battery staple', to: 'my own new one', cost: cheap })),
    ).toBe('WALLET_STORAGE_CONFLICT')
    expect(await (await unlock(storage, 'their new one')).seed()).toEqual(SEED)
  })
})

test('a locked vault gives nothing, and is unlocked again', async () => {
  const storage = stored()
  const vault = await unlock(storage)
  vault.lock()
  vault.lock()
  const uses = {
    seed: () => vault.seed(),
    settings: () => vault.settings(),
    save: () => vault.saveSettings({}),
    password: () => vault.changePassword({ from: PASSWORD, to: 'battery staple' }),
    load: () => vault.storage.load(),
    revision: async () => vault.storage.revision?.(),
    commit: () => vault.storage.commit({ revision: 1, put: [], remove: [] }),
  }
  for (const [name, use] of Object.entries(uses)) expect([name, await codeOf(use)]).toEqual([name, 'VAULT_LOCKED'])
  expect(await (await unlock(storage)).seed()).toEqual(SEED)
})

test('no error quotes a password or the seed', async () => {
  const jobs = [
    () => unlock(stored(), 'a wrong password'),
    () => createVault({ ...made, storage: createMemoryStorage(), password: 'tiny' }),
    () => createVault({ ...made, storage: stored() }),
    () => unlock(withHeader((value) => value.replace('scrypt', 'script'))),
  ]
  for (const job of jobs) {
    const error = await job().then(
      () => 'none',
      (thrown: unknown) => thrown,
    )
    const said = `${error} ${JSON.stringify(error)} ${error instanceof Error ? error.stack : ''}`
    expect(said).not.toMatch(/a wrong password|"tiny"|: tiny|correct horse|0909/)
  }
})
