// The wallet's seed, looked at as a start does.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sealSeed } from '../../../src/grin/seedfile/index.js'
import { Secret } from '../../../src/lib/secret.js'
import { dataFiles, systemClock, systemRandom } from '../../../src/system/index.js'
import { diagnose, lines } from '../../support/doctor.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'grinpay-doctor-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const look = async (variables: Record<string, string> = {}) =>
  lines(await diagnose({ variables: { PAY_DATA_DIR: folder, ...variables }, only: ['wallet'], clock: systemClock }))

async function seal(chain = 'mainnet'): Promise<string> {
  const { seed } = dataFiles(folder)
  mkdirSync(join(seed, '..'), { recursive: true })
  const entropy = new Secret(new Uint8Array(32).fill(1))
  const cost = { N: 2 ** 14, r: 8, p: 1 }
  writeFileSync(
    seed,
    await sealSeed({ entropy, password: new Secret('correct horse'), chain, random: systemRandom, cost }),
  )
  return seed
}

test('opens with its password; without one only its head is looked at', async () => {
  const path = await seal()
  expect(await look({ PAY_WALLET_PASSWORD: 'correct horse' })).toEqual([`pass ${path} opens`])
  expect(await look()).toEqual([`pass ${path}, made for mainnet; only the service has its password`])
})

test('a wrong password, another chain and a damaged file are failures', async () => {
  const path = await seal('testnet')
  expect(await look()).toEqual(['fail this seed was made for testnet, and this wallet is of mainnet'])
  await seal()
  expect(await look({ PAY_WALLET_PASSWORD: 'wrong horse' })).toEqual([
    'fail the password does not open the seed file (or the file is damaged)',
  ])
  writeFileSync(path, '{"format":"grinpay-seed"')
  expect(await look()).toEqual(['fail not a seed file of this program: not JSON'])
})

test('one that is not there yet is a warning, unless the words to make it are set', async () => {
  const { seed } = dataFiles(folder)
  expect(await look()).toEqual([`warn there is no wallet at ${seed}: the till does not start without one`])
  const words = 'enjoy mean nation pudding west exchange coach spring fitness bring current laugh'
  expect(await look({ PAY_MNEMONIC: words })).toEqual([
    `pass there is no ${seed} yet: the first start makes it from PAY_MNEMONIC`,
  ])
  expect(await look({ PAY_MNEMONIC: words, PAY_WALLET_PASSWORD: '1234567' })).toEqual([
    `fail there is no ${seed} yet, and the first start makes none: a wallet password has at least 8 characters`,
  ])
  expect(await look({ PAY_MNEMONIC: words, PAY_WALLET_PASSWORD: '12345678' })).toEqual([
    `pass there is no ${seed} yet: the first start makes it from PAY_MNEMONIC`,
  ])
})
