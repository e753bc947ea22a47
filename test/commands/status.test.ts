// `grinpay status`: what a person and a program see of daemons that run, and of those that do not.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { statusText } from '../../src/cli/status-report.js'
import Status from '../../src/commands/status.js'
import TillAdd from '../../src/commands/till/add.js'
import { runCommandClass, type TillForCommands, tillForCommands } from '../support/run-command.js'
import { ADMIN_TOKEN } from '../support/till-app.js'

let at: TillForCommands
let home: string
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'grinpay-status-'))
  vi.stubEnv('HOME', home)
  at = await tillForCommands()
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await at.close()
  rmSync(home, { recursive: true })
})

const reportIn = (stdout: string) => JSON.parse(stdout).items

describe('a till that runs', () => {
  test('is ready, with node, sums of today and what waits', async () => {
    const { stdout, exit } = await at.run(Status, '--json')
    expect(exit).toBe(0)
    expect(reportIn(stdout)).toMatchObject([
      {
        daemon: 'pay',
        running: true,
        ready: true,
        alarms: [],
        till: {
          today: { received: { count: 2, amount_grin: '3.5' }, confirmed: { count: 1, amount_grin: '2' } },
          open_invoices: 3,
          unmatched_payments: 1,
        },
      },
    ])
    const text = (await at.run(Status)).stdout
    expect(text).toContain('till: ready\n')
    expect(text).toContain('signed\t3.5 GRIN in 2 payments today (UTC)')
  })

  test('calls nothing received that is only signed, and says how many wait for the network', async () => {
    const sum = (count: number) => ({ count, amount: 0n })
    at.till.balance = async () => ({ received: sum(1), replied: sum(2), seen: sum(4), confirmed: sum(8) })
    const text = (await at.run(Status)).stdout
    expect(text).toContain('\tsigned, waiting for the network: 3\n')
    expect(text).not.toMatch(/received|paid/)
    at.till.balance = async () => ({ received: sum(0), replied: sum(0) })
    expect((await at.run(Status)).stdout).not.toContain('waiting for the network')
  })

  test('shows its alarms', async () => {
    const status = at.till.status
    at.till.status = async () => ({ ...(await status()), alarms: ['payment 1: its kernel is gone'] })
    expect((await at.run(Status)).stdout).toContain('ALARM\tpayment 1: its kernel is gone')
  })

  test('is watched: with --json one document a line, until the interrupt', async () => {
    const timer = setTimeout(() => process.emit('SIGINT'), 3000)
    const { stdout, exit } = await at.run(Status, '--watch', '--every', '500ms', '--json')
    clearTimeout(timer)
    const lines = stdout.trim().split('\n')
    expect(lines.length).toBeGreaterThan(1)
    for (const line of lines) expect(reportIn(line)).toHaveLength(1)
    expect(exit).toBe(0)
  })

  test('fits into 60 columns where words allow it', async () => {
    const daemons = reportIn((await at.run(Status, '--json')).stdout)
    for (const line of statusText(daemons, 60).split('\n')) expect(line.length).toBeLessThanOrEqual(60)
  })
})

test('a daemon that is set up and does not run is said to, with how to start it, and ends with 6', async () => {
  const file = join(home, 'pay.env')
  writeFileSync(file, 'PAY_BIND=127.0.0.1:9\n', { mode: 0o600 })
  const { stdout, exit } = await runCommandClass(Status, ['--settings', file])
  expect(exit).toBe(6)
  expect(stdout).toContain('till: NOT RUNNING\n')
  expect(stdout).toContain('systemctl start grinpay-pay')
})

