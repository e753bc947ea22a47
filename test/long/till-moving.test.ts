// docs/migration.md, the till, step by step with the built command: from the files that the program before this one left to a till that
// serves its invoices and delivers its events.
import { spawn } from 'node:child_process'
import { createCipheriv, createHash, pbkdf2Sync } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { entropyFromMnemonic } from '../../src/grin/keychain/index.js'
import { toHex } from '../../src/lib/bytes.js'
import { Secret } from '../../src/lib/secret.js'
import { encryptKey } from '../../src/nostr/identity/index.js'
import { formatNpub } from '../../src/nostr/nip19/index.js'
import { openSqlite } from '../../src/storage/sqlite/sqlite.js'
import { dataFiles, systemRandom } from '../../src/system/index.js'
import { commandHome } from '../support/command-home.js'
import { type HookReceiver, startHookReceiver } from '../support/hook-receiver.js'
import { OLD, OLD_NSEC_HEX, OLD_PUBKEY, OLD_WORDS, writeLegacyTill } from '../support/legacy-till.js'
import { cleanEnvironment, freePort, ROOT, startTillProcess, type TillProcess } from '../support/till-process.js'

const PASSWORD = 'the password of the old wallet'
const TOKEN = `gp_live_${'0a'.repeat(16)}`
const SECRET = `whsec_${'0b'.repeat(16)}`
const home = commandHome('till-moving')
const ENV = () => ['--settings', home.at('pay.env')]

let hook: HookReceiver
let till: TillProcess | undefined

/** As grin-wallet seals it (specification: grin-wallet, 1.9). */
function grinWalletSeed(words: string): string {
  const [salt, nonce] = [systemRandom.bytes(8), systemRandom.bytes(12)]
  const key = pbkdf2Sync(PASSWORD, salt, 100, 32, 'sha512')
  const cipher = createCipheriv('chacha20-poly1305', key, nonce, { authTagLength: 16 })
  const sealed = Buffer.concat([cipher.update(entropyFromMnemonic(words)), cipher.final(), cipher.getAuthTag()])
  return JSON.stringify({ encrypted_seed: toHex(sealed), salt: toHex(salt), nonce: toHex(nonce) })
}

/** Names and contents of the old till's files. */
const oldFiles = () =>
  readdirSync(home.folder)
    .filter((name) => name.startsWith('goblinpay.db'))
    .map(
      (name) =>
        `${name} ${createHash('sha256')
          .update(readFileSync(home.at(name)))
          .digest('hex')}`,
    )

beforeAll(async () => {
  hook = await startHookReceiver(SECRET)
  writeLegacyTill(home.at('goblinpay.db'))
  writeFileSync(home.at('wallet.seed'), grinWalletSeed(OLD_WORDS))
  writeFileSync(home.at('old-password'), `${PASSWORD}\n`, { mode: 0o600 })
  const key = new Secret(new Uint8Array(Buffer.from(OLD_NSEC_HEX, 'hex')))
  const ncryptsec = await encryptKey(key, new Secret(PASSWORD), systemRandom)
  writeFileSync(home.at('identity.json'), JSON.stringify({ ver: 1, ncryptsec, npub: formatNpub(OLD_PUBKEY) }))
  const settings = [
    `GP_BIND=127.0.0.1:${await freePort()}`,
    'GP_PUBLIC_URL=https://pay.shop.example',
    'GP_RELAY_MODE=external',
    'GP_RELAYS=wss://relay.example.net',
    'GP_NODE_URL=http://127.0.0.1:9',
    'GP_INGEST=off',
    `GP_API_TOKEN=${TOKEN}`,
    `GP_WEBHOOK_URL=${hook.url}`,
    `GP_WEBHOOK_SECRET=${SECRET}`,
    `GP_WALLET_PASSWORD_FILE=${home.at('old-password')}`,
    // The two lines that the page tells to change.
    `PAY_DB_PATH=${home.at('state', 'pay.db')}`,
    `PAY_DATA_DIR=${home.at('state')}`,
  ]
  writeFileSync(home.at('pay.env'), settings.join('\n'), { mode: 0o600 })
})
afterAll(async () => {
  await till?.stop()
  await hook?.close()
})

test('the settings are understood, and shown', () => {
  const { stdout, stderr, exit } = home.spawned(['config', 'check', home.at('pay.env')])
  expect({ stdout, exit }).toEqual({ stdout: `${home.at('pay.env')}: ok\n`, exit: 0 })
  expect(stderr).toContain('GP_API_TOKEN is read as PAY_API_TOKEN; please rename it')
  expect(stderr).not.toContain(TOKEN)
})

