// What the files of a stopped till tell.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openEnvironment } from '../../../src/config/index.js'
import { openTillStore } from '../../../src/storage/index.js'
import { systemRandom } from '../../../src/system/index.js'
import { localAddressOf, localBalance, setupPay } from '../../../src/wizard/index.js'

let root: string
const silent = () => undefined
const environment = () => openEnvironment({ envFile: join(root, 'till', 'pay.env'), variables: {} })
const dbPath = () => join(root, 'till', 'data', 'pay.db')

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'grinpay-look-'))
  const [password, words] = [join(root, 'pw'), join(root, 'words')]
  writeFileSync(password, 'correct horse battery\n')
  await setupPay({
    given: { public_url: 'https://pay.shop.example', password_file: password, words_out: words },
    prefix: join(root, 'till'),
    dryRun: false,
    reconfigure: false,
    rotateTokens: false,
    skipChecks: true,
    program: { node: '/usr/bin/node', script: '/opt/grinpay/bin/run.js', root: '/opt/grinpay' },
    random: systemRandom,
    sealCost: { N: 2 ** 14, r: 8, p: 1 },
    terminal: undefined,
    canShowWords: false,
    say: silent,
    tell: silent,
  })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

test('before the first start the address comes from the seed, and there is no balance yet', async () => {
  expect(await localAddressOf(environment())).toEqual({ address: expect.stringMatching(/^grin1/), chain: 'mainnet' })
  await expect(localBalance(environment())).rejects.toMatchObject({ code: 'DATABASE_MISSING' })
  expect(existsSync(dbPath())).toBe(false)
})

test('afterwards the database tells both, without the password', async () => {
  const { address } = await localAddressOf(environment())
  const store = await openTillStore({ path: dbPath(), chain: 'mainnet', fingerprint: address, now: () => 1 })
  await store.close()
  rmSync(join(root, 'till', 'secrets', 'wallet_password'))
  writeFileSync(join(root, 'till', 'secrets', 'wallet_password'), 'not the password\n')
  expect((await localAddressOf(environment())).address).toBe(address)
  expect((await localBalance(environment())).balance.confirmed).toEqual({ count: 0, amount_grin: '0' })
})
