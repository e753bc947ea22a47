// `systemd print` and `systemd install`: units from the settings of each daemon, and what systemd itself says of them.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import SystemdInstall from '../../../src/commands/systemd/install.js'
import SystemdPrint from '../../../src/commands/systemd/print.js'
import '../../../src/cli/partial-settings.js' // loaded here: what a command loads when it runs counts against the test
import '../../../src/wizard/index.js'
import { runCommandClass } from '../../support/run-command.js'

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

let folder: string
const at = (...parts: readonly string[]) => join(folder, ...parts)
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'grinpay-systemd-'))
  writeFileSync(at('nameauth.env'), 'NAMEAUTH_DOMAIN=names.example\nNAMEAUTH_PAY_TOKEN_FILE=/etc/grinpay/token\n')
  writeFileSync(at('relay.toml'), '[info]\nrelay_url = "wss://relay.example"\n')
  writeFileSync(at('pay.env'), PAY)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const PAY = `PAY_DATA_DIR=/var/lib/grinpay
PAY_DB_PATH=/var/lib/grinpay/pay.db
PAY_API_TOKEN_FILE=/etc/grinpay/secrets/api_token.cred
PAY_GRIN1_RAIL=on
`
type Daemon = 'pay' | 'nameauth' | 'relay'
const DAEMONS: readonly Daemon[] = ['pay', 'nameauth', 'relay']

const settingsOf = (daemon: Daemon): readonly string[] => [
  ...['--daemon', daemon],
  ...(daemon === 'relay' ? ['--config', at('relay.toml')] : ['--settings', at(`${daemon}.env`)]),
]
const print = (daemon: Daemon, ...flags: readonly string[]) =>
  runCommandClass(SystemdPrint, [...settingsOf(daemon), ...flags])
const install = (daemon: Daemon, ...flags: readonly string[]) =>
  runCommandClass(SystemdInstall, [...settingsOf(daemon), '--dir', at('units'), ...flags])
const unit = (name: string) => readFileSync(at('units', name), 'utf8')

