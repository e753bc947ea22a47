import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { entropyFromMnemonic } from '../../../src/grin/keychain/index.js'
import {
  chainOfSealedSeed,
  DEFAULT_COST,
  importGrinWalletSeed,
  openSeed,
  sealSeed,
} from '../../../src/grin/seedfile/index.js'
import { toHex } from '../../../src/lib/bytes.js'
import { Secret } from '../../../src/lib/secret.js'
import { countingRandom } from '../../support/grin.js'
import { codeOf, vectors } from '../../support/vectors.js'

const { files } = vectors('wallet/seedfile.json')
const password = new Secret('correct horse')
const entropy = new Secret(new Uint8Array(32).fill(7))
/** The least cost that is allowed keeps the tests quick. */
const cost = { N: 2 ** 14, r: 8, p: 1 }
const seal = (chain = 'mainnet') => sealSeed({ entropy, password, chain, random: countingRandom(), cost })

describe.each<{ mnemonic: string; entropy: string; password: string; wallet_seed: object }>(files)(
  'a wallet.seed of grin-wallet, $mnemonic',
  (file) => {
    const text = JSON.stringify(file.wallet_seed)

    test('is imported with its password', async () => {
      const seed = await importGrinWalletSeed(text, new Secret(file.password))
      expect(toHex(seed.reveal())).toBe(file.entropy)
      expect(seed.reveal()).toEqual(entropyFromMnemonic(file.mnemonic))
      expect(`${seed}`).toBe('[secret]')
    })

    test('is not opened by another password', async () => {
      expect(await codeOf(() => importGrinWalletSeed(text, new Secret(`${file.password}!`)))).toBe(
        'SEED_WRONG_PASSWORD',
      )
    })
  },
)

test.each(['', '{}', '[]', 'null', '{"encrypted_seed":"zz","salt":"00","nonce":"00"}', 'x'.repeat(70_000)])(
  'a wallet.seed of %j is refused',
  async (text) =>
    expect(await codeOf(() => importGrinWalletSeed(text.slice(0, 66_000), password))).toBe('SEED_FILE_INVALID'),
)

describe('the sealed seed', () => {
  test('opens with password and chain', async () => {
    const text = await seal()
    expect((await openSeed(text, password, 'mainnet')).reveal()).toEqual(entropy.reveal())
    expect(chainOfSealedSeed(text)).toBe('mainnet')
  })

  test('says nothing of seed or password', async () => {
    const text = await seal()
    expect(text).not.toContain(toHex(entropy.reveal()).slice(0, 16))
    expect(text).not.toContain('horse')
  })

  test('a sandbox seed is refused by a real till and the other way round, before any password is tried', async () => {
    const wrong = new Secret('wrong')
    await expect(openSeed(await seal('sandbox'), wrong, 'mainnet')).rejects.toThrow(
      'this seed was made for sandbox, and this wallet is of mainnet',
    )
    expect(await codeOf(async () => openSeed(await seal('mainnet'), wrong, 'sandbox'))).toBe('SEED_WRONG_CHAIN')
  })

  test('renaming the chain in the file does not help', async () => {
    const text = (await seal('sandbox')).replace('"sandbox"', '"mainnet"')
    expect(await codeOf(() => openSeed(text, password, 'mainnet'))).toBe('SEED_WRONG_PASSWORD')
  })

  test('another password does not open it; another spelling of the same accents does', async () => {
    expect(await codeOf(async () => openSeed(await seal(), new Secret('Correct horse'), 'mainnet'))).toBe(
      'SEED_WRONG_PASSWORD',
    )
    const text = await sealSeed({
      entropy,
      password: new Secret('caf\u00e9'),
      chain: 'mainnet',
      random: countingRandom(),
      cost,
    })
    expect((await openSeed(text, new Secret('cafe\u0301'), 'mainnet')).reveal()).toEqual(entropy.reveal())
  })

  test('a changed character anywhere is noticed', async () => {
    const text = await seal()
    const hexDigits = [...text.matchAll(/[0-9a-f]{32,}/g)].flatMap(({ index, 0: found }) => [
      index,
      index + found.length - 1,
    ])
    for (const at of hexDigits) {
      const damaged = `${text.slice(0, at)}${text[at] === '0' ? '1' : '0'}${text.slice(at + 1)}`
      expect(await codeOf(() => openSeed(damaged, password, 'mainnet'))).toBe('SEED_WRONG_PASSWORD')
    }
  })

  test.each([
    ['"N": 16384', '"N": 1073741824'],
    ['"N": 16384', '"N": 16385'],
    ['"N": 16384', '"N": 1024'],
    ['"r": 8', '"r": 1000000'],
    ['"p": 1', '"p": 5'],
    ['"p": 1', '"p": 0.5'],
    ['"scrypt"', '"pbkdf2"'],
    ['"grinpay-seed"', '"other"'],
    ['"xchacha20-poly1305"', '"none"'],
    ['"chain": "mainnet"', '"chain": "Main Net"'],
  ])('a file with %s replaced by %s is refused without work', async (from, to) => {
    const start = process.cpuUsage().user
    const text = (await seal()).replace(from, to)
    expect(await codeOf(() => openSeed(text, password, 'mainnet'))).toBe('SEED_FILE_INVALID')
    expect(process.cpuUsage().user - start).toBeLessThan(1_000_000)
  })

  test('a newer format is named', async () => {
    expect(
      await codeOf(async () => openSeed((await seal()).replace('"version": 1', '"version": 2'), password, 'mainnet')),
    ).toBe('SEED_FILE_TOO_NEW')
  })

  test('the cost used for real opens too', async () => {
    const text = await sealSeed({ entropy, password, chain: 'mainnet', random: countingRandom() })
    expect(JSON.parse(text).kdf).toMatchObject(DEFAULT_COST)
    expect((await openSeed(text, password, 'mainnet')).reveal()).toEqual(entropy.reveal())
  })

  test('impossible seeds and chains are not sealed', async () => {
    const random = countingRandom()
    await expect(
      sealSeed({ entropy: new Secret(new Uint8Array(31)), password, chain: 'mainnet', random }),
    ).rejects.toThrow(RangeError)
    await expect(sealSeed({ entropy, password, chain: 'Main|net', random })).rejects.toThrow(RangeError)
  })
})

test('arbitrary texts throw only the documented errors', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), fc.json()), async (text) => {
      expect(await codeOf(() => openSeed(text, password, 'mainnet'))).toMatch(/^SEED_FILE_/)
      expect(await codeOf(() => importGrinWalletSeed(text, password))).toMatch(/^SEED_FILE_INVALID$/)
    }),
  )
})