test('a daemon that is not ready says which part, and ends with 6', async () => {
  const body = {
    ready: false,
    checks: [{ name: 'database', status: 'failed', since: '2026-01-31T12:00:00Z' }],
    error: 'not ready: database',
  }
  const server = createServer((request, answer) => {
    answer.writeHead(request.url === '/ready' ? 503 : 200, { 'content-type': 'application/json' })
    answer.end(JSON.stringify(request.url === '/ready' ? body : { status: 'ok', version: '9.9.9' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const file = join(home, 'names.env')
  const { port } = server.address() as AddressInfo
  writeFileSync(
    file,
    `NAMEAUTH_DOMAIN=names.example\nNAMEAUTH_NAMES_BIND=127.0.0.1:${port}\nNAMEAUTH_DATA_DIR=${home}\n`,
  )
  const { stdout, exit } = await runCommandClass(Status, ['--settings', file, '--daemon', 'nameauth'])
  await new Promise((resolve) => server.close(resolve))
  expect(exit).toBe(6)
  expect(stdout).toContain('name authority: NOT READY\n')
  expect(stdout).toContain('not ok\tdatabase, since 2026-01-31T12:00:00Z')
})

test('nothing set up ends with 3', async () => {
  expect((await runCommandClass(Status, [])).exit).toBe(3)
})

/** Where the till of these tests answers. */
const tillUrl = () => `http://${/PAY_BIND=(.*)/.exec(readFileSync(at.envFile, 'utf8'))?.[1]}`

function tokenFile(): string {
  const file = join(home, 'admin-token')
  writeFileSync(file, `${ADMIN_TOKEN}\n`, { mode: 0o600 })
  return file
}

describe('a till whose settings keep only the hash of its admin token', () => {
  beforeEach(() => {
    const { host } = new URL(tillUrl())
    writeFileSync(at.envFile, `PAY_BIND=${host}\nPAY_ADMIN_TOKEN=sha256:${'0'.repeat(64)}\n`, { mode: 0o600 })
  })

  test('asks for the token, and takes it from --token-file', async () => {
    expect((await at.run(Status)).stdout).toContain(
      'figures\tneed the admin token: --settings FILE, or --token-file FILE',
    )
    const { stdout, exit } = await at.run(Status, '--token-file', tokenFile())
    expect(stdout).toContain('signed\t3.5 GRIN in 2 payments today (UTC)')
    expect(exit).toBe(0)
  })

  test('takes it from GRINPAY_TOKEN_FILE', async () => {
    vi.stubEnv('GRINPAY_TOKEN_FILE', tokenFile())
    expect((await at.run(Status)).stdout).toContain('signed\t3.5 GRIN in 2 payments today (UTC)')
  })

  test('a token file that is missing is an error of the command, not of the settings', async () => {
    const { stdout, stderr, exit } = await at.run(Status, '--token-file', join(home, 'no-such-file'))
    expect({ stdout, exit }).toEqual({ stdout: '', exit: 2 })
    expect(stderr).toContain('no-such-file')
  })

  test('a token from stdin cannot be read again and again', async () => {
    const { stderr, exit } = await at.run(Status, '--watch', '--token-file', '-')
    expect({ stderr, exit }).toEqual({ stderr: expect.stringContaining('--watch'), exit: 2 })
  })
})

describe('the till of till use', () => {
  beforeEach(async () => {
    await runCommandClass(TillAdd, ['shop1', '--url', tillUrl(), '--admin-token-file', tokenFile(), '--use'])
  })

  test.each([[[]], [['--daemon', 'pay']]])('is asked where no daemon is set up: status %s', async (argv) => {
    const { stdout, stderr, exit } = await runCommandClass(Status, argv)
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: `till shop1: ${tillUrl()}\n` })
    expect(stdout).toContain('signed\t3.5 GRIN in 2 payments today (UTC)')
  })

  test('is not asked for another daemon', async () => {
    expect((await runCommandClass(Status, ['--daemon', 'relay'])).exit).toBe(3)
  })

  test('counts before a till that is set up here only with --daemon pay, as for every command that asks the till', async () => {
    mkdirSync(join(home, '.grinpay'), { recursive: true })
    writeFileSync(join(home, '.grinpay', 'pay.env'), 'PAY_BIND=127.0.0.1:9\n', { mode: 0o600 })
    expect((await runCommandClass(Status, [])).stdout).toContain('till: NOT RUNNING\naddress\thttp://127.0.0.1:9\n')
    expect((await runCommandClass(Status, ['--daemon', 'pay'])).stdout).toContain(`till: ready\naddress\t${tillUrl()}`)
  })

  test('is named once while it is watched', async () => {
    const timer = setTimeout(() => process.emit('SIGINT'), 3000)
    const { stdout, stderr } = await runCommandClass(Status, ['--watch', '--every', '500ms'])
    clearTimeout(timer)
    expect(stdout.match(/till: ready/g)?.length).toBeGreaterThan(1)
    expect(stderr).toBe(`till shop1: ${tillUrl()}\n`)
  })
})

test.each([
  ['nameauth', ['--url', 'http://127.0.0.1:9']],
  ['relay', ['--till', 'shop1']],
  ['relay', ['--token-file', 'FILE']],
] as const)('--daemon %s refuses %j, which are about a till', async (daemon, flags) => {
  const { stderr, exit } = await runCommandClass(Status, ['--daemon', daemon, ...flags])
  expect({ stderr, exit }).toEqual({ stderr: expect.stringContaining(`--daemon ${daemon}`), exit: 2 })
})

describe('settings that are wrong', () => {
  test('stand in the part of their daemon, beside the others, and end with 6', async () => {
    mkdirSync(join(home, '.grinpay'))
    writeFileSync(join(home, '.grinpay', 'relay.toml'), '[network]\nport = "many"\n')
    vi.stubEnv('GRINPAY_ENV_FILE', at.envFile)
    const { stdout, exit } = await runCommandClass(Status, [])
    expect(exit).toBe(6)
    expect(stdout).toContain('till: ready\n')
    expect(stdout).toContain('relay: SETTINGS WRONG\nsettings\tconfiguration error: ')
    expect(stdout).toContain('grinpay config check --daemon relay')
    expect(reportIn((await runCommandClass(Status, ['--json'])).stdout)).toMatchObject([
      { daemon: 'pay', ready: true, settings: null },
      { daemon: 'relay', ready: false, address: null },
    ])
  })

  test('of a till that cannot say where it listens are not taken for the default', async () => {
    const file = join(home, 'wrong.env')
    writeFileSync(file, 'PAY_BIND=nowhere\n', { mode: 0o600 })
    const { stdout, exit } = await runCommandClass(Status, ['--settings', file])
    expect(exit).toBe(6)
    expect(stdout).toContain('till: SETTINGS WRONG\nsettings\tPAY_BIND')
  })

  test('of a till that runs are shown beside its figures', async () => {
    writeFileSync(at.envFile, `${readFileSync(at.envFile, 'utf8')}PAY_CONFIRMATIONS=many\n`, { mode: 0o600 })
    const { stdout, exit } = await at.run(Status)
    expect(exit).toBe(6)
    expect(stdout).toContain('till: ready\n')
    expect(stdout).toContain('settings\tPAY_CONFIRMATIONS')
  })
})