test('wallet, identity and data are taken over', () => {
  const seed = ['--seed-file', home.at('wallet.seed'), '--seed-password-file', home.at('old-password')]
  const restored = home.spawned(['wallet', 'restore', ...ENV(), ...seed, '--password-file', home.at('old-password')])
  expect(restored.exit, restored.stderr).toBe(0)
  expect(restored.stdout).toMatch(/^grin1\w+\n$/)

  const early = home.spawned(['invoice', 'import', home.at('goblinpay.db'), ...ENV(), '--yes'])
  expect(early.exit).not.toBe(0)
  expect(early.stderr).toContain('no Nostr identity')

  mkdirSync(home.at('state', 'nostr'), { mode: 0o700 })
  copyFileSync(home.at('identity.json'), home.at('state', 'nostr', 'identity.json'))
  const before = oldFiles()
  const done = home.spawned(['invoice', 'import', home.at('goblinpay.db'), ...ENV(), '--yes', '--json'])
  expect(done.exit, done.stderr).toBe(0)
  expect(JSON.parse(done.stdout)).toMatchObject({
    imported: true,
    conflicts: [],
    rows: [
      { kind: 'invoices', added: 5 },
      { kind: 'payments', added: 2 },
      { kind: 'users', added: 1 },
      { kind: 'events', added: 2 },
    ],
  })
  expect(oldFiles()).toEqual(before)
})

test('the till serves what it took over, under the same token, and delivers the event that was left', async () => {
  const [, bind] = /^GP_BIND=(.+)$/m.exec(readFileSync(home.at('pay.env'), 'utf8')) ?? []
  till = await startTillProcess({ PAY_BIND: String(bind) }, ENV())
  const headers = { authorization: `Bearer ${TOKEN}` }
  const read = async (id: string) => (await fetch(`${till?.url}/invoice/${id}`, { headers })).json()
  expect(await read(OLD.open)).toMatchObject({
    status: 'open',
    token: OLD.openToken,
    amount: '2 GRIN',
    pay_url: `https://pay.shop.example/pay/${OLD.openToken}`,
    order_ref: 'order-1',
  })
  expect(await read(OLD.confirmed)).toMatchObject({ status: 'confirmed', confirmations: 14, payment_id: OLD.second })
  expect(await read(OLD.paid)).toMatchObject({ status: 'paid', amount: '0.05 USD (~1 GRIN)' })
  const page = await fetch(`${till.url}/pay/${OLD.openToken}`)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('2 GRIN')])
  expect(await (await fetch(`${till.url}/payment/${OLD.second}`)).json()).toMatchObject({ status: 'confirmed' })

  const event = await hook.waitFor('payment.received', OLD.paid)
  expect(event.body).toBe(OLD.body)
  expect(event.headers['x-pay-delivery']).toBe(OLD.waiting)
  expect(hook.faults).toEqual([])
})

test('while it runs nothing is taken over', () => {
  const { stderr, exit } = home.spawned(['invoice', 'import', home.at('goblinpay.db'), ...ENV(), '--yes'])
  expect(exit).not.toBe(0)
  expect(stderr).toContain('is in use by another daemon')
})

describe('killed on the way', () => {
  const MANY = 4000
  const path = () => home.at('killed', 'pay.db')

  /** How many invoices are there; none when the file was not made yet. */
  function invoices(): number {
    if (!existsSync(path())) return 0
    const db = openSqlite(path(), 'reading')
    const made = db.get("SELECT 1 FROM sqlite_schema WHERE name = 'invoice'")
    const [count = 0n] = made ? (db.get('SELECT count(*) FROM invoice') ?? []) : []
    db.close()
    return Number(count)
  }

  test('it is all there or nothing, and a second time completes it', async () => {
    writeLegacyTill(home.at('many.db'), (rows) => {
      for (let at = 0; at < MANY; at++) {
        const id = at.toString(16).padStart(32, '0')
        rows.invoice.push({ ...rows.invoice[4], id, token: id.padStart(43, 'Q') })
      }
    })
    const argv = ['invoice', 'import', home.at('many.db'), ...ENV(), '--yes']
    const env = cleanEnvironment({ HOME: home.folder, PAY_DB_PATH: path() })
    const run = (killAfterMs?: number) =>
      new Promise<number>((resolve) => {
        writeFileSync(dataFiles(home.at('state')).noDatabaseYet, '') // this wallet begins anew, on purpose
        const started = performance.now()
        const child = spawn(process.execPath, [join(ROOT, 'bin/run.js'), ...argv], { env, stdio: 'ignore' })
        const timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs ?? 2 ** 30)
        child.once('exit', () => {
          clearTimeout(timer)
          resolve(performance.now() - started)
        })
      })
    const whole = await run()
    expect(invoices()).toBe(MANY + 5)
    for (const part of [0.7, 0.85, 0.95]) {
      rmSync(home.at('killed'), { recursive: true, force: true })
      await run(whole * part)
      expect([0, MANY + 5], `killed at ${part}`).toContain(invoices())
    }
    await run()
    expect(invoices()).toBe(MANY + 5)
  }, 300_000)
})
