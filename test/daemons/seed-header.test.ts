// `config check` looks at the head of the seed file, as a start does.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkSettings } from '../../src/cli/settings.js'
import { startProblems } from '../../src/daemons/start-files.js'
import { sealSeed } from '../../src/grin/seedfile/index.js'
import { Secret } from '../../src/lib/secret.js'
import { dataFiles, systemRandom } from '../../src/system/index.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'grinpay-check-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const check = () => {
  const file = join(folder, 'pay.env')
  writeFileSync(file, `PAY_DATA_DIR=${folder}\nPAY_WALLET_PASSWORD=correct horse\n`, { mode: 0o600 })
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
