// The backup commands, from source, on real databases in a folder.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import BackupCreate from '../../../src/commands/backup/create.js'
import BackupPrune from '../../../src/commands/backup/prune.js'
import BackupVerify from '../../../src/commands/backup/verify.js'
import Restore from '../../../src/commands/restore.js'
import SecretRotate from '../../../src/commands/secret/rotate.js'
import { loadNameauthConfig, loadPayConfig, loadRelayConfig, openEnvironment } from '../../../src/config/index.js'
import { sealSeed } from '../../../src/grin/seedfile/index.js'
import { Secret } from '../../../src/lib/secret.js'
import {
  newestSchema,
  openConsoleStore,
  openEventStore,
  openNameStore,
  openTillStore,
  writeReserve,
} from '../../../src/storage/index.js'
import { openSqlite } from '../../../src/storage/sqlite/sqlite.js'
import { systemRandom } from '../../../src/system/index.js'
import { runCommandClass } from '../../support/run-command.js'
import { WALLET } from '../../support/temporary-store.js'

const CHEAP = { N: 16_384, r: 8, p: 1 }
const TOKEN = `pay_live_${'0f'.repeat(32)}`

let folder: string
const at = (...parts: readonly string[]) => join(folder, ...parts)
const put = (name: string, text: string) => {
  mkdirSync(join(at(name), '..'), { recursive: true })
  writeFileSync(at(name), text, { mode: 0o600 })
  return at(name)
}
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'grinpay-backup-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
})

/** A till that is set up and may run; its wallet has the address of WALLET. */
async function aTill(more = '') {
  const entropy = new Secret(new Uint8Array(32).fill(7))
  put(
    'till/data/wallet/seed.json',
    await sealSeed({ entropy, password: new Secret('pw'), chain: 'testnet', random: systemRandom, cost: CHEAP }),
  )
  const store = await openTillStore({ path: at('till/data/pay.db'), ...WALLET })
  const envFile = put(
    'till/pay.env',
    `# mine\nPAY_CHAIN=testnet\nPAY_NODE_URL=http://127.0.0.1:1\nPAY_DATA_DIR=${at('till/data')}\nPAY_DB_PATH=${at('till/data/pay.db')}\nPAY_API_TOKEN=${TOKEN}\nPAY_WALLET_PASSWORD_FILE=${put('till/pw', 'pw')}\n${more}`,
  )
  return { envFile, store }
}

async function backUp(...args: readonly string[]) {
  const ran = await runCommandClass(BackupCreate, ['--out', at('out'), '--json', ...args])
  return { ...ran, json: JSON.parse(ran.stdout) }
}

const errorOf = (ran: { readonly stdout: string; readonly exit: number }) => ({
  exit: ran.exit,
  code: JSON.parse(ran.stdout).error?.code,
})

