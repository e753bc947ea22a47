// The till's key, looked up by a reader that must not make one.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Secret } from '../../../src/lib/secret.js'
import { systemClock, systemRandom } from '../../../src/system/index.js'
import { sealIdentity } from '../../../src/wizard/pay/sealing.js'
import { diagnose, lines } from '../../support/doctor.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'grinpay-doctor-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const look = (variables: Record<string, string> = {}) =>
  diagnose({ variables: { PAY_DATA_DIR: folder, ...variables }, only: ['identity'], clock: systemClock })

async function seal(password: string): Promise<string> {
  const { text, npub } = await sealIdentity(new Secret(password), systemRandom)
  mkdirSync(join(folder, 'nostr'))
  writeFileSync(join(folder, 'nostr', 'identity.json'), text)
  return npub
}

test('opens with the wallet password', async () => {
  const npub = await seal('correct horse')
  expect(lines(await look({ PAY_WALLET_PASSWORD: 'correct horse' }))).toEqual([`pass ${npub} opens`])
})

test('does not open with another password, which is a failure: the till does not start with it', async () => {
  await seal('correct horse')
  expect(lines(await look({ PAY_WALLET_PASSWORD: 'wrong' }))).toEqual([
    'fail the till does not start: the wallet password does not open the Nostr identity',
  ])
})

test('without a password its public half is shown, and that only the service opens it', async () => {
  await seal('correct horse')
  const [finding] = await look({})
  expect(finding).toMatchObject({ level: 'pass' })
  expect(finding?.detail).toMatch(/^npub1[a-z0-9]{58}, which only the service can open/)
})

test('is never made by looking', async () => {
  expect((await look({ PAY_WALLET_PASSWORD: 'correct horse' }))[0]).toMatchObject({
    level: 'warn',
    remedy: 'the till makes it at its first start',
  })
  expect(readdirSync(folder)).toEqual([])
})
