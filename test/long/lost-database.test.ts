// A wallet that was in use and has no database any more: the till says so and makes no empty one.
import { existsSync } from 'node:fs'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadPayConfig, openEnvironment } from '../../src/config/index.js'
import { openPayDaemon } from '../../src/daemons/pay.js'
import { openLog, systemRandom } from '../../src/system/index.js'
import { restoreWallet } from '../../src/wizard/index.js'
import { createRangeWorkers } from '../../src/workers/index.js'
import { codeOf } from '../support/vectors.js'

const WORDS = 'enjoy mean nation pudding west exchange coach spring fitness bring current laugh'
const workers = createRangeWorkers({ inline: true })
let folder: string
const at = (...parts: string[]) => join(folder, ...parts)

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'grinpay-lost-'))
})
afterEach(() => rm(folder, { recursive: true }))

const settings = () => ({
  PAY_CHAIN: 'usernet',
  PAY_NODE_URL: 'http://127.0.0.1:9',
  PAY_BIND: '127.0.0.1:0',
  PAY_INGEST: 'off',
  PAY_DB_PATH: at('pay.db'),
  PAY_DATA_DIR: at('data'),
  PAY_WALLET_PASSWORD: 'correct horse',
})
const opening = (extra: Readonly<Record<string, string>> = {}) =>
  codeOf(async () => {
    const config = loadPayConfig(openEnvironment({ variables: { ...settings(), ...extra } }))
    const log = await openLog({ level: 'silent' })
    const daemon = await openPayDaemon(config, { version: '0', log, workers })
    await daemon.start()
    await daemon.stop()
  })

test('a missing or empty database beside a wallet in use is refused, and nothing is made', async () => {
  expect(await opening({ PAY_MNEMONIC: WORDS })).toBe('ok')
  expect(await opening()).toBe('ok')
  await rm(at('pay.db'))
  expect(await opening()).toBe('DATABASE_LOST')
  expect(await opening({ PAY_MNEMONIC: WORDS })).toBe('DATABASE_LOST')
  expect(existsSync(at('pay.db'))).toBe(false)
  await writeFile(at('pay.db'), '')
  expect(await opening()).toBe('DATABASE_LOST')
})

test('the operator can begin anew, which counts for one start', async () => {
  expect(await opening({ PAY_MNEMONIC: WORDS })).toBe('ok')
  await rm(at('pay.db'))
  await writeFile(at('data', 'wallet', 'no-database-yet'), '')
  expect(await opening()).toBe('ok')
  await rm(at('pay.db'))
  expect(await opening()).toBe('DATABASE_LOST')
})

test('a wallet that was just restored from its words has its first start', async () => {
  await writeFile(at('words'), WORDS)
  await restoreWallet({
    environment: openEnvironment({ variables: settings() }),
    mnemonicFile: at('words'),
    seedFile: undefined,
    seedPasswordFile: undefined,
    passwordFile: undefined,
    terminal: undefined,
    random: systemRandom,
    sealCost: { N: 2 ** 14, r: 8, p: 1 },
  })
  expect(await opening()).toBe('ok')
  await truncate(at('pay.db'))
  expect(await opening()).toBe('DATABASE_LOST')
})