describe('of a till', () => {
  test('the archive has its database, wallet and settings, and not one secret', async () => {
    const { envFile, store } = await aTill('PAY_MNEMONIC_FILE=/nowhere\n')
    const { exit, json } = await backUp('--settings', envFile)
    await store.close()
    expect({ exit, daemon: json.daemon, chain: json.chain, encrypted: json.encrypted }).toEqual({
      ...{ exit: 0, daemon: 'pay', chain: 'testnet', encrypted: false },
    })
    expect(json.files.map(({ path }: { path: string }) => path)).toEqual([
      'data/wallet/seed.json',
      'pay.env',
      'data/pay.db',
    ])
    expect(readFileSync(json.file).includes(TOKEN)).toBe(false)
    expect(json.left_out.join('\n')).toMatch(/PAY_API_TOKEN[\s\S]*PAY_WALLET_PASSWORD[\s\S]*seed words/)
  })

  test('secrets that a rotation put into the data directory are in no archive without --with-secrets', async () => {
    const { envFile, store } = await aTill(
      `PAY_ADMIN_TOKEN=pay_admin_${'1e'.repeat(32)}\nPAY_WEBHOOK_SECRET=whsec_${'2d'.repeat(32)}\nPAY_WEBHOOK_URL=http://127.0.0.1:9/\n`,
    )
    for (const kind of ['api', 'admin', 'webhook']) await runCommandClass(SecretRotate, [kind, '--settings', envFile])
    const dir = at('till/data/secrets')
    const kept = readdirSync(dir).map((name) => [name, readFileSync(join(dir, name), 'utf8')] as const)
    expect(kept.map(([name]) => name)).toEqual(['admin_token', 'api_token', 'webhook_secret'])
    const { json } = await backUp('--settings', envFile)
    await store.close()
    const archive = readFileSync(json.file)
    const texts = kept.flatMap(([, text]) => text.split(/\s+/).filter((word) => word.length > 40))
    expect(texts).toHaveLength(6) // of each the new one, and the old one or its hash
    expect(texts.filter((text) => archive.includes(text))).toEqual([])
    expect(texts.filter((text) => archive.includes(text.slice(-32)))).toEqual([])
    expect(archive.includes('data/secrets')).toBe(true) // the path stands in the settings, and that is all
    expect(json.left_out.join('\n')).toContain(`PAY_API_TOKEN (in ${join(dir, 'api_token')})`)
  })

  test('with secrets it has them all, and a restored till needs nothing more', async () => {
    const { envFile, store } = await aTill()
    const { json } = await backUp('--settings', envFile, '--with-secrets')
    await store.close()
    const restored = await runCommandClass(Restore, [json.file, '--to', at('new'), '--json'])
    expect(restored.exit).toBe(0)
    const config = loadPayConfig(openEnvironment({ envFile: at('new/pay.env'), variables: {} }))
    expect([config.dbPath, config.dataDir]).toEqual([at('new/data/pay.db'), at('new/data')])
    expect(config.walletPassword?.reveal()).toBe('pw')
    expect(readFileSync(at('new/pay.env'), 'utf8')).toContain(`PAY_API_TOKEN=${TOKEN}`)
  })

  test('the seed words are in none, not even with secrets', async () => {
    const words = 'bar indicate report keen soda vessel find measure shock enemy bronze squeeze'
    const { envFile, store } = await aTill(`PAY_MNEMONIC="${words}"\n`)
    const { json } = await backUp('--settings', envFile, '--with-secrets')
    await store.close()
    expect(readFileSync(json.file).includes('indicate report')).toBe(false)
  })

  test('restoring raises the key counter far behind everything that may have been used', async () => {
    const { envFile, store } = await aTill()
    await store.skipKeyIndexTo(900_000_000)
    const { json } = await backUp('--settings', envFile)
    await store.close()
    const { stdout } = await runCommandClass(Restore, [json.file, '--to', at('new'), '--json'])
    const next = JSON.parse(stdout).next_key_index
    expect(next).toBeGreaterThanOrEqual(900_000_000 + 2 ** 24)
    const db = openSqlite(at('new/data/pay.db'), 'reading')
    expect(db.get('SELECT next_key_index FROM wallet')).toEqual([BigInt(next)])
    db.close()
  })

  test('in PostgreSQL, --without-rows copies what is not there: no pg_dump and no server is needed', async () => {
    const { envFile, store } = await aTill('PAY_DATABASE_URL=postgresql://grinpay@127.0.0.1:1/grinpay\n')
    await store.close()
    const { exit, json } = await backUp('--settings', envFile, '--without-rows')
    expect(exit).toBe(0)
    expect(json.files.map(({ path }: { path: string }) => path)).toEqual(['data/wallet/seed.json', 'pay.env'])
    expect(json.left_out.join('\n')).toContain('rows in PostgreSQL')
    expect((await runCommandClass(BackupVerify, [json.file])).exit).toBe(0)
    const restored = await runCommandClass(Restore, [json.file, '--to', at('new'), '--json'])
    expect(restored.exit).toBe(0)
    expect(readFileSync(at('new/data/wallet/seed.json'))).toEqual(readFileSync(at('till/data/wallet/seed.json')))
  })

  test('rows in a file are in every backup', async () => {
    const { envFile, store } = await aTill()
    const ran = await backUp('--settings', envFile, '--without-rows')
    await store.close()
    expect(errorOf(ran)).toEqual({ exit: 2, code: 'BACKUP_ROWS_IN_FILE' })
    expect(existsSync(at('out'))).toBe(false)
  })

  test('the same second makes no second archive in its place', async () => {
    const { envFile, store } = await aTill()
    const { json } = await backUp('--settings', envFile)
    // Every name of the next minute is taken.
    const [, start = ''] = /-(\d{8}T\d{6}Z)\.tar$/.exec(json.file) ?? []
    const since = Date.parse(start.replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)/, '$1-$2-$3T$4:$5:$6'))
    for (let second = 0; second < 90; second++) {
      const name = new Date(since + second * 1000).toISOString().replace(/[-:]|\.\d{3}/g, '')
      writeFileSync(at('out', `grinpay-pay-${name}.tar`), 'taken')
    }
    const again = await runCommandClass(BackupCreate, ['--out', at('out'), '--settings', envFile, '--json'])
    await store.close()
    expect(errorOf(again)).toEqual({ exit: 6, code: 'BACKUP_TARGET_EXISTS' })
    expect(readdirSync(at('out')).filter((name) => name.startsWith('.'))).toEqual([])
  })

  test('no database, no archive and no folder', async () => {
    const { envFile, store } = await aTill()
    await store.close()
    rmSync(at('till/data/pay.db'))
    expect(errorOf(await backUp('--settings', envFile))).toEqual({ exit: 3, code: 'DATABASE_MISSING' })
    expect(existsSync(at('out'))).toBe(false)
  })

  test('a recipient that is none is refused before anything is made', async () => {
    const { envFile, store } = await aTill()
    await store.close()
    expect(errorOf(await backUp('--settings', envFile, '--encrypt-to', 'age1nobody'))).toEqual({
      ...{ exit: 2, code: 'BAD_RECIPIENT' },
    })
    expect(existsSync(at('out'))).toBe(false)
  })

  test('what a killed backup left is swept by the next', async () => {
    const { envFile, store } = await aTill()
    put('out/.grinpay-work-4194999-0123456789ab/0-pay.db', 'half')
    put(`out/.grinpay-work-${process.pid}-0123456789ab/0-pay.db`, 'of a process that lives')
    await backUp('--settings', envFile)
    await store.close()
    expect(readdirSync(at('out')).filter((name) => name.startsWith('.'))).toEqual([
      `.grinpay-work-${process.pid}-0123456789ab`,
    ])
  })

  test('restore takes a folder that holds a reserve for a full disk and nothing else', async () => {
    const { envFile, store } = await aTill()
    const { json } = await backUp('--settings', envFile)
    await store.close()
    mkdirSync(at('new'))
    await writeReserve({ path: at('new/pay.db'), bytes: 1000, filling: new Uint8Array(1000) })
    put('new/mine.reserve', 'of somebody else')
    const refused = await runCommandClass(Restore, [json.file, '--to', at('new'), '--json'])
    expect(errorOf(refused)).toEqual({ exit: 6, code: 'RESTORE_TARGET_NOT_EMPTY' })
    rmSync(at('new/mine.reserve'))
    expect((await runCommandClass(Restore, [json.file, '--to', at('new'), '--json'])).exit).toBe(0)
    expect(readdirSync(at('new')).filter((name) => name.endsWith('.reserve'))).toEqual([])
  })

  test('restore tells a folder in which a till runs', async () => {
    const { envFile, store } = await aTill()
    const { json } = await backUp('--settings', envFile)
    const ran = await runCommandClass(Restore, [json.file, '--to', at('till'), '--json'])
    expect(errorOf(ran)).toEqual({ exit: 6, code: 'RESTORE_TARGET_NOT_EMPTY' })
    expect(JSON.parse(ran.stdout).error.message).toContain('a daemon runs there')
    await store.close()
    const stopped = await runCommandClass(Restore, [json.file, '--to', at('till'), '--json'])
    expect(JSON.parse(stopped.stdout).error.message).toContain('is not empty')
  })

  test('a database whose wallet is another than the seed beside it fails its check', async () => {
    const { envFile, store } = await aTill()
    const { json } = await backUp('--settings', envFile)
    await store.close()
    const ran = await runCommandClass(BackupVerify, [json.file, '--password-file', at('till/pw'), '--json'])
    const { ok, checks } = JSON.parse(ran.stdout)
    expect(ok).toBe(false)
    expect(checks.filter(({ status }: { status: string }) => status === 'fail')).toEqual([
      { name: 'wallet', status: 'fail', detail: expect.stringContaining('tgrin1test') },
    ])
    expect(process.exitCode).toBe(6)
    process.exitCode = 0
  })
})

