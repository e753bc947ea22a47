// Play money and real money never meet: a sandbox's seed and database are refused by a real till, and the other way round.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadPayConfig, openEnvironment } from '../../src/config/index.js'
import { mnemonicFromEntropy } from '../../src/grin/keychain/index.js'
import { openHome } from '../../src/sandbox/index.js'
import { systemRandom } from '../../src/system/index.js'
import { createRangeWorkers } from '../../src/workers/index.js'
import { openSandboxTill, sandboxTill } from '../support/sandbox-till.js'
import { codeOf } from '../support/vectors.js'

const workers = createRangeWorkers({ inline: true })
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'grinpay-refusals-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Opens a till on these settings and closes it; answers 'ok' or the code of its refusal. */
const opening = (variables: Readonly<Record<string, string>>) =>
  codeOf(async () => {
    const config = loadPayConfig(openEnvironment({ variables }), { allowSandbox: variables.PAY_CHAIN === 'sandbox' })
    const daemon = await openSandboxTill(config, { workers })
    await daemon.start()
    await daemon.stop()
  })

const sandboxSettings = async () => (await sandboxTill(join(folder, 'sandbox'), { port: 0 })).variables

const realTill = (chain: string) => ({
  PAY_CHAIN: chain,
  PAY_NODE_URL: 'http://127.0.0.1:9',
  PAY_BIND: '127.0.0.1:0',
  PAY_DB_PATH: join(folder, 'real.db'),
  PAY_DATA_DIR: join(folder, 'real'),
  PAY_WALLET_PASSWORD: 'correct horse',
  PAY_MNEMONIC: mnemonicFromEntropy(systemRandom.bytes(32)),
})

test.each(['mainnet', 'testnet', 'usernet'])(
  'a %s till refuses the seed and the database of a sandbox',
  async (chain) => {
    const [sandbox, real] = [await sandboxSettings(), realTill(chain)]
    expect(await opening(sandbox)).toBe('ok')
    expect(await opening(real)).toBe('ok')
    const password = { PAY_WALLET_PASSWORD: sandbox.PAY_WALLET_PASSWORD }
    const { PAY_MNEMONIC: _, ...wordless } = real
    expect(await opening({ ...wordless, ...password, PAY_DATA_DIR: sandbox.PAY_DATA_DIR })).toBe('SEED_WRONG_CHAIN')
    expect(await opening({ ...real, PAY_DB_PATH: sandbox.PAY_DB_PATH })).toBe('DATABASE_OTHER_CHAIN')
  },
)

test('a sandbox refuses the seed and the database of a real till', async () => {
  const [sandbox, real] = [await sandboxSettings(), realTill('mainnet')]
  expect(await opening(sandbox)).toBe('ok')
  expect(await opening(real)).toBe('ok')
  const foreign = { PAY_DATA_DIR: real.PAY_DATA_DIR, PAY_WALLET_PASSWORD: real.PAY_WALLET_PASSWORD }
  expect(await opening({ ...sandbox, ...foreign })).toBe('SEED_WRONG_CHAIN')
  expect(await opening({ ...sandbox, PAY_DB_PATH: real.PAY_DB_PATH })).toBe('DATABASE_OTHER_CHAIN')
  expect(await codeOf(() => openHome(real.PAY_DATA_DIR, systemRandom))).toBe('NOT_A_SANDBOX_FOLDER')
})
