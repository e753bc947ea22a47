// The commands of the console on a real console.db, from source.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import ConsoleAudit from '../../../src/commands/console/audit.js'
import ConsoleOpen from '../../../src/commands/console/open.js'
import ConsoleSessions from '../../../src/commands/console/sessions.js'
import { openConsoleStore } from '../../../src/storage/index.js'
import { runCommandClass } from '../../support/run-command.js'

let folder: string
let settings: string[]
const hashOf = '7'.repeat(64)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'grinpay-console-'))
  settings = ['--settings', write('PAY_CONSOLE=on\nPAY_CONSOLE_BIND=127.0.0.1:4480\n')]
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(lines: string): string {
  const file = join(folder, 'pay.env')
  const token = `PAY_API_TOKEN=${'a'.repeat(20)}\nPAY_DB_PATH=${join(folder, 'pay.db')}\n`
  writeFileSync(file, `${token}${lines}`, { mode: 0o600 })
  return file
}

/** As the daemon makes it. */
async function withStore<T>(work: (store: Awaited<ReturnType<typeof openConsoleStore>>) => Promise<T>): Promise<T> {
  const store = await openConsoleStore({ path: join(folder, 'console.db') })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

const run = (command: Parameters<typeof runCommandClass>[0], ...words: string[]) =>
  runCommandClass(command, [...words, ...settings])

const openSession = () =>
  withStore(async (store) => {
    const now = Date.now()
    const link = {
      hash: hashOf,
      name: 'anna',
      role: 'cashier',
      purpose: 'sign-in',
      createdAt: now,
      expiresAt: now + 1000,
      spentAt: null,
    } as const
    await store.addLink(link)
    await store.spendLink(hashOf, { id: '0123456789ab', hash: hashOf, now, address: '192.0.2.7', browser: 'Firefox' })
  })

test('open prints a link whose token is stored as a hash only, and writes the audit log', async () => {
  await withStore(async () => undefined)
  const { stdout, stderr, exit } = await run(ConsoleOpen, '--role', 'cashier', '--name', 'counter 2')
  expect(exit).toBe(0)
  expect(stdout).toMatch(/^http:\/\/localhost:4480\/console\/enter\/[\w-]{43}\n$/)
  expect(stderr).toContain('ssh -L 4480:127.0.0.1:4480')
  const { createHash } = await import('node:crypto')
  const token = stdout.trim().split('/').at(-1) ?? ''
  const [link, audit] = await withStore(async (store) => [
    await store.findLink(createHash('sha256').update(token).digest('hex')),
    (await store.auditPage(5)).items,
  ])
  expect(link).toMatchObject({ name: 'counter 2', role: 'cashier', spentAt: null })
  expect((link?.expiresAt ?? 0) - (link?.createdAt ?? 0)).toBe(60_000)
  expect(audit).toMatchObject([
    { person: 'command line', action: 'link.create', values: { role: 'cashier' }, outcome: 'done' },
  ])
  expect(JSON.stringify(audit)).not.toContain(token)
})

test('open names the public address where there is one', async () => {
  await withStore(async () => undefined)
  settings = ['--settings', write('PAY_CONSOLE=on\nPAY_CONSOLE_URL=https://console.example\n')]
  const { stdout, stderr } = await run(ConsoleOpen)
  expect(stdout).toMatch(/^https:\/\/console\.example\/console\/enter\//)
  expect(stderr).not.toContain('ssh')
})

test('sessions lists who is signed in, and ends one, and all', async () => {
  await openSession()
  const { stdout } = await run(ConsoleSessions, '--json')
  expect(JSON.parse(stdout).items).toMatchObject([
    { id: '0123456789ab', name: 'anna', role: 'cashier', address: '192.0.2.7' },
  ])
  expect((await run(ConsoleSessions, '--end', '0123456789ab')).stdout).toBe('ended 1 session\n')
  expect((await run(ConsoleSessions, '-q')).stdout).toBe('')
  expect(await run(ConsoleSessions, '--end', '0123456789ab')).toMatchObject({ exit: 4 })
  await openSessionAgain()
  expect(JSON.parse((await run(ConsoleSessions, '--end-all', '--json')).stdout)).toEqual({ ended: 1 })
})

const openSessionAgain = () =>
  withStore(async (store) => {
    const [now, hash] = [Date.now(), '8'.repeat(64)]
    await store.addLink({
      hash,
      name: 'ben',
      role: 'viewer',
      purpose: 'sign-in',
      createdAt: now,
      expiresAt: now + 1000,
      spentAt: null,
    })
    await store.spendLink(hash, { id: 'ba9876543210', hash, now, address: '::1', browser: '' })
  })

test('audit shows what was done, newest first', async () => {
  await openSession()
  await run(ConsoleSessions, '--end', 'ffffffffffff')
  await run(ConsoleSessions, '--end-all')
  const { items } = JSON.parse((await run(ConsoleAudit, '--all', '--json')).stdout)
  expect(items.map(({ action, outcome }: { action: string; outcome: string }) => `${action} ${outcome}`)).toEqual([
    'session.end-all done',
    'session.end refused: CONSOLE_NO_SESSION',
    'session.enter done',
  ])
})

test.each([
  ['PAY_CONSOLE=off\n', 3, 'CONSOLE_OFF'],
  ['PAY_CONSOLE=on\n', 3, 'DATABASE_MISSING'],
  ['PAY_CONSOLE=on\nPAY_CONSOLE_BIND=nowhere\n', 2, 'CONFIGURATION'],
])('with %j the command ends with %d', async (lines, exit, code) => {
  settings = ['--settings', write(lines)]
  const ran = await run(ConsoleOpen, '--json')
  expect([ran.exit, JSON.parse(ran.stdout).error.code]).toEqual([exit, code])
})

test('the console of a name authority is found by its settings, with or without --daemon', async () => {
  await withStore(async () => undefined)
  const file = join(folder, 'nameauth.env')
  writeFileSync(file, `NAMEAUTH_DOMAIN=names.example\nNAMEAUTH_DATA_DIR=${folder}\nNAMEAUTH_CONSOLE=on\n`)
  settings = ['--settings', file]
  for (const words of [[], ['--daemon', 'nameauth']])
    expect((await run(ConsoleOpen, ...words)).stdout).toMatch(/^http:\/\/localhost:3481\/console\/enter\/[\w-]{43}\n$/)
  writeFileSync(file, `NAMEAUTH_DOMAIN=names.example\nNAMEAUTH_DATA_DIR=${folder}\n`)
  const { stdout, exit } = await run(ConsoleOpen, '--json')
  expect([exit, JSON.parse(stdout).error.error ?? JSON.stringify(JSON.parse(stdout).error)]).toEqual([
    3,
    expect.stringContaining('this name authority has no console: NAMEAUTH_CONSOLE is off'),
  ])
})

test('the console of a relay is found by its TOML file', async () => {
  await withStore(async () => undefined)
  const file = join(folder, 'relay.toml')
  const toml = (enabled: boolean) => `[database]\ndata_directory = "${folder}"\n[console]\nenabled = ${enabled}\n`
  writeFileSync(file, toml(true))
  settings = ['--settings', file, '--daemon', 'relay']
  expect((await run(ConsoleOpen)).stdout).toMatch(/^http:\/\/localhost:3482\/console\/enter\/[\w-]{43}\n$/)
  writeFileSync(file, toml(false))
  expect(await run(ConsoleOpen)).toMatchObject({ exit: 3 })
})

test('--db finds the console of a relay that was started with another folder', async () => {
  await withStore(async () => undefined)
  const file = join(folder, 'relay.toml')
  writeFileSync(file, `[database]\ndata_directory = "${join(folder, 'elsewhere')}"\n[console]\nenabled = true\n`)
  settings = ['--settings', file, '--daemon', 'relay']
  expect(JSON.parse((await run(ConsoleOpen, '--json')).stdout).error.code).toBe('DATABASE_MISSING')
  expect((await run(ConsoleOpen, '--db', folder)).stdout).toMatch(/^http:\/\/localhost:3482\/console\/enter\//)
  expect((await run(ConsoleSessions, '--db', folder)).exit).toBe(0)
})

test.each([[], ['--daemon', 'pay'], ['--daemon', 'nameauth']])(
  '--db without a relay is refused %j',
  async (...words) => {
    await withStore(async () => undefined)
    const { exit, stdout } = await run(ConsoleOpen, '--db', folder, '--json', ...words)
    expect([exit, JSON.parse(stdout).error.code]).toEqual([2, 'USAGE'])
  },
)

test('a name that would not fit into a log line is refused', async () => {
  expect(await run(ConsoleOpen, '--name', 'a\nb')).toMatchObject({ exit: 2 })
})