describe('of a name authority and of a relay', () => {
  test('an authority comes back with its reserved names', async () => {
    const store = await openNameStore({ path: at('na/names.db'), now: Date.now })
    await (await openConsoleStore({ path: at('na/console.db') })).close()
    const envFile = put(
      'na/nameauth.env',
      `NAMEAUTH_DOMAIN=names.example\nNAMEAUTH_DATA_DIR=${at('na')}\nNAMEAUTH_RESERVED_FILE=${put('na/reserved', 'mine\n')}\n`,
    )
    const { json } = await backUp('--daemon', 'nameauth', '--settings', envFile)
    await store.close()
    await runCommandClass(Restore, [json.file, '--to', at('new'), '--daemon', 'nameauth'])
    const config = loadNameauthConfig(openEnvironment({ envFile: at('new/nameauth.env'), variables: {} }))
    expect([config.dbPath, config.reserved]).toEqual([at('new/nameauth/data/names.db'), ['mine']])
    expect(existsSync(at('new/nameauth/data/console.db'))).toBe(true)
  })

  test('a relay comes back with its lists', async () => {
    const store = await openEventStore({ path: at('r/relay.db'), clock: { now: Date.now } })
    put('r/relay-lists.json', '{}')
    const config = put('relay.toml', `[database]\ndata_directory = "${at('r')}"\n[info]\nname = "mine"\n`)
    const { json } = await backUp('--daemon', 'relay', '--config', config)
    await store.close()
    const ran = await runCommandClass(Restore, [json.file, '--to', at('new'), '--json'])
    expect(JSON.parse(ran.stdout).files).toEqual(['relay/data/relay-lists.json', 'relay.toml', 'relay/data/relay.db'])
    expect(readFileSync(at('new/relay.toml'), 'utf8')).toBe(
      `[database]\ndata_directory = "${at('new/relay/data')}"\n[info]\nname = "mine"\n`,
    )
  })

  test('a relay that is the name authority itself comes back with its reserved names', async () => {
    const store = await openEventStore({ path: at('r/relay.db'), clock: { now: Date.now } })
    const names = `[name_authority]\nenabled = true\ndomain = "names.example"\nbase_url = "https://names.example"\nreserved_file = "${put('mine.txt', 'mine\n')}"\n`
    const config = put('relay.toml', `[database]\ndata_directory = "${at('r')}"\n${names}`)
    const { json } = await backUp('--daemon', 'relay', '--config', config)
    await store.close()
    rmSync(at('mine.txt'))
    const ran = await runCommandClass(Restore, [json.file, '--to', at('new'), '--json'])
    expect(JSON.parse(ran.stdout).files).toContain('relay/reserved.txt')
    const path = at('new/relay.toml')
    const sources = {
      environment: openEnvironment({ variables: {} }),
      file: { path, text: readFileSync(path, 'utf8') },
    }
    const { names: restored, dataDir } = loadRelayConfig(sources, { dataDir: '/nowhere' })
    expect([dataDir, restored?.reserved]).toEqual([at('new/relay/data'), ['mine']])
  })

  test('missing reserved names are reported', async () => {
    const store = await openNameStore({ path: at('na/names.db'), now: Date.now })
    await (await openConsoleStore({ path: at('na/console.db') })).close()
    const envFile = put(
      'na/nameauth.env',
      `NAMEAUTH_DOMAIN=names.example\nNAMEAUTH_DATA_DIR=${at('na')}\nNAMEAUTH_RESERVED_FILE=${at('na/gone')}\n`,
    )
    const { json } = await backUp('--daemon', 'nameauth', '--settings', envFile)
    await store.close()
    expect(json.left_out).toContain(`your reserved names (${at('na/gone')})`)
  })

  test.each([
    [['--db', 'x'], 'USAGE'],
    [['--config', 'x'], 'USAGE'],
    [['--daemon', 'relay', '--settings', 'x'], 'CONFIG_FILE_UNREADABLE'],
    [['--daemon', 'relay', '--config', '/nowhere.toml'], 'CONFIG_FILE_UNREADABLE'],
  ])('%j is refused', async (args, code) => {
    expect(errorOf(await backUp(...args))).toEqual({ exit: 2, code })
  })
})

