// `config check` looks at the head of the seed file, as a start does, and at the password of a wallet that the start would make.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkSettings } from '../../src/cli/settings.js'
import { openWalletSeed } from '../../src/daemons/parts/pay/seed.js'
import { startProblems } from '../../src/daemons/start-files.js'
import { entropyFromMnemonic } from '../../src/grin/keychain/index.js'
import { sealSeed } from '../../src/grin/seedfile/index.js'
import { Secret } from '../../src/lib/secret.js'
import { dataFiles, systemRandom } from '../../src/system/index.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'grinpay-check-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const check = (password = 'correct horse', more = '') => {
  const file = join(folder, 'pay.env')
  writeFileSync(file, `PAY_DATA_DIR=${folder}\nPAY_WALLET_PASSWORD=${password}\n${more}`, { mode: 0o600 })
  return () => checkSettings({ file, asked: 'pay', note: () => undefined, fileProblems: startProblems })
}

function store(text: string): string {
  const { seed } = dataFiles(folder)
  mkdirSync(dirname(seed), { recursive: true })
  writeFileSync(seed, text)
  return seed
}

test('a seed of another chain and a damaged file are refused with the reason; one of this chain and none yet are not', async () => {
  expect(check()).not.toThrow()
  const parts = { entropy: new Secret(new Uint8Array(32)), password: new Secret('x'), random: systemRandom }
  const cost = { N: 2 ** 14, r: 8, p: 1 }
  const path = store(await sealSeed({ ...parts, chain: 'testnet', cost }))
  expect(check()).toThrow(`PAY_DATA_DIR: ${path}: this seed was made for testnet, and this wallet is of mainnet`)
  store('{}')
  expect(check()).toThrow(`${path}: not a seed file of this program: it does not say so`)
  store(await sealSeed({ ...parts, chain: 'mainnet', cost }))
  expect(check()).not.toThrow()
})

const WORDS = 'enjoy mean nation pudding west exchange coach spring fitness bring current laugh'

/** Makes or opens the wallet of this folder as a start does. */
const start = (password: string, mnemonic?: string) =>
  openWalletSeed(
    {
      chain: 'testnet',
      dataDir: folder,
      walletPassword: new Secret(password),
      mnemonic: mnemonic === undefined ? undefined : new Secret(mnemonic),
    },
    systemRandom,
  )

test('words make no wallet with a password of fewer than 8 characters; config check says so before', async () => {
  const words = `PAY_MNEMONIC=${WORDS}\n`
  expect(check('1234567', words)).toThrow('PAY_WALLET_PASSWORD: a wallet password has at least 8 characters')
  expect(check('äöüßéèñ', words)).toThrow('PAY_WALLET_PASSWORD: a wallet password has at least 8 characters')
  expect(check('12345678', words)).not.toThrow()
  await expect(start('1234567', WORDS)).rejects.toMatchObject({
    code: 'WALLET_PASSWORD_SHORT',
    message: 'no wallet is made from PAY_MNEMONIC: a wallet password has at least 8 characters',
  })
  expect(existsSync(dataFiles(folder).seed)).toBe(false)
  await start('12345678', WORDS)
  expect(existsSync(dataFiles(folder).seed)).toBe(true)
})

test('a wallet that exists opens with the short password it has', async () => {
  const entropy = new Secret(entropyFromMnemonic(WORDS))
  const cost = { N: 2 ** 14, r: 8, p: 1 }
  const parts = { entropy, password: new Secret('short'), random: systemRandom, chain: 'testnet' as const, cost }
  store(await sealSeed(parts))
  for (const mnemonic of [undefined, WORDS])
    expect((await start('short', mnemonic)).reveal()).toEqual(entropyFromMnemonic(WORDS))
})