describe.each(DAEMONS)('of %s', (daemon) => {
  test('service, backup and target are printed behind their paths, and every directive stands on a line of its own', async () => {
    const { stdout, exit } = await print(daemon)
    expect(exit).toBe(0)
    const paths = [...stdout.matchAll(/^# (\/\S+)$/gm)].map(([, path]) => path)
    expect(paths).toEqual([
      `/etc/systemd/system/grinpay-${daemon}.service`,
      `/etc/systemd/system/grinpay-backup-${daemon}.service`,
      `/etc/systemd/system/grinpay-backup-${daemon}.timer`,
      '/etc/systemd/system/grinpay.target',
    ])
    for (const line of stdout.split('\n')) expect(line).toMatch(/^(#.*|\[\w+\]|[A-Za-z]+=.*|)$/)
  })

  test.skipIf(!hasSystemd)('systemd finds nothing wrong, and rates every service at most 1.5', async () => {
    expect(await install(daemon, '--socket')).toMatchObject({ exit: 0 })
    const units = readdirSync(at('units'))
    expect(units).toContain(`grinpay-${daemon}.socket`)
    const verified = spawnSync('systemd-analyze', ['verify', ...units.map((name) => at('units', name))], {
      encoding: 'utf8',
      env: { ...process.env, SYSTEMD_UNIT_PATH: `${at('units')}:` },
    })
    expect({ status: verified.status, said: verified.stderr }).toEqual({ status: 0, said: '' })
    for (const name of units.filter((each) => each.endsWith('.service'))) {
      const judged = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=15', at('units', name)], {
        encoding: 'utf8',
      })
      expect({ status: judged.status, verdict: judged.stdout.trim().split('\n').at(-1) }).toMatchObject({ status: 0 })
    }
  })

  test('what was written once is left as it is', async () => {
    await install(daemon)
    const before = readdirSync(at('units')).map((name) => statSync(at('units', name)).mtimeMs)
    const { stdout, exit } = await install(daemon, '--json')
    expect(exit).toBe(0)
    const { files } = JSON.parse(stdout)
    expect(new Set(files.map(({ outcome }: { outcome: string }) => outcome))).toEqual(new Set(['unchanged']))
    expect(readdirSync(at('units')).map((name) => statSync(at('units', name)).mtimeMs)).toEqual(before)
  })
})

test('units are readable by everybody and writable by root, and the lines to type are printed', async () => {
  const { stdout, stderr } = await install('pay', '--socket')
  expect(statSync(at('units', 'grinpay-pay.service')).mode & 0o777).toBe(0o644)
  expect(stdout).toContain(`created     ${at('units', 'grinpay-pay.service')}\n`)
  expect(stderr).toContain('  systemctl daemon-reload\n')
  expect(stderr).toContain(
    '  systemctl enable --now grinpay-pay.socket grinpay-pay.service grinpay-backup-pay.timer grinpay.target',
  )
})

test('the till has its secrets as credentials, its group of tor, and its folder', async () => {
  await install('pay')
  const lines = unit('grinpay-pay.service').split('\n')
  for (const line of [
    `LoadCredential=pay.env:${at('pay.env')}`,
    'LoadCredentialEncrypted=pay_api_token:/etc/grinpay/secrets/api_token.cred',
    'SupplementaryGroups=debian-tor',
    'StateDirectory=grinpay',
  ])
    expect(lines).toContain(line)
  const starts = lines.find((line) => line.startsWith('ExecStart='))
  expect(starts).toMatch(/ serve pay --settings \$\{CREDENTIALS_DIRECTORY\}\/pay\.env$/)
})

test('no unit has systemd read the settings, which it reads by other rules', async () => {
  for (const daemon of DAEMONS) await install(daemon)
  for (const name of readdirSync(at('units')).filter((each) => each.endsWith('.service')))
    expect(unit(name)).not.toContain('EnvironmentFile')
})

test.each([
  ['wallet_password.cred', 'LoadCredentialEncrypted=pay_wallet_password:'],
  ['wallet_password', 'LoadCredential=pay_wallet_password:'],
])('the wallet password that setup kept as %s reaches the till', async (file, directive) => {
  mkdirSync(at('secrets'))
  writeFileSync(at('secrets', file), 'sealed')
  const { stderr } = await install('pay')
  expect(unit('grinpay-pay.service.d/password.conf')).toContain(`${directive}${at('secrets', file)}\n`)
  expect(stderr).not.toContain('no wallet password')
})

test('a till without any wallet password is reported', async () => {
  expect((await install('pay')).stderr).toContain('warning: no wallet password')
})

test('the socket has the address of the settings, and the service needs it', async () => {
  const { stdout } = await print('relay', '--socket', '--unit', 'grinpay-relay.socket')
  expect(stdout.split('\n')).toContain('ListenStream=127.0.0.1:7777')
  expect((await print('relay', '--socket', '--unit', 'grinpay-relay.service')).stdout).toContain(
    '\nRequires=grinpay-relay.socket\nAfter=grinpay-relay.socket\n',
  )
  expect((await print('relay')).stdout).not.toContain('.socket')
})

test('data elsewhere belongs to a user who has to be made, and whose command is printed', async () => {
  writeFileSync(at('relay.toml'), '[database]\ndata_directory = "/srv/relay"\n')
  const { stderr } = await install('relay', '--no-backup')
  const text = unit('grinpay-relay.service')
  expect(text).toContain('\nUser=grinpay-relay\nReadWritePaths=/srv/relay\n')
  expect(text).toContain(' --db /srv/relay\n')
  expect(text).not.toContain('DynamicUser')
  expect(stderr).toContain('adduser --system --group --no-create-home grinpay-relay')
  expect(stderr).not.toContain('/var/lib/grinpay-backup-relay')
  expect(readdirSync(at('units'))).toEqual(['grinpay-relay.service', 'grinpay.target'])
})

test.each(DAEMONS)('of %s, every folder that its units write to is made by that command', async (daemon) => {
  writeFileSync(at('relay.toml'), '[database]\ndata_directory = "/srv/data"\n')
  writeFileSync(at('nameauth.env'), 'NAMEAUTH_DOMAIN=names.example\nNAMEAUTH_NAMES_DB=/srv/data/names.db\n')
  writeFileSync(at('pay.env'), 'PAY_DATA_DIR=/srv/till\nPAY_DB_PATH=/srv/data/pay.db\n')
  const { stderr } = await install(daemon)
  const command = stderr.split('\n').find((line) => line.includes('adduser')) ?? ''
  const [, makes = '', gives = ''] = command.split('&&')
  const written = readdirSync(at('units'))
    .filter((name) => name.endsWith('.service'))
    .flatMap((name) => /^ReadWritePaths=(.*)$/m.exec(unit(name))?.[1]?.split(' ') ?? [])
  expect(written).toContain(`/var/lib/grinpay-backup-${daemon}`)
  expect(written).toContain('/srv/data')
  for (const folder of written) for (const part of [makes, gives]) expect(`${part.trim()} `).toContain(` ${folder} `)
})

test('only the unit of a daemon that rereads files at SIGHUP has a reload', async () => {
  for (const daemon of DAEMONS) await install(daemon)
  const reloads = DAEMONS.filter((daemon) =>
    unit(`grinpay-${daemon}.service`).includes('\nExecReload=/bin/kill -HUP $MAINPID\n'),
  )
  expect(reloads).toEqual(['pay', 'relay'])
})

test('a unit that is merely older is brought up to date; the change is shown', async () => {
  await install('relay')
  writeFileSync(at('relay.toml'), '[database]\ndata_directory = "/var/lib/other"\n')
  const { stdout, stderr, exit } = await install('relay')
  expect(exit).toBe(0)
  expect(stdout).toContain(`updated     ${at('units', 'grinpay-relay.service')}`)
  expect(stderr).toContain('-StateDirectory=grinpay-relay\n')
  expect(stderr).toContain('+StateDirectory=other\n')
})

describe('a unit that was changed by hand', () => {
  const changed = () => unit('grinpay-relay.service')
  beforeEach(async () => {
    await install('relay')
    writeFileSync(at('units', 'grinpay-relay.service'), changed().replace('RestartSec=2', 'RestartSec=9'))
    rmSync(at('units', 'grinpay.target'))
  })

  test('stays, and so does everything else; the difference is shown', async () => {
    const { stdout, stderr, exit } = await install('relay')
    expect({ stdout, exit }).toEqual({ stdout: '', exit: 6 })
    expect(stderr).toContain('-RestartSec=9\n+RestartSec=2\n')
    expect(stderr).toContain('changed by hand')
    expect(stderr).toContain('--force')
    expect(changed()).toContain('RestartSec=9')
    expect(readdirSync(at('units'))).not.toContain('grinpay.target')
  })

  test('is shown by a dry run, which changes nothing', async () => {
    const { stdout, exit } = await install('relay', '--dry-run')
    expect(exit).toBe(0)
    expect(stdout).toContain('overwritten')
    expect(changed()).toContain('RestartSec=9')
  })

  test('goes with --force', async () => {
    expect(await install('relay', '--force')).toMatchObject({ exit: 0 })
    expect(changed()).toContain('RestartSec=2')
  })
})

test.each([
  ['a blank in a path', 'PAY_DATA_DIR=/var/lib/my till\n', 'NOT_FOR_UNIT', 2],
  ['a percent sign', 'PAY_DB_PATH=/var/lib/%h/pay.db\n', 'NOT_FOR_UNIT', 2],
  ['a name where an address belongs', 'PAY_BIND=localhost:8080\n', 'NOT_FOR_UNIT', 2],
  ['a setting that is wrong', 'PAY_BIND=8080:x\n', 'CONFIGURATION', 2],
])('%s is refused, and nothing is written', async (_what, text, code, wanted) => {
  writeFileSync(at('pay.env'), text)
  const { stdout, exit } = await install('pay', '--socket', '--json')
  expect({ exit, code: JSON.parse(stdout).error.code }).toEqual({ exit: wanted, code })
  expect(readdirSync(folder)).not.toContain('units')
})

test('without a file of settings there is nothing to make a service of', async () => {
  const { stderr, exit } = await runCommandClass(SystemdPrint, ['--daemon', 'pay', '--settings', at('none.env')])
  expect({ exit, namesFile: stderr.includes('none.env') }).toEqual({ exit: 2, namesFile: true })
})

test('an unknown unit is wrong usage, and the known ones are listed', async () => {
  const { stderr, exit } = await print('relay', '--unit', 'grinpay-pay.service')
  expect(exit).toBe(2)
  expect(stderr).toContain('grinpay-relay.service, grinpay-backup-relay.service')
})