test('a newer schema is refused before anything is unpacked', async () => {
  const { envFile, store } = await aTill()
  const { json } = await backUp('--settings', envFile)
  await store.close()
  const bytes = readFileSync(json.file)
  const newest = await newestSchema('till')
  const old = Buffer.from(`"schema": ${newest}`)
  expect(bytes.includes(old)).toBe(true)
  bytes.set(Buffer.from(`"schema":${newest + 1}`.padEnd(old.length)), bytes.indexOf(old))
  writeFileSync(at('newer.tar'), bytes)
  const ran = await runCommandClass(Restore, [at('newer.tar'), '--to', at('new'), '--json'])
  expect(errorOf(ran)).toEqual({ exit: 6, code: 'BACKUP_NEWER' })
  expect(existsSync(at('new'))).toBe(false)
})

describe('backup prune', () => {
  const names = [
    'grinpay-pay-20260131T020000Z.tar',
    'grinpay-pay-20260130T020000Z.tar',
    'grinpay-pay-20260129T020000Z.tar.age',
  ]
  beforeEach(() => {
    for (const name of [...names, 'notes.txt', 'grinpay-pay-20260128T020000Z.tar.bak']) put(`b/${name}`, '0123456789')
  })
  const prune = (...args: readonly string[]) => runCommandClass(BackupPrune, [at('b'), ...args, '--json'])

  test('tells what would go, and removes nothing', async () => {
    const { stdout } = await prune('--keep-daily', '2', '--dry-run')
    expect(JSON.parse(stdout)).toMatchObject({ dry_run: true, removed: [at('b', names[2] ?? '')], freed_bytes: 10 })
    expect(readdirSync(at('b'))).toHaveLength(5)
  })

  test('removes what no rule wants, and nothing else', async () => {
    expect((await prune('--keep-daily', '1', '--yes')).exit).toBe(0)
    expect(readdirSync(at('b')).sort()).toEqual(['grinpay-pay-20260128T020000Z.tar.bak', names[0], 'notes.txt'])
  })

  test('asks for a confirmation, which needs a terminal', async () => {
    expect(errorOf(await prune('--keep-last', '1'))).toEqual({ exit: 2, code: 'NEEDS_CONFIRMATION' })
    expect(readdirSync(at('b'))).toHaveLength(5)
  })

  test('without a rule it is wrong usage; a folder that is none, too', async () => {
    expect(errorOf(await prune('--yes'))).toEqual({ exit: 2, code: 'USAGE' })
    const ran = await runCommandClass(BackupPrune, [at('nowhere'), '--keep-last', '1', '--yes', '--json'])
    expect(errorOf(ran)).toEqual({ exit: 2, code: 'BACKUP_UNREADABLE' })
  })
})

test.skipIf(process.getuid?.() === 0)('a folder that may not be written is reported, with a remedy', async () => {
  const { envFile, store } = await aTill()
  mkdirSync(at('locked'))
  chmodSync(at('locked'), 0o500)
  const ran = await runCommandClass(BackupCreate, ['--settings', envFile, '--out', at('locked'), '--json'])
  await store.close()
  expect(errorOf(ran)).toEqual({ exit: 1, code: 'BACKUP_UNWRITABLE' })
})
